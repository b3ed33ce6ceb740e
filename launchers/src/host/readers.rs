//! Hosts that read what another one is told, so that nothing is written for them. None of them was
//! seen live.

use super::{Launch, VsCode, copilot_cli};
use crate::repository::Repository;
use crate::{File, Registration};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};

/// All of them, in the order of the documentation.
pub(super) const READERS: &[&dyn Launch] = &[
    &Reader {
        host: host::COPILOT_CLOUD,
        told: &Repository,
        caveats: &[
            "it reads no plugin but what `hookkit install --scope project` wrote on the default branch",
            "nobody can be asked: ask becomes a refusal",
        ],
        switches: &["it can change the very files that are read"],
    },
    &VSCODE_COPILOT,
    &VsCode,
];

/// The Copilot harness in VS Code.
pub(super) static VSCODE_COPILOT: Reader = Reader {
    host: host::VSCODE_COPILOT,
    told: &copilot_cli::CopilotCli,
    caveats: &[
        "a plugin that VS Code itself converts fires six events at most and has 30 s; whatever \
         fails there is swallowed, exit 2 included, so without the dispatcher every call passes",
    ],
    switches: &[],
};

/// A host, and whose registration it reads.
pub(super) struct Reader {
    host: &'static dyn Host,
    told: &'static dyn Launch,
    caveats: &'static [&'static str],
    switches: &'static [&'static str],
}

impl Launch for Reader {
    fn host(&self) -> &'static dyn Host {
        self.host
    }

    fn named(&self) -> &'static str {
        self.told.named()
    }

    fn registration_file(&self, plugin: &str) -> String {
        self.told.registration_file(plugin)
    }

    fn told_as(&self) -> Option<&'static dyn Launch> {
        Some(self.told)
    }

    fn longest_timeout(&self, contract: &Contract) -> Option<u32> {
        self.told.longest_timeout(contract)
    }

    fn matcher(&self, contract: &Contract, hooks: &[&Hook]) -> Option<String> {
        self.told.matcher(contract, hooks)
    }

    fn tree(&self, _: &Manifest, _: &Registration) -> Vec<File> {
        Vec::new()
    }

    fn seen_on(&self) -> Option<&'static str> {
        None
    }

    fn caveats(&self) -> &'static [&'static str] {
        self.caveats
    }

    fn switches(&self) -> &'static [&'static str] {
        self.switches
    }
}
