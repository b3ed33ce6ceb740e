//! Peers, measured where they are given.

use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;
use serde_json::{Value, json};

use super::{LAUNCHER, LAUNCHERS_GUARD, PEER, PEER_FILE, Parts};
use crate::plugin::Plugin;
use crate::row::{Group, Row, Start};

pub(super) fn rows(parts: &Parts) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    if let Some(program) = &parts.options.peer {
        rows.extend(adapter(parts, program)?);
    }
    if let Some(plugin) = &parts.options.ai_agents {
        rows.extend(launcher(parts, plugin)?);
    }
    Ok(rows)
}

/// The nearest peer: agent-harness-adapter 0.2.2, which also runs hooks in Claude Code's form on
/// other hosts.
fn adapter(parts: &Parts, program: &Path) -> Result<[Row; 2]> {
    let hook = parts.program("hook_none");
    let hooks_file = parts.out.join("peer-hooks.json");
    let entry = json!({"type": "command", "command": hook});
    let hooks = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [entry]}]}});
    fs::write(&hooks_file, format!("{hooks:#}\n"))?;
    let one_hook = Start::new(program, &["hook", "claude", "pre-tool", "--"]).and(&hook);
    let from_file = Start::new(program, &["hook", "--hooks"])
        .and(&hooks_file)
        .and("claude")
        .and("pre-tool");
    Ok([(PEER, one_hook), (PEER_FILE, from_file)]
        .map(|(name, start)| Row::new(name, start).among(Group::Others)))
}

/// The first launcher string in the plugin folder of ai-agents as Claude Code starts it, and the
/// guard that it runs in the end, run by hookkit where it stands.
fn launcher(parts: &Parts, plugin: &Path) -> Result<[Row; 2]> {
    let read = |name: &str| -> Result<Value> {
        let file = plugin.join("hooks").join(name);
        Ok(serde_json::from_slice(&fs::read(file)?)?)
    };
    let hooks = read("hooks.json")?;
    let command = hooks
        .pointer("/hooks/PreToolUse/0/hooks/0/command")
        .and_then(Value::as_str)
        .context("hooks.json has no command on PreToolUse")?;
    let group = command
        .split_once("--group ")
        .and_then(|(_, after)| after.split([';', ' ']).next())
        .context("the command names no group")?;
    let guard = read("dispatch_groups.json")?
        .pointer(&format!("/groups/{group}/shims/0/file"))
        .and_then(Value::as_str)
        .map(|file| plugin.join("hooks").join(file))
        .with_context(|| format!("dispatch_groups.json has no file of the group {group}"))?;
    let theirs = Start::new("/bin/sh", &["-c", command]).with("CLAUDE_PLUGIN_ROOT", plugin);
    let same_guard =
        Plugin::new("bench-launchers-guard", "Bash").run(json!(["python", "-I", "-u", guard]));
    let ours = parts.dispatch(&same_guard.write(parts.out)?);
    Ok([(LAUNCHER, theirs), (LAUNCHERS_GUARD, ours)]
        .map(|(name, start)| Row::new(name, start).among(Group::Interpreted)))
}
