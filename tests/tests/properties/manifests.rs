//! What an author might write into `hookkit.json`.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::json;

const ROOT: &[&str] = &[
    "$schema",
    "schema",
    "name",
    "version",
    "description",
    "dispatch",
    "needs",
    "files",
    "env",
    "order",
    "hooks",
    "run",
];
const HOOK: &[&str] = &[
    "id",
    "event",
    "matcher",
    "run",
    "mode",
    "required",
    "timeout",
    "hosts",
    "env",
    "uninspectable",
    "windows",
    "macos",
    "linux",
    "name",
];
/// Values that some key takes.
const USUAL: &[&str] = &[
    "1",
    "0.5",
    "0",
    "1e-10",
    "3600",
    "true",
    "\"a\"",
    "\"b-1\"",
    "\"A b\"",
    "\">=0.1.0\"",
    "\">=99\"",
    "\"gate\"",
    "\"observe\"",
    "\"sequence\"",
    "\"allow\"",
    "\"Stop\"",
    "[\"Stop\",\"PreToolUse\"]",
    "[\"Stop\",\"Stop\"]",
    "\"Bash|Edit\"",
    "\"^(Ba\"",
    "[\"python\",\"./x.py\"]",
    "[\"./../x\"]",
    "[\" \"]",
    "[]",
    "[\"codex\"]",
    "{\"A\":\"b\"}",
    "{\"A=\":\"b\\u0000\"}",
];

/// Any manifest, mostly with what it has to have.
pub(crate) fn manifest() -> impl Strategy<Value = Vec<u8>> {
    let hooks = vec(hook(), 0..4).prop_map(|hooks| format!("[\n{}\n]", hooks.join(",\n")));
    let needed = hooks.prop_map(|hooks| {
        [
            ("\"schema\"", "1"),
            ("\"name\"", "\"demo\""),
            ("\"version\"", "\"1\""),
            ("\"hooks\"", &*hooks),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec()
    });
    json::damaged(json::object(some_of(needed, ROOT)))
}

fn hook() -> impl Strategy<Value = String> {
    let needed = Just(
        [
            ("\"id\"", "\"a\""),
            ("\"event\"", "\"PreToolUse\""),
            ("\"run\"", "[\"./x\"]"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec(),
    );
    prop_oneof![12 => json::object(some_of(needed, HOOK)), 1 => json::value()]
}

/// These members, seldom without one of them, and others.
fn some_of(
    needed: impl Strategy<Value = Vec<(String, String)>> + 'static,
    keys: &'static [&'static str],
) -> impl Strategy<Value = Vec<(String, String)>> {
    let value = prop_oneof![
        8 => select(USUAL).prop_map(str::to_owned).boxed(),
        1 => json::value(),
    ];
    (needed, json::members(keys, value, 4), 0..12_usize).prop_map(
        |(mut needed, others, left_out)| {
            if left_out < needed.len() {
                needed.remove(left_out);
            }
            needed.extend(others);
            needed
        },
    )
}
