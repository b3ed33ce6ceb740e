//! What a model might send as a patch.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::json;

const FIXED: &[&str] = &[
    "*** Begin Patch",
    "*** End Patch",
    "*** End of File",
    "@@",
    "@@ fn main",
    "",
    " ",
    "stray",
];
const HEADS: &[&str] = &[
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
    " *** Add File: ",
    "*** Add File:",
];
const BODIES: &[&str] = &["+", "-", " "];

/// Any patch, alone or in a tool's input.
pub(crate) fn patch() -> impl Strategy<Value = Vec<u8>> {
    let input = json::object(json::members(
        &["input", "patch", "command"],
        json::value(),
        3,
    ));
    json::damaged(prop_oneof![8 => text().boxed(), 1 => input])
}

/// The text of one, mostly with a beginning and an end.
pub(crate) fn text() -> impl Strategy<Value = String> + Clone {
    let ends: &[&str] = &["\n", "\r\n"];
    (vec(section(), 0..5), 0..12_u8, select(ends)).prop_map(|(sections, frame, end)| {
        let begin = if frame == 0 { "" } else { "*** Begin Patch\n" };
        let close = if frame == 1 { "" } else { "*** End Patch\n" };
        format!("{begin}{}{close}", sections.concat()).replace('\n', end)
    })
}

fn section() -> impl Strategy<Value = String> + Clone {
    let path = "[a-z./ é]{0,6}";
    let line = || "[a-z*+@ \u{2028}-]{0,10}";
    let lines = move |body: &'static [&'static str]| {
        vec((select(body), line()), 0..4).prop_map(|lines| {
            let lines: Vec<String> = lines
                .iter()
                .map(|(mark, line)| format!("{mark}{line}\n"))
                .collect();
            lines.concat()
        })
    };
    prop_oneof![
        4 => (path, lines(&["+"])).prop_map(|(path, lines)| format!("*** Add File: {path}\n{lines}")),
        4 => (path, lines(BODIES)).prop_map(|(path, lines)| format!("*** Update File: {path}\n{lines}")),
        2 => path.prop_map(|path| format!("*** Delete File: {path}\n")),
        1 => (select(HEADS), path, lines(BODIES))
            .prop_map(|(head, path, lines)| format!("{head}{path}\n{lines}")),
        1 => select(FIXED).prop_map(|line| format!("{line}\n")),
    ]
}
