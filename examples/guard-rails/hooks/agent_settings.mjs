// Denies writing to the settings of agents, by file tools and by shell commands. Reading is allowed.

import { gate, shown, textField, toolInput, workingDirectory } from './payload.mjs';
import { holdsSettings, isSettings } from './settings_paths.mjs';
import { TooDeep } from './shell_syntax.mjs';
import { invocations } from './shell_words.mjs';
import { writtenPaths } from './written_paths.mjs';

const READING_TOOLS = new Set(['Read', 'Grep', 'Glob', 'LS']);

gate('agent-settings', (payload) => {
  const input = toolInput(payload);
  const directory = workingDirectory(payload);
  if (!READING_TOOLS.has(payload.tool_name)) {
    for (const name of ['file_path', 'notebook_path', 'path']) {
      const path = textField(input, name);
      if (path && isSettings(path, directory)) return reason(path);
    }
  }
  const command = textField(input, 'command');
  return command ? commandReason(command, directory) : undefined;
});

function commandReason(command, directory) {
  let started;
  try {
    started = invocations(command, directory);
  } catch (fault) {
    if (!(fault instanceof TooDeep)) throw fault;
    return 'A command with this many nested substitutions cannot be checked for writes to agent settings. '
      + 'Split it into simpler commands.';
  }
  for (const invocation of started) {
    const { written, removed } = writtenPaths(invocation);
    const path = written.find((candidate) => isSettings(candidate, invocation.directory))
      ?? removed.find((candidate) => holdsSettings(candidate, invocation.directory));
    if (path !== undefined) return reason(path);
  }
  return undefined;
}

function reason(path) {
  return `Agents do not change the settings of agents, and ${shown(path)} belongs to them. `
    + 'Tell the user which change is needed, so that they can make it themselves.';
}
