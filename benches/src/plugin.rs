//! The payload and the plugins that are dispatched.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fs_err as fs;
use serde_json::json;

const PAYLOAD_BYTES: usize = 1024;

/// A Bash call of Claude Code, exactly 1 KiB, made in an empty project folder below `out`.
pub(crate) fn payload(out: &Path) -> Result<Vec<u8>> {
    let project = out.join("project");
    fs::create_dir_all(&project)?;
    let with_command = |command: &str| {
        json!({
            "session_id": "7f0c6a2e-3a55-4a3c-9d7e-2f5f1f0b9c11",
            "transcript_path": project.join("transcript.jsonl"),
            "cwd": project,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": { "command": command, "description": "List the files" },
            "tool_use_id": "toolu_01BENCH",
        })
        .to_string()
        .into_bytes()
    };
    let padding = PAYLOAD_BYTES
        .checked_sub(with_command("").len())
        .context("the path of the output folder is too long for a payload of 1 KiB")?;
    Ok(with_command(&"l".repeat(padding)))
}

/// A plugin of one gate on PreToolUse.
pub(crate) struct Plugin<'a> {
    pub(crate) name: &'a str,
    pub(crate) matcher: &'a str,
    /// The program that is copied into the plugin.
    pub(crate) hook: &'a Path,
}

impl Plugin<'_> {
    /// Writes it below `out` and gives its root.
    pub(crate) fn write(&self, out: &Path) -> Result<PathBuf> {
        let root = out.join("plugins").join(self.name);
        fs::create_dir_all(&root)?;
        fs::copy(self.hook, root.join("hook"))?;
        let manifest = json!({
            "schema": 1,
            "name": self.name,
            "version": "0.1.0",
            "description": "Made by the benchmark",
            "hooks": [{
                "id": "hook",
                "event": "PreToolUse",
                "matcher": self.matcher,
                "run": ["./hook"],
                "mode": "gate",
            }],
        });
        fs::write(root.join("hookkit.json"), format!("{manifest:#}\n"))?;
        Ok(root)
    }
}
