//! Whether a hook is still the one that somebody trusted.
//!
//! The client keeps sha256 over the hook as JSON with sorted names: event, matcher and one handler with
//! its defaults filled in (openai/codex, `NormalizedHookIdentity` and `version_for_toml`). Found equal
//! to `currentHash` of `hooks/list`, 0.171.0, for what is not a plugin's. A plugin's covers every file
//! of it too: that one the client alone can tell, `hookkit doctor --ask-hosts`.

use super::LINES;
use crate::digest::sha256;
use crate::edit::outline::Node;
use crate::survey::groups::Item;
use hookkit_dispatch::contract::{Contract, Subject};
use serde_json::{Map, Value, json};

/// Seconds, where an entry says none (`hooks/list` of 0.171.0).
const TIMEOUT: u64 = 600;

/// The sum of an entry; none where it is not known how the client fills it in.
pub(super) fn sum(item: &Item, event: &str, contract: &Contract) -> Option<String> {
    let entry = item.entry;
    // Of these the client shortens what is said.
    let is_cut = matches!(contract.event, "SessionEnd" | "Interrupt");
    if is_cut
        && ["timeout", "async"]
            .iter()
            .any(|key| entry.get(key).is_some())
    {
        return None;
    }
    let usual = if is_cut { 1 } else { TIMEOUT };
    let timeout = entry.get("timeout").map_or(json!(usual), Node::json);
    let mut handler = Map::new();
    match entry.get("type")?.text()? {
        "command" => {
            let line = LINES.iter().find_map(|key| entry.get(key))?.text()?;
            handler.insert("type".to_owned(), json!("command"));
            handler.insert("command".to_owned(), json!(line));
            let waits = entry.get("async").map_or(json!(false), Node::json);
            handler.insert("async".to_owned(), waits);
        }
        "mcp_tool" => {
            handler.insert("type".to_owned(), json!("mcp_tool"));
            for key in ["server", "tool"] {
                handler.insert(key.to_owned(), entry.get(key)?.json());
            }
            let input = entry.get("input").map_or(json!({}), Node::json);
            handler.insert("input".to_owned(), input);
        }
        _ => return None,
    }
    handler.insert("timeout".to_owned(), timeout);
    for key in ["statusMessage", "additionalContextLimit"] {
        if let Some(said) = entry.get(key) {
            handler.insert(key.to_owned(), said.json());
        }
    }
    let mut identity = Map::new();
    identity.insert("event_name".to_owned(), json!(event));
    identity.insert("hooks".to_owned(), json!([handler]));
    let matcher = item
        .matchers
        .first()
        .and_then(|matcher| Node::text(matcher));
    if let Some(matcher) = matcher.filter(|_| contract.subject != Subject::Nothing) {
        identity.insert("matcher".to_owned(), json!(matcher));
    }
    let written = Value::Object(identity).to_string();
    Some(format!("sha256:{}", sha256(written.as_bytes())))
}
