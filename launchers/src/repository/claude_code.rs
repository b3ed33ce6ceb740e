//! A plugin that lies in the repository it guards, for Claude Code: entries in the project's
//! `.claude/settings.json`, beside what others have there.
//!
//! As the clients showed it (Claude Code 2.1.332, Copilot CLI 1.0.102):
//! - `${CLAUDE_PROJECT_DIR}` is the folder in which the session started, so that nothing is enforced
//!   in one that starts in a subfolder; it does not read this file then at all
//! - in exec form the dispatcher starts without a shell, whatever stands in the folder's name
//! - Copilot reads this file too, drops `args` and gives `command` to bash; an entry whose `bash` and
//!   `powershell` are empty starts nothing there, and Claude Code ignores both keys

use super::folder;
use crate::host::ClaudeCode;
use crate::{Entry, Registration};
use hookkit_dispatch::manifest::Manifest;
use serde_json::{Value, json};

/// The file, below the root of a repository.
pub const SETTINGS: &str = ".claude/settings.json";

/// What is registered for Claude Code.
pub fn registration(manifest: &Manifest) -> Registration {
    Registration::of(manifest, &ClaudeCode)
}

/// The program that every entry of a plugin starts.
pub fn program(plugin: &str) -> String {
    format!("${{CLAUDE_PROJECT_DIR}}/{}", super::selector(plugin))
}

/// The elements for the arrays in `hooks`, each with the name of its event.
pub fn groups(registration: &Registration) -> Vec<(&'static str, Value)> {
    registration
        .entries
        .iter()
        .map(|entry| (entry.contract.event, group(registration, entry)))
        .collect()
}

fn group(registration: &Registration, entry: &Entry) -> Value {
    let mut group = ClaudeCode::group(registration, entry, &program(&registration.plugin));
    let handler = &mut group["hooks"][0];
    handler["bash"] = json!("");
    handler["powershell"] = json!("");
    group
}

/// Does an entry start the dispatcher of a plugin in the repository?
pub fn is_handler(entry: &Value, plugin: &str) -> bool {
    let starts = entry["command"].as_str().unwrap_or_default();
    let folder = format!("${{CLAUDE_PROJECT_DIR}}/{}/", folder(plugin));
    starts.starts_with(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_for_claude_code_alone() {
        let text = r#"{"schema":1,"name":"demo","version":"1.2.3","hooks":[
            {"id":"a","event":"PreToolUse","matcher":"Bash","run":["x"],"required":true},
            {"id":"b","event":"Stop","run":["x"]}]}"#;
        let manifest = Manifest::read(text).expect("JSON");
        let groups = groups(&registration(&manifest));
        assert_eq!(
            groups[0],
            (
                "PreToolUse",
                json!({"matcher": "Bash", "hooks": [{
                    "type": "command",
                    "command": "${CLAUDE_PROJECT_DIR}/.github/hookkit/demo/dispatch/hookkit-dispatch",
                    "args": ["--host", "claude-code", "--event", "PreToolUse", "--plugin", "demo",
                             "--if-missing", "deny", "--deadline", "13"],
                    "timeout": 15, "onFailure": "block", "bash": "", "powershell": "",
                }]})
            )
        );
        let handler = &groups[1].1["hooks"][0];
        assert!(handler.get("onFailure").is_none() && groups[1].1.get("matcher").is_none());
        assert!(is_handler(handler, "demo") && !is_handler(handler, "dem"));
    }
}
