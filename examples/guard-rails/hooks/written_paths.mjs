// Which paths one program of a command line writes, told from its words.

const ALL_OPERANDS = new Set(['add-content', 'chgrp', 'chmod', 'chown', 'ed', 'emacs', 'ex', 'nano', 'new-item', 'nvim',
  'out-file', 'patch', 'set-content', 'shred', 'sponge', 'tee', 'touch', 'truncate', 'vi', 'vim']);
const REMOVES = new Set(['del', 'erase', 'ln', 'mv', 'move-item', 'ren', 'rename-item', 'remove-item', 'rm', 'rmdir',
  'unlink', 'chmod', 'chown']);
const COPIES = new Set(['copy-item', 'cp', 'install', 'ln', 'mv', 'move-item', 'rsync', 'scp']);
const IN_PLACE = new Map([
  ['sed', /^-[a-zA-Z]*i|^--in-place/],
  ['perl', /^-[a-zA-Z0-9]*i/],
  ['ruby', /^-[a-zA-Z]*i/],
  ['yq', /^-[a-zA-Z]*i|^--inplace/],
]);
const GIT_WRITES = new Set(['checkout', 'restore', 'rm', 'mv', 'checkout-index']);
const WRITING_OPERATORS = new Set(['>', '>>', '>|', '<>', '&>', '&>>', '>&']);

/** `{written, removed}`: paths whose content changes, paths that go away or are replaced. */
export function writtenPaths({ program, args, redirects }) {
  const written = redirects.filter(({ operator }) => WRITING_OPERATORS.has(operator)).flatMap(({ target }) => spellings(target));
  const words = args.flatMap(spellings);
  const operands = args.filter((word) => !/^-./.test(word.text)).flatMap(spellings);
  const removed = REMOVES.has(program) ? operands : [];
  if (ALL_OPERANDS.has(program)) written.push(...operands);
  if (COPIES.has(program)) written.push(...copyTargets(args));
  if (program === 'dd') written.push(...words.filter((word) => word.startsWith('of=')).map((word) => word.slice(3)));
  if (args.some((word) => IN_PLACE.get(program)?.test(word.text))) written.push(...operands);
  if (program === 'curl') written.push(...valuesOf(words, ['-o', '--output']));
  if (program === 'wget') written.push(...valuesOf(words, ['-O', '--output-document']));
  if (program === 'find' && words.includes('-delete')) removed.push(...operands);
  if (program === 'git') {
    const verb = gitVerb(words);
    if (GIT_WRITES.has(words[verb])) removed.push(...words.slice(verb + 1).map((word) => word.replace(/^:\/|^:\(\w+\)/, '')));
  }
  return { written, removed };
}

/** The destination of a copy, and the file that it makes when the destination is a folder. */
function copyTargets(args) {
  const words = args.map((word) => word.text);
  const operands = words.filter((word) => !/^-./.test(word));
  const folders = valuesOf(words, ['-t', '--target-directory']);
  const sources = folders.length > 0 ? operands : operands.slice(0, -1);
  const targets = folders.length > 0 ? folders : operands.slice(-1);
  return targets.flatMap((target) => [target, ...sources.map((source) => `${target}/${source.split(/[/\\]/).at(-1)}`)]);
}

/** The values of options in any of the forms `-o X`, `-oX`, `--output X`, `--output=X`. */
function valuesOf(words, options) {
  return words.flatMap((word, i) => {
    const option = options.find((name) => word === name || word.startsWith(name.startsWith('--') ? `${name}=` : name));
    if (option === undefined) return [];
    if (word === option) return words.slice(i + 1, i + 2);
    return [word.slice(option.length).replace(/^=/, '')];
  });
}

/** Where the subcommand stands behind Git's global options. */
function gitVerb(words) {
  let i = 0;
  while (words[i]?.startsWith('-')) i += words[i] === '-C' || words[i] === '-c' ? 2 : 1;
  return i;
}

/** A word as the shell gives it, and as PowerShell would read its backslashes. */
function spellings(word) {
  return word.raw.includes('\\') ? [word.text, word.raw] : [word.text];
}
