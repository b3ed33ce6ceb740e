//! Which host speaks: the command line names it, or the payload's shape gives it away.

use super::{Host, by_name};
use crate::env::Env;
use crate::payload::Fields;

/// The host of this event, and whether the registration may be read by others as well.
#[derive(Clone, Copy)]
pub struct Chosen {
    pub host: &'static dyn Host,
    /// The registration names no host: several may read the file it stands in.
    pub shared: bool,
}

/// Chooses the host: the one that the registration names, else by what only one of them sends.
///
/// `None` only for a name that this build does not know.
pub fn choose(named: Option<&str>, fields: Option<&Fields>, env: &Env) -> Option<Chosen> {
    match named {
        Some(name) if name != "auto" => Some(Chosen {
            host: by_name(name)?,
            shared: false,
        }),
        _ => Some(Chosen {
            host: by_name(detect(fields, env))?,
            shared: true,
        }),
    }
}

/// Copilot stamps every payload with a time; Claude Code never does. Without a payload the
/// variable that only Copilot CLI sets is all there is.
fn detect(fields: Option<&Fields>, env: &Env) -> &'static str {
    let by_payload = fields.map(|fields| {
        ["timestamp", "sessionId", "toolName"]
            .iter()
            .any(|mark| fields.get(mark).is_some())
    });
    if by_payload.unwrap_or_else(|| env.get("COPILOT_CLI").is_some()) {
        "copilot-cli"
    } else {
        "claude-code"
    }
}
