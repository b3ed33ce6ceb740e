//! Text for a model or a person: bounded, without control characters.

/// The first `longest` characters of a text, with a note where something was cut.
pub fn cut(text: &str, longest: usize) -> String {
    let count = text.chars().count();
    if count <= longest {
        return text.to_owned();
    }
    let note = format!("\n[hookkit cut this text: {longest} of {count} characters]");
    let kept = longest.saturating_sub(note.chars().count());
    text.chars().take(kept).chain(note.chars()).collect()
}

/// What a program printed, as text: lossy UTF-8, no terminal escapes, no control characters but
/// newline and tab, no blanks around it.
pub fn printed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\u{1b}' => skip_escape(&mut rest),
            '\n' | '\t' => kept.push(character),
            other if other.is_control() => {}
            other => kept.push(other),
        }
    }
    kept.trim().to_owned()
}

/// Skips a terminal's escape sequence: `ESC [ ... letter`, or one character.
fn skip_escape(rest: &mut std::iter::Peekable<std::str::Chars>) {
    if rest.next_if_eq(&'[').is_some() {
        while rest.next_if(|next| !next.is_ascii_alphabetic()).is_some() {}
    }
    rest.next();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_by_characters_with_a_note() {
        assert_eq!(cut("short", 100), "short");
        let text = cut(&"é".repeat(500), 100);
        assert_eq!(text.chars().count(), 100);
        assert!(text.ends_with("[hookkit cut this text: 100 of 500 characters]"));
    }

    #[test]
    fn printed_text_carries_no_controls() {
        assert_eq!(
            printed(b"\x1b[31mred\x1b[0m\r\n\x07two\xff  \n"),
            "red\ntwo\u{fffd}"
        );
    }
}
