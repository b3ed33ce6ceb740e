//! The Copilot harness of VS Code: Copilot's contract through the SDK.
//!
//! Not seen live. Plugins that lie in a folder are handed to the SDK, which loads their hooks by the
//! CLI's rules. Plugins that VS Code itself converts run on a path that swallows every failure,
//! exit 2 included; replies here are JSON with exit 0, which that path does read.

use super::copilot_cli::{CopilotCli, contracts};
use super::{Decoded, Host, Wire};
use crate::contract::{Contract, Grade};
use crate::payload::Fields;
use std::borrow::Cow;

/// The host of the name `vscode-copilot`.
pub(super) struct VscodeCopilot;

impl Host for VscodeCopilot {
    fn name(&self) -> &'static str {
        "vscode-copilot"
    }

    fn contracts(&self) -> &'static [Contract] {
        CONTRACTS
    }

    fn root_variables(&self) -> &'static [&'static str] {
        CopilotCli.root_variables()
    }

    fn own_variables(&self) -> &'static [&'static str] {
        CopilotCli.own_variables()
    }

    fn longest_text(&self) -> usize {
        CopilotCli.longest_text()
    }

    fn wire(&self) -> Wire {
        CopilotCli.wire()
    }

    fn event_of_shape(&self, fields: &Fields) -> Option<&'static str> {
        CopilotCli.event_of_shape(fields)
    }

    fn decode<'p>(
        &self,
        document: &'p [u8],
        fields: &Fields<'p>,
        contract: &Contract,
    ) -> Decoded<'p> {
        CopilotCli.decode(document, fields, contract)
    }

    fn own_input<'v>(&self, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
        CopilotCli.own_input(fields, input)
    }

    fn own_result<'v>(&self, result: &'v [u8]) -> Option<Cow<'v, [u8]>> {
        CopilotCli.own_result(result)
    }
}

const fn by_reference(contract: &Contract) -> Contract {
    Contract {
        grade: Grade::Official,
        source: "code.visualstudio.com refers to Copilot's reference; not seen live",
        ..*contract
    }
}

const CONTRACTS: &[Contract] = &[
    by_reference(&contracts::PRE_TOOL_USE),
    by_reference(&contracts::POST_TOOL_USE),
    by_reference(&contracts::POST_TOOL_USE_FAILURE),
    by_reference(&contracts::PERMISSION_REQUEST),
    by_reference(&contracts::SESSION_START),
    by_reference(&contracts::SESSION_END),
    by_reference(&contracts::USER_PROMPT_SUBMIT),
    by_reference(&contracts::USER_PROMPT_TRANSFORMED),
    by_reference(&contracts::STOP),
    by_reference(&contracts::SUBAGENT_STOP),
    by_reference(&contracts::SUBAGENT_START),
    by_reference(&contracts::NOTIFICATION),
    by_reference(&contracts::PRE_COMPACT),
    by_reference(&contracts::ERROR_OCCURRED),
    by_reference(&contracts::PRE_MCP_TOOL_CALL),
];
