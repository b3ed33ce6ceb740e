//! Writes JSON in pure ASCII: no console code page and no locale can change what a host reads.

/// Appends `text` as a JSON string in ASCII.
pub fn push_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for character in text.chars() {
        match character {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\t' => out.extend_from_slice(b"\\t"),
            '\r' => out.extend_from_slice(b"\\r"),
            ' '..='~' => out.push(character as u8),
            other => push_escape(out, other),
        }
    }
    out.push(b'"');
}

/// `text` as a JSON string in ASCII.
pub fn quoted(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}

/// Appends a raw value, with every byte of its strings that is not printable ASCII escaped.
///
/// The value keeps its meaning: outside strings JSON knows only ASCII, inside them an escape says
/// the same as the character. Bytes that are not UTF-8 become U+FFFD.
pub fn push_ascii(out: &mut Vec<u8>, raw: &[u8]) {
    if raw.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        out.extend_from_slice(raw);
        return;
    }
    let mut in_string = false;
    let mut escaped = false;
    for character in String::from_utf8_lossy(raw).chars() {
        match character {
            '"' if !escaped => in_string = !in_string,
            '\n' | '\r' | '\t' if !in_string => {
                out.push(b' ');
                continue;
            }
            _ => {}
        }
        escaped = in_string && character == '\\' && !escaped;
        match character {
            ' '..='~' => out.push(character as u8),
            other => push_escape(out, other),
        }
    }
}

fn push_escape(out: &mut Vec<u8>, character: char) {
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_out_as_ascii_and_mean_the_same() {
        for text in [
            "",
            "plain",
            "it's \"q\" \\ back\nline\ttwo\r",
            "é 終 😀 \u{7f} \u{0}",
        ] {
            let written = quoted(text);
            assert!(written.is_ascii());
            let read: String = serde_json::from_slice(&written).expect("valid JSON");
            assert_eq!(read, text);
        }
    }

    #[test]
    fn raw_values_come_out_as_ascii_and_mean_the_same() {
        let raw = "{\n  \"é\\\"\": [\"終\\\\\", \"😀\", 1.50, \"\\ud83d\"]\n}";
        let mut out = Vec::new();
        push_ascii(&mut out, raw.as_bytes());
        assert_eq!(
            String::from_utf8(out).expect("ASCII"),
            "{   \"\\u00e9\\\"\": [\"\\u7d42\\\\\", \"\\ud83d\\ude00\", 1.50, \"\\ud83d\"] }"
        );
    }

    #[test]
    fn control_characters_inside_strings_become_valid() {
        let mut out = Vec::new();
        push_ascii(&mut out, b"\"one\ntwo\x01\xff\"");
        assert_eq!(out, b"\"one\\u000atwo\\u0001\\ufffd\"");
    }
}
