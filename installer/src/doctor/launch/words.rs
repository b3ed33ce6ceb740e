//! A line of a POSIX shell as words and operators, as far as launch lines go.
//!
//! Quotes, escapes, `$(...)`, comments and here-documents are followed, so that nothing inside of
//! them is taken for syntax. Nothing is expanded.

/// How a piece of a word is quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quote {
    None,
    Single,
    Double,
}

/// A piece of a word that is quoted in one way, as it stands in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) quote: Quote,
    pub(crate) text: String,
}

/// One word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) pieces: Vec<Piece>,
}

impl Word {
    /// Its text without quotes and escapes; what would be expanded stands as it is.
    pub(crate) fn plain(&self) -> String {
        let mut plain = String::new();
        for Piece { quote, text } in &self.pieces {
            match quote {
                Quote::Single => plain.push_str(text),
                Quote::None => unescape(text, |_| true, &mut plain),
                Quote::Double => {
                    unescape(
                        text,
                        |next| matches!(next, '"' | '\\' | '$' | '`'),
                        &mut plain,
                    );
                }
            }
        }
        plain
    }

    pub(crate) fn has_quotes(&self) -> bool {
        self.pieces.iter().any(|piece| piece.quote != Quote::None)
    }

    /// Is it `NAME=value`, which only sets a variable when it stands before a command?
    pub(crate) fn is_assignment(&self) -> bool {
        let Some(first) = self.pieces.first() else {
            return false;
        };
        let Some((name, _)) = first.text.split_once('=') else {
            return false;
        };
        first.quote == Quote::None
            && !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }
}

fn unescape(text: &str, is_escaped: impl Fn(char) -> bool, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(next)) if is_escaped(*next) => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
}

/// A word, or what stands between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(Word),
    /// `|`, `||`, `&&`, `;`, `&`, a new line as `;`, `(`, `)`, and redirections.
    Operator(&'static str),
}

/// A line that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) tokens: Vec<Token>,
    /// A quote or `$(` that is not closed.
    pub(crate) is_open: bool,
}

/// The longest first.
const OPERATORS: [&str; 17] = [
    "<<<", "&>>", "<<-", "||", "&&", ";;", "|&", "&>", ">>", "<<", "<(", ">(", "|", "&", ";", "(",
    ")",
];

impl Line {
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = Reader {
            rest: text,
            line: Self::default(),
            word: None,
        };
        reader.read();
        reader.line
    }

    /// The simple commands, each with the operator before it.
    pub(crate) fn commands(&self) -> Vec<(&'static str, Vec<&Word>)> {
        let mut commands = vec![("", Vec::new())];
        let mut is_target = false;
        for token in &self.tokens {
            match token {
                Token::Operator(">" | ">>" | "<" | "<<" | "<<-" | "<<<" | "&>" | "&>>") => {
                    is_target = true;
                }
                Token::Operator(operator) => {
                    commands.push((operator, Vec::new()));
                    is_target = false;
                }
                Token::Word(_) if is_target => is_target = false,
                Token::Word(word) => {
                    if let Some((_, words)) = commands.last_mut() {
                        words.push(word);
                    }
                }
            }
        }
        commands.retain(|(_, words)| !words.is_empty());
        commands
    }
}

struct Reader<'t> {
    rest: &'t str,
    line: Line,
    word: Option<Word>,
}

