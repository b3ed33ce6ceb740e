// Turns a path as it is written into one absolute path.

import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

const MAX_PATH = 4096; // the system refuses longer ones
const MAX_LOOKUPS = 20_000; // of links on the disk, for one command
let lookups = 0;

/** `path` with a leading `~`, `$HOME` or `${HOME}` replaced by the user's home folder. */
export function expandHome(path) {
  return path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=$|[/\\])/, () => homedir());
}

/** `path` as seen from `directory`: as written, and behind its links; none when that cannot be told. */
export function absoluteForms(path, directory) {
  const expanded = expandHome(path);
  if (expanded.length > MAX_PATH) return [];
  if (!isAbsolute(expanded) && (directory === undefined || !isAbsolute(directory))) return [];
  const absolute = resolve(directory ?? '/', expanded);
  return [absolute, behindLinks(absolute)];
}

/** The real path of `absolute`; of a file that is not there yet, through its nearest real folder. */
function behindLinks(absolute) {
  lookups += 1;
  if (lookups > MAX_LOOKUPS) return absolute;
  const missing = [];
  let existing = absolute;
  for (;;) {
    try {
      return join(realpathSync.native(existing), ...missing);
    } catch {
      const parent = dirname(existing);
      if (parent === existing) return absolute;
      missing.unshift(basename(existing));
      existing = parent;
    }
  }
}
