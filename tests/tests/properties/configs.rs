//! TOML files as people lay them out.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::json;

const HEADERS: &[&str] = &[
    "[features]",
    "[plugins]",
    "[plugins.\"x@m\"]",
    "  [ plugins . 'y@m' ]  # tok_1",
    "[a]",
    "[a.b]",
    "[projects.\"/home/u/p\"]",
    "[[hooks.Stop]]",
    "[[hooks.Stop.hooks]]",
    "[marketplaces.theirs]",
];
const KEYS: &[&str] = &[
    "model", "enabled", "b", "\"x y\"", "c.d", "command", "a", "plugins",
];
const VALUES: &[&str] = &[
    "true",
    "1_000",
    "1.50",
    "\"tok_2\"",
    "'tok_3'",
    "'''tok_4\n# tok_5\n[a]\n'''",
    "\"\"\"\ntok_6 \\\n  x\"\"\"",
    "[ 1, 2 ]",
    "[\n  \"tok_7\", # tok_8\n]",
    "{ b = \"tok_9\", c = 1 }",
    "{}",
    "2020-01-01",
];
const BETWEEN: &[&str] = &[
    "",
    "",
    "",
    "\n",
    "# tok_10\n",
    "\n# tok_11\n\n",
    "  # tok_12\n",
    "\n\n\n",
];

/// Any config, mostly one that can be read.
pub(crate) fn config() -> impl Strategy<Value = Vec<u8>> {
    let body = (entries(KEYS), tables(), select(BETWEEN))
        .prop_map(|(entries, tables, end)| format!("{entries}{tables}{end}"));
    let text = (body, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(mut text, has_mark, is_windows, is_open)| {
            if is_open && text.ends_with('\n') {
                text.pop();
            }
            if is_windows {
                text = text.replace('\n', "\r\n");
            }
            let mark = if has_mark { "\u{feff}" } else { "" };
            format!("{mark}{text}")
        },
    );
    prop_oneof![
        20 => text.clone().prop_map(String::into_bytes),
        1 => json::damaged(text),
    ]
}

/// Entries with different keys.
fn entries(keys: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    let entry = (
        select(BETWEEN),
        select(keys),
        select(&[" = ", "=", "   =  "][..]),
        select(VALUES),
        select(&["", " # tok_13", "   "][..]),
    );
    vec(entry, 0..4).prop_map(|entries| {
        let mut seen = Vec::new();
        let mut text = String::new();
        for (between, key, equals, value, end) in entries {
            if !seen.contains(&key) {
                seen.push(key);
                text.extend([between, key, equals, value, end, "\n"]);
            }
        }
        text
    })
}

fn tables() -> impl Strategy<Value = String> + Clone {
    let inner = entries(&["enabled", "trust_level", "command"]);
    vec((select(BETWEEN), select(HEADERS), inner), 0..4).prop_map(|tables| {
        let mut seen = Vec::new();
        let mut text = String::new();
        for (between, header, entries) in tables {
            if !seen.contains(&header) || header.starts_with("[[") {
                seen.push(header);
                text.extend([between, header, "\n", &*entries]);
            }
        }
        text
    })
}
