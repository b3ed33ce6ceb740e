// Names the programs that a Bash command line starts, with the arguments each one gets.
// The same rules as shell_words.py: wrappers are looked behind, literal scripts one level deep.

import { isAbsolute, resolve } from 'node:path';

import { expandHome } from './paths.mjs';
import { split } from './shell_syntax.mjs';

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', 'coproc']);
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);

// Programs that start the program named in their own arguments:
// options with a value in the next word, operands before the program.
const WRAPPERS = new Map([
  ['builtin', { valued: [], operands: 0 }],
  ['command', { valued: [], operands: 0 }],
  ['doas', { valued: ['-u', '-C'], operands: 0 }],
  ['env', { valued: ['-u', '-C', '--unset', '--chdir'], operands: 0 }],
  ['exec', { valued: ['-a'], operands: 0 }],
  ['ionice', { valued: ['-c', '-n', '-p', '--class', '--classdata'], operands: 0 }],
  ['nice', { valued: ['-n', '--adjustment'], operands: 0 }],
  ['nohup', { valued: [], operands: 0 }],
  ['setsid', { valued: [], operands: 0 }],
  ['stdbuf', { valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 }],
  ['sudo', {
    valued: ['-C', '-D', '-g', '-h', '-p', '-R', '-r', '-T', '-t', '-U', '-u', '--chdir', '--chroot', '--close-from',
      '--group', '--host', '--other-user', '--prompt', '--role', '--type', '--user'],
    operands: 0,
  }],
  ['time', { valued: ['-f', '-o', '--format', '--output'], operands: 0 }],
  ['timeout', { valued: ['-k', '-s', '--kill-after', '--signal'], operands: 1 }],
  ['xargs', {
    valued: ['-a', '-d', '-E', '-I', '-L', '-n', '-P', '-s', '--arg-file', '--delimiter', '--max-args', '--max-chars',
      '--max-lines', '--max-procs'],
    operands: 0,
  }],
]);

/**
 * Every program that `text` starts from `directory`, in order:
 * `{program, args, redirects, directory}`. `program` is the lower-case name without folder and
 * `.exe`; `directory` is undefined when it cannot be told from the words. Throws TooDeep.
 */
export function invocations(text, directory) {
  const found = [];
  split(text).forEach((command, number) => {
    const invocation = unwrap(command);
    found.push(invocation);
    for (const script of scripts(invocation)) {
      for (const inner of split(script, `${command.scope}/script of ${number}`)) found.push(unwrap(inner));
    }
  });
  followDirectories(found, directory);
  return found;
}

function scripts({ program, args, hereDocuments }) {
  if (program === 'eval') return [args.map((word) => word.text).join(' ')];
  if (!SHELLS.has(program)) return [];
  const takesScript = args.some((word) => /^-[A-Za-z]*c/.test(word.text));
  const operands = args.filter((word, i) => !/^[-+]/.test(word.text) && !/^[-+][A-Za-z]*[oO]$/.test(args[i - 1]?.text ?? ''));
  if (takesScript) return operands.slice(0, 1).map((word) => word.text);
  return operands.length > 0 ? [] : hereDocuments;
}

function unwrap({ words, redirects, hereDocuments, scope }) {
  let args = words;
  for (;;) {
    const first = args.findIndex((word) => !ASSIGNMENT.test(word.raw));
    args = first < 0 ? [] : args.slice(first);
    if (args.length === 0) return { program: '', args, redirects, hereDocuments, scope };
    const { text, raw } = args[0];
    const program = text.split(/[/\\]/).at(-1).toLowerCase().replace(/\.exe$/, '');
    if (KEYWORDS.has(program) && raw === text) {
      args = args.slice(1);
    } else if (text === 'function') {
      args = args.slice(2);
    } else if (WRAPPERS.has(program)) {
      args = behindWrapper(WRAPPERS.get(program), args.slice(1));
    } else {
      return { program, args: args.slice(1), redirects, hereDocuments, scope };
    }
  }
}

function behindWrapper({ valued, operands }, args) {
  let left = operands;
  for (let i = 0; i < args.length; i += 1) {
    const { text } = args[i];
    if (text === '--') return args.slice(i + 1);
    if (valued.includes(text)) {
      i += 1;
    } else if (!text.startsWith('-')) { // `env -` is `env -i`
      if (left === 0) return args.slice(i);
      left -= 1;
    }
  }
  return [];
}

/** Sets `directory` on each invocation: the start, changed by each `cd` before it. */
function followDirectories(found, directory) {
  const entered = new Map([['', directory]]);
  for (const invocation of found) {
    let { scope } = invocation;
    while (!entered.has(scope)) scope = scope.slice(0, scope.lastIndexOf('/'));
    invocation.directory = entered.get(scope);
    if (['cd', 'chdir', 'pushd', 'set-location'].includes(invocation.program)) {
      entered.set(invocation.scope, changed(invocation.directory, invocation.args));
    } else if (invocation.program === 'popd') {
      entered.set(invocation.scope, undefined);
    }
  }
}

function changed(directory, args) {
  const [target, ...more] = args.filter((word) => !/^-./.test(word.text));
  const path = expandHome(target?.text ?? '~');
  if (more.length > 0 || path === '-' || path.includes('$')) return undefined;
  if (isAbsolute(path)) return resolve(path);
  return directory === undefined ? undefined : resolve(directory, path);
}
