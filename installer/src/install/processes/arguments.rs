//! What macOS keeps of the start of a process, as `sysctl` gives it for `KERN_PROCARGS2`.
//!
//! The number of words in four bytes, the file as it was named, then words and variables, each ended
//! by a zero; the file is followed by further zeros. A word may be empty. node overwrites its words
//! with its title and zeros, so between words and variables there may be zeros too.

/// All of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments<'b> {
    pub(super) file: &'b [u8],
    pub(super) words: Vec<&'b [u8]>,
    /// `NAME=value`, and after them some of the system's own.
    pub(super) environment: Vec<&'b [u8]>,
}

impl<'b> Arguments<'b> {
    pub(super) fn parse(bytes: &'b [u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk()?;
        let count = usize::try_from(i32::from_ne_bytes(*count)).ok()?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        let (file, rest) = rest.split_at(end);
        let start = rest
            .iter()
            .position(|byte| *byte != 0)
            .unwrap_or(rest.len());
        let mut texts = rest[start..].split(|byte| *byte == 0);
        let words = texts.by_ref().take(count).collect();
        let environment = texts.filter(|text| !text.is_empty()).collect();
        Some(Self {
            file,
            words,
            environment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(count: i32, rest: &str) -> Vec<u8> {
        [&count.to_ne_bytes(), rest.as_bytes()].concat()
    }

    fn parsed(bytes: &[u8]) -> (&str, Vec<&str>, Vec<&str>) {
        let text = |bytes| std::str::from_utf8(bytes).expect("text");
        let found = Arguments::parse(bytes).expect("arguments");
        let texts = |some: Vec<_>| some.into_iter().map(text).collect();
        (
            text(found.file),
            texts(found.words),
            texts(found.environment),
        )
    }

    #[test]
    fn words_and_variables_are_told_apart() {
        let plain = bytes(3, "/bin/claude\0\0\0\0claude\0-p\0hi\0A=1\0B=2\0\0");
        let told = (
            "/bin/claude",
            vec!["claude", "-p", "hi"],
            vec!["A=1", "B=2"],
        );
        assert_eq!(parsed(&plain), told);
    }

    #[test]
    fn an_empty_word_and_a_title_cost_no_variable() {
        let empty = bytes(3, "/bin/claude\0\0claude\0-p\0\0A=1\0B=2\0");
        assert_eq!(parsed(&empty).1, ["claude", "-p", ""]);
        assert_eq!(parsed(&empty).2, ["A=1", "B=2"]);
        let title = bytes(2, "/bin/node\0\0claude\0\0\0\0\0\0A=1\0B=2\0");
        assert_eq!(parsed(&title).1, ["claude", ""]);
        assert_eq!(parsed(&title).2, ["A=1", "B=2"]);
    }

    #[test]
    fn what_is_cut_off_has_what_is_there() {
        assert_eq!(Arguments::parse(&[1, 0]), None);
        assert_eq!(Arguments::parse(&bytes(-1, "/x\0")), None);
        assert_eq!(Arguments::parse(&bytes(1, "/x")), None);
        assert_eq!(
            parsed(&bytes(9, "/x\0\0x\0y")),
            ("/x", vec!["x", "y"], vec![])
        );
    }
}
