//! The hosts under test, and what they send.

use hookkit_tests::fixture;
use serde_json::Value;

pub(crate) struct Host {
    pub(crate) name: &'static str,
}

const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
    },
    Host {
        name: "copilot-cli",
    },
    Host {
        name: "copilot-cloud",
    },
    Host {
        name: "vscode-copilot",
    },
    Host {
        name: "vscode-local",
    },
    Host { name: "codex" },
];

/// The host of a name.
pub(crate) fn named(name: &str) -> &'static Host {
    let host = HOSTS.iter().find(|host| host.name == name);
    host.unwrap_or_else(|| panic!("no host {name}"))
}

impl Host {
    /// What it sends on an event that is registered under `name`.
    pub(crate) fn payload(&self, name: &str) -> Value {
        let host = hookkit_dispatch::host::by_name(self.name);
        fixture::named(host.expect("a host of the dispatcher"), name).whole()
    }
}
