//! Claude Code: the contract that hooks are written against.
//!
//! Forms and limits as the client 2.1.332 showed them; rows that were only read in its vendor's
//! types are graded so.

mod contracts;

use super::{Decoded, Host, View, Wire};
use crate::contract::{Contract, Subject};
use crate::json;
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `claude-code`.
pub(super) struct ClaudeCode;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn contracts(&self) -> &'static [Contract] {
        contracts::CONTRACTS
    }

    fn root_variables(&self) -> &'static [&'static str] {
        &["CLAUDE_PLUGIN_ROOT"]
    }

    /// Texts of over 10,000 characters are put in a file and the model sees 2 kB of them.
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
        let tool = fields.text("tool_name");
        let input = fields.get("tool_input");
        let uninspectable = contract.subject == Subject::Tool
            && tool
                .as_deref()
                .is_some_and(|tool| super::is_uninspectable(tool, input));
        Decoded {
            cwd: fields.text("cwd"),
            stop_hook_active: fields.get("stop_hook_active") == Some(b"true"),
            uninspectable,
            views: vec![View {
                subject: super::subject(fields, contract, tool),
                might_be: &[],
                other_names: Vec::new(),
                document: document_pieces(document, input, uninspectable),
                input: input.map(Cow::Borrowed),
                input_piece: input.map(|_| 1),
                file: None,
            }],
            unreadable: None,
        }
    }

    fn own_input<'v>(&self, _fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        Cow::Borrowed(input)
    }

    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        Some(Cow::Borrowed(result))
    }
}

/// The original bytes, split around the tool's input so that a rewrite can take its place.
fn document_pieces<'p>(
    document: &'p [u8],
    input: Option<&'p [u8]>,
    uninspectable: bool,
) -> Vec<Cow<'p, [u8]>> {
    let mut pieces = match input.and_then(|input| json::span_in(document, input)) {
        Some(span) => vec![
            Cow::Borrowed(&document[..span.start]),
            Cow::Borrowed(&document[span.clone()]),
            Cow::Borrowed(&document[span.end..]),
        ],
        None => vec![Cow::Borrowed(document)],
    };
    if uninspectable {
        pieces[0] =
            Cow::Owned([b"{\"hookkit\":{\"uninspectable\":true},", &pieces[0][1..]].concat());
    }
    pieces
}
