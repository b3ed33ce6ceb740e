//! The hooks of `examples/guard-rails`, each row a real process with a payload on stdin: what must
//! be refused, and beside it a close neighbour that must pass.
//!
//! Unix only: the fixtures hold links and the payloads POSIX paths.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

#[path = "guard_rails/tables.rs"]
mod tables;

use std::fmt::{self, Display};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;

use tables::{
    AHEAD, DETACHED, EDITS, FEATURE, MAIN, ODD_FOR_GATES, ODD_FOR_ONE, PACKED, PAGERS, PLAIN,
    PUSHES, REWRITES, SECRET_COMMANDS, SECRET_TOOLS, SETTINGS_COMMANDS, SETTINGS_TOOLS, TRACKING,
};

const FORCE_PUSH: &str = "no_force_push.py";
const SECRETS: &str = "secrets_files.py";
const SETTINGS: &str = "agent_settings.mjs";
const NO_PAGER: &str = "git_no_pager.mjs";
const EDIT_NOTE: &str = "edit_note.sh";
const STOP: &str = "tests_before_stop.py";

/// What a hook has to say; each text is a part of what is said, except that a rewrite is whole.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Silent,
    Deny(&'static str),
    /// Exit 2: the gate does not understand its input.
    Refuse(&'static str),
    Rewrite(&'static str),
    Context(&'static str),
    Block(&'static str),
}
use Expected::{Block, Context, Deny, Refuse, Rewrite, Silent};

#[test]
fn each_hook_says_what_its_table_promises() {
    let bench = Bench::new();
    let rows = rows(&bench);
    assert!(rows.len() >= 120, "only {} rows", rows.len());

    let next = AtomicUsize::new(0);
    let work = || {
        let mut faults = Vec::new();
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(fault) = bench.check(row) {
                faults.push(format!("{row}\n    {fault}"));
            }
        }
        faults
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let workers = [
            scope.spawn(work),
            scope.spawn(work),
            scope.spawn(work),
            scope.spawn(work),
        ];
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(
        faults.is_empty(),
        "{} of {} rows failed:\n{}",
        faults.len(),
        rows.len(),
        faults.join("\n")
    );
}

struct Row {
    hook: &'static str,
    payload: Vec<u8>,
    expected: Expected,
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = &self.payload[..self.payload.len().min(300)];
        write!(
            f,
            "{} {} expected {:?}",
            self.hook,
            String::from_utf8_lossy(start),
            self.expected
        )
    }
}

fn rows(bench: &Bench) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |hook, payload: &Value, expected| {
        rows.push(Row {
            hook,
            payload: payload.to_string().into_bytes(),
            expected,
        });
    };
    for (hook, table) in [
        (FORCE_PUSH, PUSHES),
        (FORCE_PUSH, REWRITES),
        (SECRETS, SECRET_COMMANDS),
        (SETTINGS, SETTINGS_COMMANDS),
        (NO_PAGER, PAGERS),
    ] {
        for &(folder, command, expected) in table {
            let input = json!({"command": command, "description": "kept"});
            add(
                hook,
                &bench.call("PreToolUse", folder, "Bash", &input),
                expected,
            );
        }
    }
    for (hook, table) in [(SECRETS, SECRET_TOOLS), (SETTINGS, SETTINGS_TOOLS)] {
        for &(tool, field, value, expected) in table {
            let input =
                json!({field: bench.filled(value), "content": "cat .env > .claude/settings.json"});
            add(
                hook,
                &bench.call("PreToolUse", PLAIN, tool, &input),
                expected,
            );
        }
    }
    for &(path, expected) in EDITS {
        let input =
            json!({"content": "{\"file_path\":\"go.sum\"}", "file_path": bench.filled(path)});
        add(
            EDIT_NOTE,
            &bench.call("PostToolUse", PLAIN, "Write", &input),
            expected,
        );
    }
    let stop =
        |folder, active: Value| json!({"cwd": bench.folder(folder), "stop_hook_active": active});
    add(STOP, &stop("code", json!(false)), Block("run the tests"));
    add(
        STOP,
        &stop("code/deep", json!(false)),
        Block("run the tests"),
    );
    add(STOP, &stop("code", json!(true)), Silent);
    add(STOP, &stop("code", json!("false")), Silent);
    add(STOP, &stop(PLAIN, json!(false)), Silent);
    add(STOP, &stop("missing", json!(false)), Silent);
    add(STOP, &json!({}), Silent);
    odd_payloads(&mut rows);
    rows
}

/// What no host should send, and what a hook must not fall over.
fn odd_payloads(rows: &mut Vec<Row>) {
    let mut add = |hook, payload: &[u8], expected| {
        rows.push(Row {
            hook,
            payload: payload.to_vec(),
            expected,
        });
    };
    let gates = [FORCE_PUSH, SECRETS, SETTINGS];
    for hook in gates {
        for &(payload, expected) in ODD_FOR_GATES {
            add(hook, payload, expected);
        }
    }
    for &(hook, payload, expected) in ODD_FOR_ONE {
        add(hook, payload, expected);
    }

    let long = |text: &str| format!(r#"{{"tool_input":{{"command":"{text}"}}}}"#).into_bytes();
    for hook in gates {
        add(hook, &long(&"a ".repeat(100_000)), Silent);
        add(hook, &long(&"/a".repeat(500_000)), Silent);
        add(
            hook,
            &long(&"git $(".repeat(1_000)),
            Deny("nested substitutions"),
        );
    }
    add(FORCE_PUSH, &long(&"a ".repeat(1_500_000)), Silent);
    add(NO_PAGER, &long(&"$(".repeat(1_000)), Silent);
}

/// Interpreters and fixture folders.
struct Bench {
    python: PathBuf,
    node: PathBuf,
    sh: PathBuf,
    root: TempDir,
}

impl Bench {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        lay_out(root.path());
        Self {
            // Asked for their own paths: a version manager's shim needs an environment, they do not.
            python: interpreter("python3", &["-c", "import sys; print(sys.executable)"]),
            node: interpreter("node", &["-p", "process.execPath"]),
            sh: interpreter("sh", &["-c", "command -v sh"]),
            root,
        }
    }

    fn folder(&self, name: &str) -> String {
        self.root.path().join(name).display().to_string()
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{plain}", &self.folder(PLAIN))
            .replace("{plugin}", &self.folder("installed"))
    }

    fn call(&self, event: &str, folder: &str, tool: &str, input: &Value) -> Value {
        json!({
            "session_id": "s", "cwd": self.folder(folder), "hook_event_name": event,
            "tool_name": tool, "tool_input": input,
        })
    }

    fn check(&self, row: &Row) -> Result<(), String> {
        let output = self.run(row);
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let said = format!("{}, stdout {stdout:?}, stderr {stderr:?}", output.status);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let specific = &answer["hookSpecificOutput"];
        let holds =
            |value: &Value, part: &str| value.as_str().is_some_and(|text| text.contains(part));
        let event = &specific["hookEventName"];
        let as_expected = match row.expected {
            Silent => stdout.is_empty(),
            Deny(part) => {
                event == "PreToolUse"
                    && specific["permissionDecision"] == "deny"
                    && holds(&specific["permissionDecisionReason"], part)
            }
            Refuse(part) => stdout.is_empty() && stderr.contains(part),
            Rewrite(command) => {
                *specific
                    == json!({
                        "hookEventName": "PreToolUse",
                        "updatedInput": {"command": command, "description": "kept"},
                    })
            }
            Context(part) => event == "PostToolUse" && holds(&specific["additionalContext"], part),
            Block(part) => answer["decision"] == "block" && holds(&answer["reason"], part),
        };
        let refuses = matches!(row.expected, Refuse(_));
        let clean_end = output.status.code() == Some(if refuses { 2 } else { 0 })
            && (refuses || stderr.is_empty());
        if as_expected && clean_end {
            Ok(())
        } else {
            Err(said)
        }
    }

    fn run(&self, row: &Row) -> Output {
        let interpreter = match row.hook.rsplit_once('.') {
            Some((_, "py")) => &self.python,
            Some((_, "mjs")) => &self.node,
            _ => &self.sh,
        };
        let mut child = Command::new(interpreter)
            .arg(plugin().join("hooks").join(row.hook))
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", self.folder("home"))
            .env("HOOKKIT_PLUGIN_ROOT", self.folder("installed"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(self.root.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|fault| panic!("{} did not start: {fault}", interpreter.display()));
        // No hook here answers before it has read everything, so writing first cannot block.
        child.stdin.take().unwrap().write_all(&row.payload).unwrap();
        child.wait_with_output().unwrap()
    }
}

fn plugin() -> &'static Path {
    Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/guard-rails"
    ))
}

fn interpreter(program: &str, prints_its_path: &[&str]) -> PathBuf {
    let output = Command::new(program)
        .args(prints_its_path)
        .output()
        .unwrap_or_else(|fault| {
            panic!("{program} is missing, the hooks of guard-rails need it: {fault}")
        });
    assert!(
        output.status.success(),
        "{program} is on PATH but does not work: {output:?}"
    );
    PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
}

/// Repositories are written by hand: the hooks only read these files, and no git is needed.
fn lay_out(root: &Path) {
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let (old, new) = ("1".repeat(40), "2".repeat(40));
    for folder in [FEATURE, MAIN, AHEAD, TRACKING, DETACHED, PACKED] {
        write(&format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n");
        write(
            &format!("{folder}/.git/config"),
            "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = x\n",
        );
        if folder != PACKED {
            write(
                &format!("{folder}/.git/refs/heads/main"),
                &format!("{old}\n"),
            );
            write(
                &format!("{folder}/.git/refs/remotes/origin/main"),
                &format!("{old}\n"),
            );
        }
    }
    write(
        "packed/.git/packed-refs",
        &format!(
            "# pack-refs with: peeled fully-peeled sorted\n{old} refs/heads/main\n{old} refs/remotes/origin/main\n"
        ),
    );
    write("ahead/.git/refs/heads/main", &format!("{new}\n"));
    write("feature/.git/HEAD", "ref: refs/heads/feature/x\n");
    write("tracking/.git/HEAD", "ref: refs/heads/feature/x\n");
    write(
        "tracking/.git/config",
        "[branch \"other\"]\n\tmerge = refs/heads/other\n[branch \"feature/x\"]\n\tremote = origin\n\tmerge = refs/heads/main\n",
    );
    write("detached/.git/HEAD", &format!("{old}\n"));
    write(
        "worktree/.git",
        "gitdir: ../feature/.git/worktrees/worktree\n",
    );
    write(
        "feature/.git/worktrees/worktree/HEAD",
        "ref: refs/heads/main\n",
    );
    write("feature/.git/worktrees/worktree/commondir", "../..\n");
    write("new/.git/HEAD", "ref: refs/heads/master\n");

    write("code/Cargo.toml", "");
    write("code/deep/x.rs", "");
    write("plain/.git", "not a repository\n"); // also keeps the search from leaving the fixture
    write("plain/.env", "KEY=1\n");
    write("plain/written.rs", "//! By hand.\n");
    write(
        "plain/generated.rs",
        "// Code generated by x. DO NOT EDIT.\n",
    );
    write("plain/.claude/settings.json", "{}\n");
    for (link, target) in [
        ("innocent-link", ".env"),
        ("settings-link", ".claude/settings.json"),
        ("honest-link", "written.rs"),
    ] {
        std::os::unix::fs::symlink(target, root.join(PLAIN).join(link)).unwrap();
    }
    for folder in ["home", "installed"] {
        fs::create_dir(root.join(folder)).unwrap();
    }
}
