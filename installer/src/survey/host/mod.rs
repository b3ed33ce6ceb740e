//! Each host: where it looks, in which order, and what it drops.

mod claude_code;
mod codex;
mod copilot_cli;
mod copilot_cloud;
mod market;
mod vscode;

use super::Look;

/// A host, and how its sources are read.
pub(super) struct Reader {
    pub(super) host: &'static str,
    pub(super) read: fn(&mut Look),
}

/// Every host, in the order of the documentation.
pub(super) const ALL: &[Reader] = &[
    Reader {
        host: claude_code::HOST,
        read: claude_code::read,
    },
    Reader {
        host: copilot_cli::HOST,
        read: copilot_cli::read,
    },
    Reader {
        host: copilot_cloud::HOST,
        read: copilot_cloud::read,
    },
    Reader {
        host: vscode::COPILOT,
        read: vscode::read_copilot,
    },
    Reader {
        host: vscode::LOCAL,
        read: vscode::read_local,
    },
    Reader {
        host: codex::HOST,
        read: codex::read,
    },
];
