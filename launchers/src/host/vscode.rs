//! VS Code: its own harness, Local, reads Claude Code's files of a plugin; the Copilot harness in it
//! reads Copilot's.
//!
//! By the source of microsoft/vscode (`agentPluginServiceImpl.ts`, `chat.contribution.ts`,
//! `pluginParsers.ts`), nobody has seen it live:
//! - a folder with `.claude-plugin/plugin.json` is a plugin in Claude's format; the root is put into
//!   its commands, with quotes where it needs them
//! - `chat.pluginLocations` names folders of plugins, each `true` or `false`. It is the machine's: a
//!   workspace cannot set it, and each profile has its own
//! - a folder on this machine is handed to the Copilot harness, which loads it as Copilot CLI does
//! - plugins of Copilot's folder marketplaces are not found

use super::{ClaudeCode, CopilotCli, Launch};
use crate::install::{At, Install, Installed, LOCATIONS, Place, Says, Told, Traces, UserFolder};
use crate::{File, Registration};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::{self, Host};
use hookkit_dispatch::manifest::{Hook, Manifest};
use serde_json::json;

/// The host of the name `vscode-local`, and the way by which `vscode-copilot` is told too.
pub(crate) struct VsCode;

impl Launch for VsCode {
    fn host(&self) -> &'static dyn Host {
        host::VSCODE_LOCAL
    }

    fn named(&self) -> &'static str {
        ClaudeCode.named()
    }

    fn registration_file(&self, plugin: &str) -> String {
        ClaudeCode.registration_file(plugin)
    }

    fn told_as(&self) -> Option<&'static dyn Launch> {
        Some(&ClaudeCode)
    }

    fn longest_timeout(&self, contract: &Contract) -> Option<u32> {
        ClaudeCode.longest_timeout(contract)
    }

    fn matcher(&self, _: &Contract, _: &[&Hook]) -> Option<String> {
        None
    }

    fn tree(&self, _: &Manifest, _: &Registration) -> Vec<File> {
        Vec::new()
    }

    fn seen_on(&self) -> Option<&'static str> {
        None
    }

    fn caveats(&self) -> &'static [&'static str] {
        &[
            "it ignores matchers: the dispatcher is started for every tool, and hookkit selects",
            "a tool that hookkit does not know is shown to hooks on Bash, Write and Edit",
        ]
    }

    fn switches(&self) -> &'static [&'static str] {
        &[]
    }
}

impl Install for VsCode {
    fn also(&self) -> Option<&'static dyn Launch> {
        Some(&super::readers::VSCODE_COPILOT)
    }

    fn user_folder(&self) -> UserFolder {
        UserFolder::Editors
    }

    fn program(&self) -> &'static str {
        "code"
    }

    fn package(&self) -> Option<&'static str> {
        None
    }

    /// What both harnesses read. Where Copilot CLI is told in a file of its own, which the harness in
    /// VS Code reads as well, it gives another `hooks/copilot.json` here, without hooks.
    fn thin(&self, plugin: &Installed) -> Vec<File> {
        let as_other = |host: &'static dyn Install| {
            let (place, stored) = (plugin.place.clone(), plugin.stored.clone());
            Installed::of(plugin.manifest, place, plugin.scope, stored, host)
        };
        let mut files = ClaudeCode.thin(&as_other(&ClaudeCode));
        files.extend(CopilotCli::plugin(&as_other(&CopilotCli)));
        files
    }

    fn told(&self, plugin: &Installed) -> Vec<Told> {
        let at = vec![LOCATIONS.to_owned(), plugin.place.thin()];
        vec![Told {
            file: At::User(self.settings().to_owned()),
            says: Says::Members(vec![(at, json!(true))]),
        }]
    }

    fn settings_of_repository(&self) -> &'static [&'static str] {
        &[]
    }

    fn local_settings(&self) -> Option<&'static str> {
        None
    }

    fn reads_hooks_of_repository(&self) -> bool {
        true
    }

    fn traces(&self, _: &Place) -> Traces {
        Traces::default()
    }

    fn starts(&self, place: &Place) -> String {
        ClaudeCode.starts(place)
    }

    fn remains(&self, _: &Installed) -> &'static [&'static str] {
        &[
            "`chat.useHooks` or `chat.plugins.enabled` in its .vscode/settings.json, in a trusted workspace",
        ]
    }
}
