//! A plugin in the repository that it guards, for everybody who works on it: the tree in
//! `.github/hookkit/NAME`, what Copilot is told in `.github/hooks/NAME.json`, what Claude Code is told
//! in `.claude/settings.json`.
//!
//! All of it is tracked, and a clone has no receipt on its machine. So what was written, and what
//! gives `.claude/settings.json` back, stands in `.github/hookkit/NAME.json` beside the tree.

mod installation;
mod proof;
mod record;
mod removal;
mod repository;
mod settings;

pub(crate) use installation::{Prepared, Told, Wanted};
pub(crate) use proof::prove;
pub(crate) use record::Record;
pub(crate) use removal::Removal;
pub(crate) use repository::{Place, Repository};

/// The hosts that read what lies in a repository, and what each is told by.
pub(crate) const HOSTS: [&str; 3] = [CLAUDE_CODE, COPILOT_CLI, COPILOT_CLOUD];
pub(crate) const CLAUDE_CODE: &str = "claude-code";
pub(crate) const COPILOT_CLI: &str = "copilot-cli";
pub(crate) const COPILOT_CLOUD: &str = "copilot-cloud";
