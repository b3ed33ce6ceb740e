//! The Local harness of VS Code: Claude's words, VS Code's own tools.
//!
//! Not seen live: read in the vendor's pages and source (microsoft/vscode-copilot-chat @31acd00 and
//! @1c52dab, microsoft/vscode @024adbf). Matchers of a registration are ignored, so hookkit applies
//! them. A tool that is not in the table might do anything: gates on Bash, Write and Edit see it.

mod contracts;
mod tools;

use super::tools::{Naming, natives};
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

    fn event_of_shape(&self, _fields: &Fields) -> Option<&'static str> {
        None
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        let mut decoded = translate::decode(&Naming::of(tools::TOOLS), document, fields, contract);
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
        translate::own_input(&Naming::of(tools::TOOLS), fields, input)
    }

    fn own_result<'v>(&self, _result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        None
    }
}
