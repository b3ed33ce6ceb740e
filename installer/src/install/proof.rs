//! Starts the dispatcher exactly as each host was told to, before an installation counts as done.

use super::compose::OnHost;
use anyhow::{Context as _, Result, bail, ensure};
use hookkit_dispatch::contract::Subject;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::matcher::Matcher;
use hookkit_launchers::Entry;
use serde_json::json;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// A tool that no hook is about.
const NO_TOOL: &str = "HookkitInstallCheck";

/// Every launch line starts, and the plugin behind it is found. No hook is run for it.
pub(crate) fn prove(host: &OnHost) -> Result<()> {
    for entry in &host.installed.registration.entries {
        let said = start(host, entry, Some("--version"), "")?;
        let text = String::from_utf8_lossy(&said.stdout);
        ensure!(
            said.status.success() && text.starts_with("hookkit-dispatch "),
            "{} does not start as {} would start it: {}",
            host.found.host.starts(&host.installed.place),
            host.found.name(),
            String::from_utf8_lossy(&said.stderr).trim()
        );
    }
    if let Some(entry) = undisturbed(host) {
        let call = json!({
            "session_id": "hookkit-install", "hook_event_name": entry.contract.event,
            "tool_name": NO_TOOL, "tool_input": {}, "cwd": "/",
        });
        let said = start(host, entry, None, &call.to_string())?;
        if !said.status.success() || !said.stdout.is_empty() || !said.stderr.is_empty() {
            bail!(
                "the dispatcher does not find the plugin as {} would start it: {}{}",
                host.found.name(),
                String::from_utf8_lossy(&said.stdout),
                String::from_utf8_lossy(&said.stderr).trim()
            );
        }
    }
    Ok(())
}

/// An entry on which a call of [`NO_TOOL`] starts no hook.
fn undisturbed<'h>(host: &'h OnHost) -> Option<&'h Entry> {
    let registration = &host.installed.registration;
    registration.entries.iter().find(|entry| {
        entry.contract.subject == Subject::Tool
            && entry.hook.is_none()
            && passes_by(host.installed.manifest, entry.contract.event)
    })
}

fn passes_by(manifest: &Manifest, event: &str) -> bool {
    let matches = |pattern: &str| Matcher::read(pattern).matches(NO_TOOL).unwrap_or(true);
    manifest
        .hooks
        .iter()
        .filter(|hook| hook.is_on(event))
        .all(|hook| {
            hook.matcher
                .as_deref()
                .is_some_and(|pattern| !matches(pattern))
        })
}

fn start(host: &OnHost, entry: &Entry, more: Option<&str>, stdin: &str) -> Result<Output> {
    let program = host.found.host.starts(&host.installed.place);
    let mut child = Command::new(&program)
        .args(host.installed.registration.args(entry))
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{program} does not start"))?;
    if let Some(mut pipe) = child.stdin.take() {
        // One that ends before it has read everything says why.
        let _ = pipe.write_all(stdin.as_bytes());
    }
    Ok(child.wait_with_output()?)
}
