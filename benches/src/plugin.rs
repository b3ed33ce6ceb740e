//! The payloads and the plugins that are dispatched.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fs_err as fs;
use serde_json::{Value, json};

use crate::row::Group;

/// Of every plugin here.
const VERSION: &str = "0.1.0";

const ONE_KIB: usize = 1024;
const TEN_MIB: usize = 10 * 1024 * 1024;
const SIXTY_MIB: usize = 60 * 1024 * 1024;

/// A Bash call of Claude Code in three sizes, made in an empty project folder.
pub(crate) struct Payloads {
    pub(crate) one_kib: Vec<u8>,
    pub(crate) ten_mib: Vec<u8>,
    pub(crate) sixty_mib: Vec<u8>,
}

impl Payloads {
    pub(crate) fn new(out: &Path) -> Result<Self> {
        let project = out.join("project");
        fs::create_dir_all(&project)?;
        Ok(Self {
            one_kib: payload(&project, ONE_KIB)?,
            ten_mib: payload(&project, TEN_MIB)?,
            sixty_mib: payload(&project, SIXTY_MIB)?,
        })
    }

    pub(crate) fn of(&self, group: Group) -> &[u8] {
        match group {
            Group::TenMib => &self.ten_mib,
            Group::SixtyMib => &self.sixty_mib,
            _ => &self.one_kib,
        }
    }
}

/// A payload of exactly so many bytes.
fn payload(project: &Path, bytes: usize) -> Result<Vec<u8>> {
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
    let padding = bytes
        .checked_sub(with_command("").len())
        .context("the path of the output folder is too long for a payload of 1 KiB")?;
    Ok(with_command(&"l".repeat(padding)))
}

/// A plugin of equal gates on PreToolUse.
pub(crate) struct Plugin<'a> {
    name: &'a str,
    matcher: &'a str,
    hook: Option<&'a Path>,
    run: Value,
    hooks: usize,
}

impl<'a> Plugin<'a> {
    pub(crate) fn new(name: &'a str, matcher: &'a str) -> Self {
        Self {
            name,
            matcher,
            hook: None,
            run: Value::Null,
            hooks: 1,
        }
    }

    /// The hook is this program, copied into the plugin.
    pub(crate) fn program(self, program: &'a Path) -> Self {
        Self {
            hook: Some(program),
            run: json!([format!("./hook{EXE_SUFFIX}")]),
            ..self
        }
    }

    /// The hook is this script, copied into the plugin.
    pub(crate) fn script(self, interpreter: &str, script: &'a Path) -> Self {
        Self {
            hook: Some(script),
            run: json!([interpreter, format!("./hook{EXE_SUFFIX}")]),
            ..self
        }
    }

    /// The hook is started by these words, as they are.
    pub(crate) fn run(self, run: Value) -> Self {
        Self { run, ..self }
    }

    pub(crate) fn times(self, hooks: usize) -> Self {
        Self { hooks, ..self }
    }

    /// Writes it below `out` and gives its root.
    pub(crate) fn write(&self, out: &Path) -> Result<PathBuf> {
        let root = out.join("plugins").join(self.name);
        self.write_to(&root)?;
        Ok(root)
    }

    /// Writes it where an installation has it: in the store of the data folder `data`.
    pub(crate) fn install(&self, data: &Path, is_logged: bool) -> Result<()> {
        self.write_to(&data.join("store").join(self.name).join(VERSION))?;
        let receipts = data.join("receipts");
        fs::create_dir_all(&receipts)?;
        let receipt = json!({"state": "installed", "version": VERSION, "log": is_logged});
        fs::write(receipts.join(self.name), receipt.to_string())?;
        Ok(())
    }

    fn write_to(&self, root: &Path) -> Result<()> {
        fs::create_dir_all(root)?;
        if let Some(hook) = self.hook {
            fs::copy(hook, root.join(format!("hook{EXE_SUFFIX}")))?;
        }
        let hooks: Vec<Value> = (0..self.hooks)
            .map(|number| {
                json!({
                    "id": format!("hook-{number}"),
                    "event": "PreToolUse",
                    "matcher": self.matcher,
                    "run": self.run,
                    "mode": "gate",
                })
            })
            .collect();
        let manifest = json!({
            "schema": 1,
            "name": self.name,
            "version": VERSION,
            "description": "Made by the benchmark",
            "hooks": hooks,
        });
        fs::write(root.join("hookkit.json"), format!("{manifest:#}\n"))?;
        Ok(())
    }
}
