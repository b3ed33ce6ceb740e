//! The line for Codex CLI in a POSIX shell, which may get it as well.

use hookkit_tests::payload;
use hookkit_tests::process::Program;
use serde_json::json;

use crate::Written;

/// `cmd` is a word there for whoever starts what follows `/c`.
#[test]
fn sh_runs_the_same_line() {
    let written = Written::new();
    let root = written.tree.path();
    let run = |event: &str| {
        let line = written.line("hooks/codex.json", event, "commandWindows");
        let line = line.replace("${PLUGIN_ROOT}", root.to_str().unwrap());
        Program::new("sh")
            .arg("-c")
            .arg(format!("cmd() {{ shift; \"$@\"; }}; {line}"))
            .stdin(payload::claude::pre_tool_use(
                "Bash",
                json!({"command": "ls"}),
            ))
            .run()
    };
    run("PreToolUse").assert_denies("is missing");
}
