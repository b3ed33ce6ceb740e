//! JSON as text, in any spelling that the standard allows and some that it does not.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A part of a string, as it is spelled between the quotes.
fn part() -> impl Strategy<Value = String> {
    let escapes: &[&str] = &[
        r"\n",
        r"\t",
        r"\r",
        r"\b",
        r"\f",
        r"\/",
        r"\\",
        "\\\"",
        r"\u0000",
        r"\u001b[31m",
        r"\u00E9",
        r"\u2028",
        r"\ud83d\ude00",
    ];
    let halves: &[&str] = &[r"\ud800", r"\udc00", r"\ud83dx", r"\ude00\ud83d"];
    let invalid: &[&str] = &["\u{1}", "\n", "\t", r"\q", r"\u12"];
    prop_oneof![
        12 => "[a-zA-Z0-9 ./_-]{0,8}",
        4 => select(escapes).prop_map(str::to_owned),
        1 => select(halves).prop_map(str::to_owned),
        2 => any::<char>().prop_filter("not spelled with an escape", |character| {
            !character.is_control() && !matches!(character, '"' | '\\')
        }).prop_map(String::from),
        1 => Just("\u{7f}".to_owned()),
        1 => select(invalid).prop_map(str::to_owned),
    ]
}

/// A string with its quotes.
pub(crate) fn string() -> impl Strategy<Value = String> {
    vec(part(), 0..5).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

/// One of these words, mostly as it is, sometimes with its first letter as an escape.
pub(crate) fn word(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let escaped = |word: &str| match word.as_bytes() {
        [first, rest @ ..] if first.is_ascii() => {
            format!("\"\\u{first:04x}{}\"", String::from_utf8_lossy(rest))
        }
        _ => format!("\"{word}\""),
    };
    prop_oneof![
        15 => select(words).prop_map(|word| format!("\"{word}\"")),
        1 => select(words).prop_map(escaped),
    ]
}

fn blanks() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 2 => Just(" "), 1 => Just("\r\n\t")]
}

/// An object of these members, in their order.
pub(crate) fn object(
    members: impl Strategy<Value = Vec<(String, String)>> + 'static,
) -> BoxedStrategy<String> {
    (members, blanks())
        .prop_map(|(members, blanks)| {
            let members: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{blanks}{key}{blanks}:{value}{blanks}"))
                .collect();
            format!("{{{}{blanks}}}", members.join(","))
        })
        .boxed()
}

/// Up to `most` members with these keys, or any others; one may stand twice.
pub(crate) fn members(
    keys: &'static [&'static str],
    values: impl Strategy<Value = String> + Clone + 'static,
    most: usize,
) -> impl Strategy<Value = Vec<(String, String)>> {
    let key = prop_oneof![8 => word(keys).boxed(), 1 => string().boxed()];
    vec((key, values), 0..=most)
}

fn scalar() -> impl Strategy<Value = String> {
    let others: &[&str] = &[
        "null",
        "true",
        "false",
        "0",
        "-0.0",
        "1e400",
        "12345678901234567890123",
        "1.5e-7",
        "{}",
        "[]",
    ];
    prop_oneof![2 => string().boxed(), 1 => select(others).prop_map(str::to_owned).boxed()]
}

/// Any value, up to some thousand levels deep.
pub(crate) fn value() -> BoxedStrategy<String> {
    // serde_json gives up at 128 levels, when it builds a tree.
    let levels = prop_oneof![4 => 120..136_usize, 1 => Just(3_000)];
    let deep = levels.prop_map(|levels| "[".repeat(levels) + &"]".repeat(levels));
    let nested = scalar().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            object(members(&["a", "b", "command", "file_path"], inner, 4)),
        ]
    });
    prop_oneof![150 => nested.boxed(), 1 => deep.boxed()].boxed()
}

/// Damages a few of the texts: cuts them off, or puts other bytes into them.
pub(crate) fn damaged(texts: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<u8>> {
    let damage = prop_oneof![
        12 => Just(None),
        1 => Just(Some(Vec::new())),
        2 => vec(any::<u8>(), 1..3).prop_map(Some),
        1 => vec(select(&b"{}[]\",:\\\n\xff"[..]), 1..3).prop_map(Some),
    ];
    (texts, damage, any::<prop::sample::Index>()).prop_map(|(text, damage, place)| {
        let mut bytes = text.into_bytes();
        let place = place.index(bytes.len() + 1);
        match damage {
            None => {}
            Some(others) if others.is_empty() => bytes.truncate(place),
            Some(others) => drop(bytes.splice(place..place, others)),
        }
        bytes
    })
}
