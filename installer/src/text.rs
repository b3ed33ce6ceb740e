//! Texts fitted to a width.

/// Breaks a text into lines of at most `width` characters, after blanks and commas where there are
/// some.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        let mut length = 0;
        for word in paragraph.split_inclusive([' ', ',']) {
            let bare = word.trim_end().chars().count();
            if length + bare > width && length > 0 {
                lines.push(line.trim_end().to_owned());
                (line, length) = (String::new(), 0);
            }
            for character in word.chars() {
                if length >= width && character != ' ' {
                    lines.push(std::mem::take(&mut line));
                    length = 0;
                }
                line.push(character);
                length += 1;
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The beginning of a text, as one line of at most `width` characters.
pub(crate) fn brief(text: &str, width: usize) -> String {
    let one_line: String = text
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect();
    if one_line.chars().count() <= width {
        return one_line;
    }
    let kept: String = one_line.chars().take(width.saturating_sub(3)).collect();
    format!("{}...", kept.trim_end())
}

/// A number with its noun.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_long_words_anywhere() {
        assert_eq!(wrap("one two three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrap("0123456789abc", 10), ["0123456789", "abc"]);
        assert_eq!(wrap("\"one\":1,\"two\":2", 12), ["\"one\":1,", "\"two\":2"]);
        assert_eq!(wrap("", 10), Vec::<String>::new());
    }

    #[test]
    fn a_brief_text_says_that_there_is_more() {
        assert_eq!(brief("a\nb", 10), "a b");
        assert_eq!(brief("0123456789abc", 10), "0123456...");
    }
}
