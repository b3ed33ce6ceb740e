//! The lines that hosts are told, run as a host runs them: from another folder, with the plugin's root put in.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload, program};
use serde_json::{Value, json};

const PLACEHOLDERS: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}", "${PLUGIN_ROOT}"];

/// A tree in a folder with a blank in its name, and somewhere else to stand.
struct Bench {
    folder: Folder,
}

impl Bench {
    fn new() -> Self {
        let entry = json!({"id": "gate", "event": "PreToolUse", "required": true});
        let tree = Plugin::new("demo")
            .sh(entry, "echo refused >&2; exit 2")
            .build();
        let folder = Folder::new("launch");
        fs::create_dir(folder.join("elsewhere")).unwrap();
        let copied = Program::new("cp")
            .arg("-R")
            .arg(tree.path())
            .arg(folder.join("a tree"))
            .run();
        assert!(copied.exited(0));
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.join("a tree")
    }

    fn entry(&self, file: &str, pointer: &str) -> Value {
        let text = fs::read(self.root().join(file)).unwrap();
        let file: Value = serde_json::from_slice(&text).unwrap();
        file.pointer(pointer).unwrap().clone()
    }

    fn claudes(&self) -> Value {
        self.entry("hooks/hooks.json", "/hooks/PreToolUse/0/hooks/0")
    }

    fn copilots(&self) -> Value {
        self.entry("hooks/copilot.json", "/hooks/PreToolUse/0")
    }

    /// Starts the program of an entry without a shell.
    fn exec(&self, entry: &Value, key: &str) -> Ran {
        let root = self.root();
        let file = PLACEHOLDERS
            .iter()
            .fold(entry[key].as_str().unwrap().to_owned(), |file, name| {
                file.replace(name, root.to_str().unwrap())
            });
        let arguments = entry["args"].as_array().unwrap();
        self.start(Program::new(file).args(arguments.iter().map(|word| word.as_str().unwrap())))
    }

    /// Has a shell run a line, with the root in the environment.
    fn shell(&self, shell: &[&str], line: &str) -> Ran {
        let (name, before) = shell.split_first().unwrap();
        self.start(Program::new(*name).args(before).args(["-c", line]))
    }

    fn start(&self, program: Program) -> Ran {
        program
            .env("CLAUDE_PLUGIN_ROOT", self.root())
            .env("PLUGIN_ROOT", self.root())
            .cwd(self.folder.join("elsewhere"))
            .stdin(payload::claude::pre_tool_use(
                "Bash",
                json!({"command": "ls"}),
            ))
            .run()
    }
}

/// Shells that hosts and machines have. `sh` is one of them everywhere.
fn shells() -> Vec<Vec<&'static str>> {
    [
        vec!["sh"],
        vec!["dash"],
        vec!["bash"],
        vec!["bash", "--posix"],
        vec!["busybox", "sh"],
        vec!["zsh"],
    ]
    .into_iter()
    .filter(|shell| program::found(shell[0]).is_some())
    .collect()
}

#[test]
fn the_lines_start_the_dispatcher_from_any_folder_and_a_bare_path_does_not() {
    let bench = Bench::new();
    bench
        .exec(&bench.claudes(), "command")
        .assert_denies("refused");
    bench
        .exec(&bench.copilots(), "exec")
        .assert_denies("refused");
    for shell in shells() {
        for key in ["linux", "osx"] {
            let line = bench.claudes()[key].as_str().unwrap().to_owned();
            bench.shell(&shell, &line).assert_denies("refused");
            let bare = line.replace("${CLAUDE_PLUGIN_ROOT}/", "");
            let ran = bench.shell(&shell, &bare);
            assert!(ran.exited(127), "{shell:?} finds no `{bare}`");
            assert_eq!(ran.out(), "");
        }
    }
}

#[test]
fn a_line_whose_dispatcher_is_gone_names_the_missing_path() {
    let bench = Bench::new();
    let line = bench.claudes()["linux"].as_str().unwrap().to_owned();
    let dispatcher = bench.root().join("dispatch/hookkit-dispatch");
    fs::remove_file(&dispatcher).unwrap();
    for shell in shells() {
        let ran = bench.shell(&shell, &line);
        assert!(ran.exited(127), "{shell:?}");
        assert!(
            ran.err().contains(dispatcher.to_str().unwrap()),
            "{shell:?}: {}",
            ran.err()
        );
    }
}

/// A line that checks first can go wrong in silence.
#[test]
fn no_line_decides_anything() {
    let bench = Bench::new();
    let claude = bench.claudes();
    let after_the_program = |line: &str| {
        let (program, rest) = line.rsplit_once("hookkit-dispatch").unwrap();
        assert!(!program.contains([';', '|', '[', '(']), "{line}");
        rest.trim_start_matches(".exe").to_owned()
    };
    for key in ["linux", "osx"] {
        let line = claude[key].as_str().unwrap();
        assert!(
            line.starts_with("\"${CLAUDE_PLUGIN_ROOT}/dispatch/"),
            "{line}"
        );
        let rest = after_the_program(line);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" -_.\"".contains(&byte);
        assert!(rest.bytes().all(is_plain), "{line}");
    }
    // PowerShell hands on the exit code only when it is told to.
    let windows = claude["windows"].as_str().unwrap();
    assert!(
        windows.starts_with("& \"${CLAUDE_PLUGIN_ROOT}/dispatch/"),
        "{windows}"
    );
    assert!(after_the_program(windows).ends_with("; exit $LASTEXITCODE"));
    assert_eq!(windows.matches(';').count(), 1);
    let copilot = bench.copilots();
    for key in ["bash", "powershell", "command", "linux", "windows"] {
        assert!(copilot[key].is_null(), "no shell takes part");
    }
}

/// The tree is all that is needed: no file of this repository, no home, no variable but the search path.
#[test]
fn a_tree_needs_nothing_but_itself() {
    let bench = Bench::new();
    let own = bench.root().join("dispatch/hookkit-dispatch");
    let ran = Program::new(&own)
        .args(["--host", "claude-code", "--event", "PreToolUse"])
        .cwd(bench.folder.join("elsewhere"))
        .stdin(payload::claude::pre_tool_use(
            "Bash",
            json!({"command": "ls"}),
        ))
        .run();
    ran.assert_denies("refused");
    let repository = program::repository();
    for file in ["hooks/hooks.json", "hooks/copilot.json", "hookkit.json"] {
        let text = fs::read_to_string(bench.root().join(file)).unwrap();
        assert!(!names(&text, &repository) && !names(&text, &bench.root()));
    }
}

fn names(text: &str, folder: &Path) -> bool {
    text.contains(folder.to_str().unwrap())
}
