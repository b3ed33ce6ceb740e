// Adds --no-pager to git commands whose output may start a pager, which would wait for keys.
// It answers with updatedInput alone: a rewrite without a decision approves nothing.

import { answer, readPayload } from './payload.mjs';
import { split } from './shell_syntax.mjs';

const PAGED = new Set(['blame', 'branch', 'diff', 'log', 'reflog', 'shortlog', 'show', 'tag', 'whatchanged']);
const PAGED_STASH = new Set(['list', 'show']);

/** `command` with the option where it helps; commands that send their output elsewhere need none. */
function withoutPager(command) {
  let result = '';
  let copied = 0;
  for (const { words, redirects, scope, piped } of split(command)) {
    if (scope !== '' || piped || redirects.length > 0 || !isPaged(words)) continue;
    const end = words[0].start + words[0].raw.length;
    result += `${command.slice(copied, end)} --no-pager`;
    copied = end;
  }
  return result + command.slice(copied);
}

function isPaged([program, verb, next]) {
  // A name in quotes or with a folder, and options before the subcommand, were written on purpose.
  if (program?.raw !== 'git' || verb === undefined) return false;
  return PAGED.has(verb.raw) || (verb.raw === 'stash' && PAGED_STASH.has(next?.raw));
}

try {
  const input = readPayload().tool_input;
  if (typeof input?.command === 'string') {
    const command = withoutPager(input.command);
    if (command !== input.command) {
      answer({ hookEventName: 'PreToolUse', updatedInput: { ...input, command } });
    }
  }
} catch {
  // A command that cannot be read stays as it is; gates decide about it.
}
