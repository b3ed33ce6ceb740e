//! What a host might send, and worse.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::json;
use crate::patches;

const EVENT_KEYS: &[&str] = &["hook_event_name", "hookEventName", "hookName"];
const EVENTS: &[&str] = &["PreToolUse", "preToolUse", "Stop", "SessionStart", "Nobody"];
const TOOL_KEYS: &[&str] = &["tool_name", "toolName"];
const TOOLS: &[&str] = &[
    "Bash",
    "Write",
    "Edit",
    "Read",
    "bash",
    "create",
    "edit",
    "view",
    "str_replace_editor",
    "apply_patch",
    "create_file",
    "read_file",
    "run_in_terminal",
    "task",
    "mcp__x__y",
];
const INPUT_KEYS: &[&str] = &["tool_input", "toolArgs", "toolInput"];
const ARGUMENTS: &[&str] = &[
    "command",
    "path",
    "file_path",
    "filePath",
    "content",
    "file_text",
    "old_str",
    "old_string",
    "new_string",
    "input",
    "patch",
];
const RESULT_KEYS: &[&str] = &["tool_result", "toolResult", "tool_response"];
const RESULTS: &[&str] = &[
    "result_type",
    "resultType",
    "text_result_for_llm",
    "textResultForLlm",
    "stdout",
];
const OTHERS: &[&str] = &[
    "session_id",
    "sessionId",
    "timestamp",
    "cwd",
    "source",
    "prompt",
    "trigger",
    "agent_type",
    "agentType",
    "stop_hook_active",
    "response",
    "last_assistant_message",
    "turn_id",
    "model",
    "hookkit",
];

/// Any payload.
pub(crate) fn payload() -> impl Strategy<Value = Vec<u8>> {
    let before: &[&str] = &["", "\u{feff}", " \r\n", "\u{feff}\n", "x"];
    let after: &[&str] = &["", "\n", "{}", "} more"];
    let framed = (
        select(before),
        json::object(vec(member(), 0..9)),
        select(after),
    )
        .prop_map(|(before, object, after)| format!("{before}{object}{after}"));
    json::damaged(framed)
}

fn member() -> impl Strategy<Value = (String, String)> {
    let results = json::object(json::members(RESULTS, json::value(), 4));
    prop_oneof![
        (json::word(EVENT_KEYS), json::word(EVENTS)),
        (json::word(TOOL_KEYS), json::word(TOOLS)),
        (json::word(INPUT_KEYS), input()),
        (json::word(RESULT_KEYS), results),
        (json::word(OTHERS), json::value()),
        (json::string(), json::value()),
    ]
}

/// A tool's arguments: an object, the same inside a string, a patch, or anything.
fn input() -> impl Strategy<Value = String> {
    let arguments = || json::object(json::members(ARGUMENTS, json::value(), 5));
    let quoted = |text: String| format!("\"{}\"", escaped(&text));
    let patch = patches::text().prop_map(quoted);
    prop_oneof![
        6 => arguments(),
        1 => arguments().prop_map(quoted),
        2 => patch.clone(),
        2 => patch.prop_map(|patch| format!("{{\"command\":{patch}}}")),
        1 => json::value(),
    ]
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t")
}
