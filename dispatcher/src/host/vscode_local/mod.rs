//! The Local harness of VS Code: Claude's words, VS Code's own tools.
//!
//! Not seen live: read in the vendor's pages and source (microsoft/vscode-copilot-chat @31acd00 and
//! @1c52dab, microsoft/vscode @024adbf). Matchers of a registration are ignored, so hookkit applies
//! them. A tool that is not in the table might do anything: gates on Bash, Write and Edit see it.

mod contracts;
mod tools;

use super::tools::natives;
use super::{Decoded, Host, Wire, translate};
use crate::contract::{Contract, Subject};
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `vscode-local`.
pub(super) struct VscodeLocal;

impl Host for VscodeLocal {
    fn name(&self) -> &'static str {
        "vscode-local"
    }

    fn contracts(&self) -> &'static [Contract] {
        contracts::CONTRACTS
    }

    fn root_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PLUGIN_ROOT"]
    }

    fn longest_text(&self) -> usize {
        9_900
    }

    fn wire(&self) -> Wire {
        Wire::Nested
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        let mut decoded = translate::decode(&tools::NAMING, document, fields, contract);
        if contract.subject == Subject::Tool {
            for view in &mut decoded.views {
                let known = view.subject.as_deref().is_some_and(tools::is_known);
                view.might_be = if known {
                    &[]
                } else {
                    &["Bash", "Write", "Edit"]
                };
            }
        }
        decoded
    }

    fn native_tools(&self, claude: &str) -> &'static [&'static str] {
        natives(tools::TOOLS, claude)
    }

    fn own_input<'v>(&self, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        translate::own_input(&tools::NAMING, fields, input)
    }

    fn own_result<'v>(&self, _result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The inputs that hooks see of a call, and is it one that cannot be judged?
    fn seen(input: &Value) -> (Vec<Value>, bool) {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": "fetch_webpage", "tool_input": input})
            .to_string();
        let fields = Fields::read(payload.as_bytes()).expect("an object");
        let contract = VscodeLocal.contract("PreToolUse").expect("an event");
        let decoded = VscodeLocal.decode(payload.as_bytes(), &fields, contract);
        let views = decoded.views.iter().map(|view| {
            let document: Value = serde_json::from_slice(&view.bytes()).expect("valid JSON");
            assert_eq!(document["tool_name"], "WebFetch");
            document["tool_input"].clone()
        });
        (views.collect(), decoded.uninspectable)
    }

    #[test]
    fn each_page_of_a_call_is_seen_by_itself() {
        let page = |url: &str| json!({"url": url, "prompt": "q"});
        assert_eq!(
            seen(&json!({"urls": ["https://a", "https://b"], "query": "q", "url": "https://c"})),
            (vec![page("https://a"), page("https://b")], false)
        );
        for unclear in [
            json!([]),
            json!(["https://a", 1]),
            json!("https://a"),
            json!(vec!["u"; 65]),
        ] {
            let input = json!({"urls": unclear});
            assert_eq!(seen(&input), (vec![input.clone()], true), "{input}");
        }
        assert!(!seen(&json!({"urls": vec!["u"; 64]})).1);
    }

    #[test]
    fn a_rewritten_page_goes_back_as_a_list() {
        let payload =
            br#"{"tool_name":"fetch_webpage","tool_input":{"urls":["https://a"],"query":"q"}}"#;
        let fields = Fields::read(payload).expect("an object");
        assert_eq!(
            &*VscodeLocal.own_input(&fields, br#"{"url":"https://b","prompt":"q"}"#),
            br#"{"urls":["https://b"],"query":"q"}"#
        );
    }
}
