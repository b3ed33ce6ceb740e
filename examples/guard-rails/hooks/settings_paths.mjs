// Which paths hold settings of agents. Change these lists to change the policy.

import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { absoluteForms } from './paths.mjs';

// In any folder, in any case, `/` between the parts.
const SETTINGS = [
  /\/\.claude\/settings[^/]*\.json$/,
  /\/\.github\/(?:hooks|hookkit)(?:\/|$)/,
  /\/\.(?:codex|copilot)(?:\/|$)/,
];
// Folders that hold some of the above: they are neither removed nor replaced.
const PARENTS = /\/\.(?:claude|github)$/;

/** Folders that are protected as wholes: hookkit's data, and this plugin where it is installed. */
function protectedFolders() {
  const { HOOKKIT_HOME, HOOKKIT_PLUGIN_ROOT, XDG_DATA_HOME, LOCALAPPDATA } = process.env;
  return [
    HOOKKIT_HOME,
    HOOKKIT_PLUGIN_ROOT,
    XDG_DATA_HOME && join(XDG_DATA_HOME, 'hookkit'),
    LOCALAPPDATA && join(LOCALAPPDATA, 'hookkit'),
    join(homedir(), '.local', 'share', 'hookkit'),
    dirname(dirname(fileURLToPath(import.meta.url))),
  ].filter((folder) => folder && isAbsolute(folder) && dirname(folder) !== folder);
}

let folders;

/** Whether writing to `path`, seen from `directory`, changes settings of an agent. */
export function isSettings(path, directory) {
  return forms(path, directory).some((form) => SETTINGS.some((pattern) => pattern.test(form)) || isInFolder(form));
}

/** Whether removing or replacing `path` takes settings of an agent with it. */
export function holdsSettings(path, directory) {
  return isSettings(path, directory) || forms(path, directory).some((form) => PARENTS.test(form));
}

function isInFolder(form) {
  folders ??= protectedFolders().flatMap((folder) => absoluteForms(folder)).map(comparable);
  return folders.some((folder) => form === folder || form.startsWith(`${folder}/`));
}

function forms(path, directory) {
  // What cannot be made absolute is still judged by its own parts.
  return [resolve('/', path), ...absoluteForms(path, directory)].map(comparable);
}

function comparable(path) {
  return path.replaceAll('\\', '/').replace(/\/+$/, '').toLowerCase();
}
