// Splits a Bash command line into its simple commands, without running or expanding anything.
// The same rules as shell_syntax.py: lenient like Bash, linear in the length of the command.

const MAX_DEPTH = 50; // of substitutions inside each other

const BLANKS = /(?:[ \t\r]|\\\r?\n)*/y;
const PLAIN = /[^ \t\r\n;&|<>()'"\\$`]+/y;
const QUOTED = /[^"\\$`]+/y;
const BRACED = /[^}'"\\$`]+/y;
const NAME = /[A-Za-z_]\w*|[0-9@*#?$!_-]/y;
const BACKTICKS = /((?:[^\\`]|\\[^])*)`?/y;
const ANSI_C = /((?:[^\\']|\\[^])*)'?/y;
const ANSI_C_ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|([0-7]{1,3})|([^]))/g;
const REDIRECT = /<<<|<<-?|<>|<&|>>|>\||>&|<|>|&>>|&>/y;

/** Substitutions lie deeper inside each other than MAX_DEPTH. */
export class TooDeep extends Error {}

/**
 * The simple commands of `text` in the order in which they would start:
 * - `words`: `{text, literal, raw, start}`, text after quote removal, `literal` false when the shell
 *   would expand something in it, `start` the offset in `text`;
 * - `redirects`: `{operator, target}`; `hereDocuments`: bodies;
 * - `scope`: the path of the subshell it stands in, `''` at the top; `piped`: `|` follows.
 */
export function split(text, scope = '') {
  const reader = new Reader(text, 0);
  reader.commandsUntil(undefined, scope);
  return reader.found;
}

class Reader {
  constructor(text, depth) {
    this.text = text;
    this.at = 0;
    this.depth = depth;
    this.found = [];
    this.pending = []; // here documents whose bodies start after the next newline
    this.scopes = 0;
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  sees(prefix, offset = 0) {
    return this.text.startsWith(prefix, this.at + offset);
  }

  deeper() {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new TooDeep('too many substitutions inside each other');
  }

  inner(scope) {
    this.scopes += 1;
    return `${scope}/${this.scopes}`;
  }

  commandsUntil(closer, scope, arithmetic = false) {
    this.deeper();
    let command = emptyCommand(scope);
    const finish = (piped) => {
      if (command.words.length + command.redirects.length > 0) this.found.push({ ...command, piped });
      command = emptyCommand(scope);
    };
    for (;;) {
      this.take(BLANKS);
      if (this.at >= this.text.length) break;
      const c = this.text[this.at];
      if (c === closer) {
        this.at += 1;
        break;
      }
      if (c === '<' || c === '>' || this.sees('&>')) {
        this.redirect(command, arithmetic);
      } else if (';&|)\n'.includes(c)) { // a lone ")" ends a pattern of `case`
        finish(c === '|' && !this.sees('||'));
        this.at += this.sees('||') || this.sees('&&') ? 2 : 1;
        if (c === '\n') this.readHereDocuments();
      } else if (c === '(') {
        const double = this.sees('((') && command.words.length === 0; // `((1 << 2))`: no here document
        finish(false);
        this.at += 1;
        this.commandsUntil(')', this.inner(scope), arithmetic || double);
      } else if (c === '#' && !arithmetic) {
        const newline = this.text.indexOf('\n', this.at);
        this.at = newline < 0 ? this.text.length : newline;
      } else {
        const word = this.word(scope);
        const descriptor = /^\d+$/.test(word.raw) && (this.sees('<') || this.sees('>'));
        if (!descriptor) command.words.push(word);
      }
    }
    finish(false);
    this.depth -= 1;
  }

  redirect(command, arithmetic) {
    if (this.sees('<(') || this.sees('>(')) {
      command.words.push(this.word(command.scope));
      return;
    }
    const [operator] = this.take(REDIRECT);
    this.take(BLANKS);
    const c = this.text[this.at] ?? ';';
    const substitution = this.sees('<(') || this.sees('>(');
    if (';&|()\n'.includes(c) || ('<>'.includes(c) && !substitution)) return;
    const target = this.word(command.scope);
    if ((operator === '<<' || operator === '<<-') && !arithmetic) {
      this.pending.push({ command, delimiter: target, stripTabs: operator === '<<-' });
    } else if (operator === '<<<') {
      command.hereDocuments.push(target.text);
    } else {
      command.redirects.push({ operator, target });
    }
  }

  readHereDocuments() {
    for (const { command, delimiter, stripTabs } of this.pending) {
      const lines = [];
      while (this.at < this.text.length) {
        const newline = this.text.indexOf('\n', this.at);
        const stop = newline < 0 ? this.text.length : newline;
        let line = this.text.slice(this.at, stop);
        this.at = stop + 1;
        if (stripTabs) line = line.replace(/^\t+/, '');
        if (line === delimiter.text) break;
        lines.push(line);
      }
      const body = lines.join('\n');
      command.hereDocuments.push(body);
      if (delimiter.raw === delimiter.text && /\$\(|`/.test(body)) {
        const reader = new Reader(body.replaceAll('"', ' '), this.depth);
        reader.doubleQuoted([], command.scope);
        for (const inner of reader.found) this.found.push(inner);
      }
    }
    this.pending = [];
  }

  word(scope) {
    const start = this.at;
    const parts = [];
    let literal = true;
    while (this.at < this.text.length) {
      const plain = this.take(PLAIN);
      if (plain) {
        parts.push(plain[0]);
        continue;
      }
      const c = this.text[this.at];
      if (c === "'") {
        let close = this.text.indexOf("'", this.at + 1);
        if (close < 0) close = this.text.length;
        parts.push(this.text.slice(this.at + 1, close));
        this.at = close + 1;
      } else if (c === '"') {
        this.at += 1;
        literal = this.doubleQuoted(parts, scope) && literal;
      } else if (c === '\\') {
        const escaped = this.text[this.at + 1] ?? '';
        parts.push(escaped === '\n' ? '' : escaped);
        this.at += 2;
      } else if (c === '$' || c === '`') {
        literal = this.expansion(parts, scope, false) && literal;
      } else if ((c === '<' || c === '>') && this.at === start && this.sees('(', 1)) {
        this.at += 2;
        this.commandsUntil(')', this.inner(scope));
        parts.push('<()');
        literal = false;
      } else {
        break;
      }
    }
    this.at = Math.min(this.at, this.text.length);
    return { text: parts.join(''), literal, raw: this.text.slice(start, this.at), start };
  }

  /** From behind the opening quote to behind the closing one; whether all of it is literal. */
  doubleQuoted(parts, scope) {
    let literal = true;
    while (this.at < this.text.length) {
      const run = this.take(QUOTED);
      if (run) {
        parts.push(run[0]);
        continue;
      }
      const c = this.text[this.at];
      if (c === '"') {
        this.at += 1;
        break;
      }
      if (c === '\\') {
        const escaped = this.text[this.at + 1] ?? '';
        if (escaped !== '\n') parts.push('$`"\\'.includes(escaped) ? escaped : c + escaped);
        this.at += 2;
      } else {
        literal = this.expansion(parts, scope, true) && literal;
      }
    }
    return literal;
  }

  /** One `$...` or backtick form; its source stands for its value. Whether it was literal. */
  expansion(parts, scope, quoted) {
    const start = this.at;
    this.at += 1;
    if (this.text[start] === '`') {
      const inner = this.take(BACKTICKS)[1].replace(/\\([\\`$])/g, '$1');
      const reader = new Reader(inner, this.depth);
      reader.commandsUntil(undefined, this.inner(scope));
      for (const command of reader.found) this.found.push(command);
      parts.push('$()');
      return false;
    }
    if (this.sees('(')) {
      const arithmetic = this.sees('((');
      this.at += 1;
      this.commandsUntil(')', this.inner(scope), arithmetic);
      parts.push('$()');
      return false;
    }
    if (this.sees('{')) {
      this.braced(scope);
      parts.push(this.text.slice(start, this.at));
      return false;
    }
    if (this.sees("'") && !quoted) {
      this.at += 1;
      parts.push(this.take(ANSI_C)[1].replace(ANSI_C_ESCAPE, unescaped));
      return true;
    }
    if (this.sees('"') && !quoted) return true; // $"..." is a quoted string with a translation
    const name = this.take(NAME);
    parts.push(name ? `$${name[0]}` : '$');
    return !name;
  }

  /** From the brace of `${` to behind its end. */
  braced(scope) {
    this.deeper();
    this.at += 1;
    while (this.at < this.text.length) {
      if (this.take(BRACED)) continue;
      const c = this.text[this.at];
      if (c === '}') {
        this.at += 1;
        break;
      }
      if (c === '"') {
        this.at += 1;
        this.doubleQuoted([], scope);
      } else if (c === "'") {
        const close = this.text.indexOf("'", this.at + 1);
        this.at = close < 0 ? this.text.length : close + 1;
      } else if (c === '\\') {
        this.at += 2;
      } else {
        this.expansion([], scope, true);
      }
    }
    this.at = Math.min(this.at, this.text.length);
    this.depth -= 1;
  }
}

function emptyCommand(scope) {
  return { words: [], redirects: [], hereDocuments: [], scope };
}

function unescaped(_, hexadecimal, unicode, octal, other) {
  if (hexadecimal ?? unicode) return String.fromCharCode(Number.parseInt(hexadecimal ?? unicode, 16));
  if (octal) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
  return { n: '\n', t: '\t', r: '\r' }[other] ?? other;
}
