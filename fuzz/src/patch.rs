//! Patches: what `apply_patch` would touch is shown to hooks, or the patch is refused.

use hookkit_dispatch::json;
use hookkit_dispatch::patch::{self, Action, Change};
use serde_json::Value;

/// More files than this are never shown one by one.
const MOST_FILES: usize = 64;

/// The lines by which a patch names a file.
const NAMES_A_FILE: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Any text as a patch, and any bytes as a tool's input that may hold one.
pub fn hold(data: &[u8]) {
    if let Some(text) = patch::text_in(data) {
        read(&text);
    }
    read(&String::from_utf8_lossy(data));
}

fn read(text: &str) {
    let Ok(changes) = patch::read(text) else {
        return;
    };
    assert!(
        patch::looks_like_one(text),
        "what is read looks like a patch"
    );
    assert!(
        (1..=MOST_FILES).contains(&changes.len()),
        "{} files are shown",
        changes.len()
    );
    changes.iter().for_each(is_shown);
    for line in text.lines() {
        let file = NAMES_A_FILE
            .iter()
            .find_map(|mark| line.strip_prefix(mark))
            .map(str::trim);
        if let Some(file) = file {
            assert!(
                changes.iter().any(|change| change.path == file),
                "the file {file:?} is hidden from hooks"
            );
        }
        if let Some(added) = line.strip_prefix('+') {
            assert!(
                changes.iter().any(|change| adds(change, added)),
                "the line {added:?} is hidden from hooks"
            );
        }
    }
}

fn is_shown(change: &Change) {
    assert!(!change.path.is_empty(), "a change has a path");
    let input = change.input();
    assert!(input.is_ascii(), "an input is ASCII");
    let shown: Value = serde_json::from_slice(&input).expect("an input is JSON");
    assert_eq!(shown["file_path"], *change.path);
    match &change.action {
        Action::Add { content } => assert_eq!(shown["content"], **content),
        Action::Update { old, new } => {
            assert_eq!(shown["old_string"], **old);
            assert_eq!(shown["new_string"], **new);
        }
        Action::Delete => assert_eq!(shown["new_string"], ""),
    }
    assert_eq!(json::kind(&input), Some(json::Kind::Object));
}

fn adds(change: &Change, line: &str) -> bool {
    match &change.action {
        Action::Add { content: text } | Action::Update { new: text, .. } => {
            text.split('\n').any(|added| added == line)
        }
        Action::Delete => false,
    }
}
