//! The Copilot cloud agent: Copilot's contract in a sandbox where nobody can be asked.
//!
//! Not seen live. By the vendor's reference it runs only `bash` entries of `.github/hooks/*.json` on
//! the default branch; every tool is approved beforehand, `ask` acts as deny, Notification does not
//! fire, and compaction is always automatic.

use super::copilot_cli::{Copilot, contracts};
use crate::contract::{Contract, Form, Grade};

/// The host of the name `copilot-cloud`.
pub(super) const COPILOT_CLOUD: Copilot = Copilot {
    name: "copilot-cloud",
    contracts: CONTRACTS,
};

const fn in_the_cloud(contract: &Contract) -> Contract {
    Contract {
        grade: Grade::Official,
        source: "docs.github.com, hooks reference; not seen live",
        ..*contract
    }
}

/// 13 events: those of the CLI without PermissionRequest and Notification.
const CONTRACTS: &[Contract] = &[
    in_the_cloud(&Contract {
        ask: Form::RootDecision("deny"),
        context: Form::Absent,
        ..contracts::PRE_TOOL_USE
    }),
    in_the_cloud(&Contract {
        deny: Form::Absent,
        block: Form::Absent,
        ..contracts::POST_TOOL_USE
    }),
    in_the_cloud(&contracts::POST_TOOL_USE_FAILURE),
    in_the_cloud(&contracts::SESSION_START),
    in_the_cloud(&contracts::SESSION_END),
    in_the_cloud(&Contract {
        deny: Form::Absent,
        block: Form::Absent,
        context: Form::Absent,
        rewrite_input: Form::Absent,
        ..contracts::USER_PROMPT_SUBMIT
    }),
    in_the_cloud(&contracts::USER_PROMPT_TRANSFORMED),
    in_the_cloud(&contracts::STOP),
    in_the_cloud(&contracts::SUBAGENT_STOP),
    in_the_cloud(&contracts::SUBAGENT_START),
    in_the_cloud(&contracts::PRE_COMPACT),
    in_the_cloud(&contracts::ERROR_OCCURRED),
    in_the_cloud(&contracts::PRE_MCP_TOOL_CALL),
];
