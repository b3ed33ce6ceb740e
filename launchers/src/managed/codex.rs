//! What Codex is told where it is managed: a fragment for its one `requirements.toml`.

use super::System;
use crate::{Registration, host, shell};
use hookkit_dispatch::manifest::Manifest;
use std::fmt::Write as _;

/// None where no hook is on an event of Codex.
pub(super) fn fragment(manifest: &Manifest, system: System) -> Option<String> {
    let registration = Registration::of(manifest, host::by_name("codex")?);
    if registration.entries.is_empty() {
        return None;
    }
    let plugin = &registration.plugin;
    let program = system.dispatcher(plugin);
    let file = system.absolute(system.codex());
    let around = system.folder(plugin);
    let around = around
        .strip_suffix(&format!("/{plugin}"))
        .unwrap_or(&around);
    let directory = match system {
        System::Linux | System::Macos => "managed_dir",
        System::Windows => "windows_managed_dir",
    };
    let mut text = format!(
        "# hookkit plugin {plugin} {version}: belongs into {file}.\n\
         # Codex reads one such file. Tables that it has already are not written twice: add the lines.\n\
         [features]\nhooks = true\n\n[hooks]\n{directory} = '{}'\n",
        system.absolute(around),
        version = manifest.version,
    );
    for entry in &registration.entries {
        let args = registration.args(entry);
        let (key, line) = match system {
            System::Linux | System::Macos => ("command", format!("{program} {}", args.join(" "))),
            System::Windows => ("command_windows", shell::windows_line(&program, &args)),
        };
        // Writing to a text does not fail.
        let _ = write!(text, "\n[[hooks.{}]]\n", entry.contract.event);
        if let Some(matcher) = &entry.matcher {
            let _ = writeln!(text, "matcher = '{matcher}'");
        }
        let _ = write!(
            text,
            "[[hooks.{}.hooks]]\ntype = \"command\"\n",
            entry.contract.event
        );
        if key != "command" {
            let _ = writeln!(text, "command = '{line}'");
        }
        let _ = writeln!(text, "{key} = '{line}'\ntimeout = {}", entry.timeout);
    }
    Some(text)
}
