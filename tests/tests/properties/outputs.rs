//! What hooks might print, in the form that `fuzz/src/verdict.rs` reads.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::fuzz::verdict::{EVENT, HOOK, MOST_HOOKS, STDERR};
use crate::json;

const DECISIONS: &[&str] = &[
    "allow", "ask", "deny", "defer", "block", "approve", "accept", "decline", "cancel",
];
const NESTED: &[&str] = &[
    "permissionDecision",
    "permissionDecisionReason",
    "additionalContext",
    "updatedInput",
    "updatedToolOutput",
    "decision",
    "retry",
    "action",
    "content",
];
const ROOT: &[&str] = &[
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "decision",
    "reason",
    "permissionDecision",
    "permissionDecisionReason",
    "additionalContext",
    "modifiedArgs",
];
const ARGUMENTS: &[&str] = &["command", "timeout", "file_path", "path", "content"];
const RESULTS: &[&str] = &[
    "stdout",
    "stderr",
    "result_type",
    "text_result_for_llm",
    "resultType",
];

/// Up to one hook too many, and what they all saw.
pub(crate) fn hooks() -> impl Strategy<Value = Vec<u8>> {
    let saw = prop_oneof![2 => Just(String::new()), 3 => arguments()];
    (saw, vec(hook(), 0..=MOST_HOOKS + 1)).prop_map(|(saw, hooks)| {
        let mut bytes = saw.into_bytes();
        for hook in hooks {
            bytes.push(HOOK);
            bytes.extend_from_slice(&hook);
        }
        bytes
    })
}

fn hook() -> impl Strategy<Value = Vec<u8>> {
    let end = select(&b"000000000001223stdhno"[..]);
    let mode = select(&b"gggggosd"[..]);
    (end, mode, json::damaged(stdout()), stderr()).prop_map(|(end, mode, stdout, stderr)| {
        let mut bytes = vec![end, mode];
        bytes.extend_from_slice(&stdout);
        bytes.push(STDERR);
        bytes.extend_from_slice(stderr.as_bytes());
        bytes
    })
}

fn stderr() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        1 => "[ -~\n\u{1b}é]{0,30}",
        1 => document(),
    ]
}

fn stdout() -> impl Strategy<Value = String> {
    let noise: &[&str] = &[
        "npm notice\n",
        "[1/2] ",
        "\u{feff}",
        "\n\u{feff}",
        "{\n",
        "\u{1b}[0m",
    ];
    prop_oneof![
        1 => Just(String::new()),
        1 => "[ -~\né]{0,30}",
        9 => document(),
        1 => (select(noise), document()).prop_map(|(noise, document)| format!("{noise}{document}")),
        1 => (document(), select(noise)).prop_map(|(document, noise)| format!("{document}{noise}")),
        1 => (document(), document()).prop_map(|(first, second)| format!("{first}\n{second}")),
        1 => json::value(),
    ]
}

/// One object, mostly of the words that hooks have.
fn document() -> BoxedStrategy<String> {
    let nested = (json::members(NESTED, value(), 3), 0..10_u8).prop_map(|(mut members, event)| {
        match event {
            0 => {}
            1 => members.push(("\"hookEventName\"".to_owned(), "\"Stop\"".to_owned())),
            _ => members.push(("\"hookEventName\"".to_owned(), format!("\"{EVENT}\""))),
        }
        members
    });
    let output =
        json::object(nested).prop_map(|nested| ("\"hookSpecificOutput\"".to_owned(), nested));
    let root = (
        json::members(ROOT, value(), 3),
        prop::option::weighted(0.7, output),
    )
        .prop_map(|(mut members, output)| {
            members.extend(output);
            members
        });
    json::object(root)
}

fn value() -> BoxedStrategy<String> {
    let behaviors = (json::word(&["allow", "deny"]), arguments(), 0..4_u8).prop_map(
        |(behavior, input, with)| match with {
            0 => format!("{{\"behavior\":{behavior}}}"),
            1 => format!("{{\"behavior\":{behavior},\"updatedInput\":{input}}}"),
            2 => format!("{{\"behavior\":{behavior},\"message\":\"m\",\"interrupt\":true}}"),
            _ => format!("{{\"behavior\":{behavior},\"message\":\"\"}}"),
        },
    );
    prop_oneof![
        5 => json::word(DECISIONS).boxed(),
        2 => json::string().boxed(),
        2 => arguments(),
        1 => json::object(json::members(RESULTS, json::value(), 3)),
        2 => behaviors.boxed(),
        2 => select(&["true", "false"][..]).prop_map(str::to_owned).boxed(),
        1 => json::value(),
    ]
    .boxed()
}

fn arguments() -> BoxedStrategy<String> {
    json::object(json::members(ARGUMENTS, json::value(), 4))
}
