//! The Copilot harness of VS Code: Copilot's contract through the SDK.
//!
//! Not seen live. Plugins that lie in a folder are handed to the SDK, which loads their hooks by the
//! CLI's rules. Plugins that VS Code itself converts run on a path that swallows every failure,
//! exit 2 included; replies here are JSON with exit 0, which that path does read.

use super::copilot_cli::{Copilot, contracts};
use crate::contract::{Contract, Grade};

/// The host of the name `vscode-copilot`.
pub(super) const VSCODE_COPILOT: Copilot = Copilot {
    name: "vscode-copilot",
    contracts: CONTRACTS,
};

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
