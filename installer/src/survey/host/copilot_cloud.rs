//! GitHub's cloud agent: `.github/hooks` of the default branch and nothing else, by the vendor's
//! hooks reference. It was not seen live; what Copilot CLI drops of a file is taken to hold here too.

use super::copilot_cli;
use crate::survey::Look;
use crate::survey::fault::{Fault, Wrong};
use crate::survey::handler::Handler;
use crate::survey::source::{HookState, Scope};

pub(super) const HOST: &str = "copilot-cloud";

/// It runs `bash`, and `command` where that is missing.
const LINES: &[&str] = &["bash", "command"];

pub(super) fn read(look: &mut Look) {
    let Some(repository) = look.places.repository.clone() else {
        return;
    };
    let first = look.sources.len();
    let folder = repository.join(".github/hooks");
    copilot_cli::hooks_folder(look, HOST, Scope::Project, &folder);
    for source in &mut look.sources[first..] {
        for hook in &mut source.hooks {
            if matches!(hook.handler, Handler::Shell(_) | Handler::Program { .. }) {
                hook.handler = Handler::of(&hook.entry, None, LINES);
            }
            if hook.handler == Handler::Nothing && hook.state == HookState::Armed {
                let fault = Fault::new(hook.line, Wrong::Nothing("bash"));
                hook.state = HookState::Dropped(fault);
            }
        }
    }
}