impl<'t> Reader<'t> {
    fn read(&mut self) {
        while let Some(next) = self.rest.chars().next() {
            match next {
                '\'' => self.quoted(Quote::Single),
                '"' => self.quoted(Quote::Double),
                '\n' => {
                    self.end_word();
                    self.take(1);
                    self.line.tokens.push(Token::Operator(";"));
                }
                ' ' | '\t' | '\r' => {
                    self.end_word();
                    self.take(1);
                }
                '#' if self.word.is_none() => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.take(end);
                }
                '$' if self.rest.starts_with("$(") => {
                    let length = self.closed(2, b'(', b')');
                    self.push(Quote::None, length);
                }
                '$' if self.rest.starts_with("${") => {
                    let length = self.closed(2, b'{', b'}');
                    self.push(Quote::None, length);
                }
                '`' => {
                    let length = self.rest[1..].find('`').map(|end| end + 2);
                    self.line.is_open |= length.is_none();
                    self.push(Quote::None, length.unwrap_or(self.rest.len()));
                }
                '\\' => {
                    let escaped = self.rest[1..].chars().next().map_or(0, char::len_utf8);
                    self.push(Quote::None, 1 + escaped);
                }
                '>' | '<' | '|' | '&' | ';' | '(' | ')' => self.operator(next),
                _ => self.push(Quote::None, next.len_utf8()),
            }
        }
        self.end_word();
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn push(&mut self, quote: Quote, length: usize) {
        let text = self.take(length);
        let word = self.word.get_or_insert_default();
        match word.pieces.last_mut() {
            Some(last) if last.quote == quote && quote == Quote::None => last.text.push_str(text),
            _ => word.pieces.push(Piece {
                quote,
                text: text.to_owned(),
            }),
        }
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            self.line.tokens.push(Token::Word(word));
        }
    }

    fn quoted(&mut self, quote: Quote) {
        self.take(1);
        let end = match quote {
            Quote::Single => self.rest.find('\''),
            _ => end_of_double(self.rest),
        };
        self.line.is_open |= end.is_none();
        self.push(quote, end.unwrap_or(self.rest.len()));
        self.take(usize::from(end.is_some()));
    }

    /// The length up to the bracket that closes the one that was opened `from` bytes in.
    fn closed(&mut self, from: usize, open: u8, close: u8) -> usize {
        let mut depth = 1;
        let mut quote = None;
        for (at, byte) in self.rest.bytes().enumerate().skip(from) {
            match (quote, byte) {
                (None, b'\'' | b'"') => quote = Some(byte),
                (Some(begun), _) if begun == byte => quote = None,
                (None, _) if byte == open => depth += 1,
                (None, _) if byte == close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.line.is_open = true;
        self.rest.len()
    }

    fn operator(&mut self, next: char) {
        self.drop_descriptor();
        self.end_word();
        let found = OPERATORS
            .iter()
            .find(|operator| self.rest.starts_with(**operator))
            .copied()
            .unwrap_or(if next == '>' { ">" } else { "<" });
        self.take(found.len());
        if matches!(found, ">" | "<") && self.rest.starts_with('&') {
            // `>&2` names another descriptor, and no file.
            let digits = self.rest[1..]
                .bytes()
                .take_while(|b| b.is_ascii_digit() || *b == b'-');
            let length = 1 + digits.count();
            self.take(length);
            return;
        }
        self.line.tokens.push(Token::Operator(found));
        if matches!(found, "<<" | "<<-") {
            self.skip_document();
        }
    }

    /// The number in `2>file` is no word.
    fn drop_descriptor(&mut self) {
        let is_number = self.word.as_ref().is_some_and(|word| {
            let text = word.plain();
            !word.has_quotes() && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
        });
        if is_number && self.rest.starts_with(['>', '<']) {
            self.word = None;
        }
    }

    /// What a here-document holds is text; the lines behind it are left out too.
    fn skip_document(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[..end];
    }
}

/// The quote that ends what is in double quotes; those inside of `$(...)` belong to that.
fn end_of_double(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'$' if bytes.get(at + 1) == Some(&b'(') => {
                depth += 1;
                at += 1;
            }
            b')' => depth = depth.saturating_sub(1),
            b'"' if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<Vec<String>> {
        let line = Line::read(text);
        line.commands()
            .into_iter()
            .map(|(operator, words)| {
                let words = words.into_iter().map(Word::plain);
                std::iter::once(operator.to_owned()).chain(words).collect()
            })
            .collect()
    }

    #[test]
    fn a_line_is_read_as_a_shell_reads_it() {
        for (text, expected) in [
            ("a b", &[&["", "a", "b"][..]][..]),
            ("'a b' \"c \\\"d\\\"\"", &[&["", "a b", "c \"d\""]]),
            (
                "a && b || c; d",
                &[&["", "a"], &["&&", "b"], &["||", "c"], &[";", "d"]],
            ),
            ("a 2>/dev/null >&2 | b", &[&["", "a"], &["|", "b"]]),
            (
                "X=1 a \"$(b \"c\")\"/d # e",
                &[&["", "X=1", "a", "$(b \"c\")/d"]],
            ),
            ("echo $(a && b) c", &[&["", "echo", "$(a && b)", "c"]]),
            ("cat <<E\nx || y\nE", &[&["", "cat"]]),
            ("a\\ b", &[&["", "a b"]]),
            ("a\nb", &[&["", "a"], &[";", "b"]]),
        ] {
            assert_eq!(plain(text), expected, "{text}");
            assert!(!Line::read(text).is_open, "{text}");
        }
        for open in ["a 'b", "a \"b", "a $(b", "a `b", "echo \"it's"] {
            assert!(Line::read(open).is_open, "{open}");
        }
    }
}
