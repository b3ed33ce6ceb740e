//! What was reported of launch lines on Windows, held against every line of the tree.

use fs_err as fs;
use hookkit_tests::Plugin;
use serde_json::{Value, json};

/// A text that some system runs, and whose system it is.
struct Line {
    key: String,
    text: String,
}

impl Line {
    /// Is it one that Windows runs or starts?
    fn is_for_windows(&self) -> bool {
        !matches!(&*self.key, "linux" | "osx")
    }

    fn is_for_powershell(&self) -> bool {
        self.key == "windows"
    }
}

/// Every launch line of a tree, and every argument of one without a shell.
fn lines() -> Vec<Line> {
    let tree = Plugin::new("demo")
        .sh(
            json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "required": true}),
            ":",
        )
        .sh(json!({"id": "end", "event": ["Stop", "SessionStart"]}), ":")
        .build();
    let mut lines = Vec::new();
    for file in ["hooks/hooks.json", "hooks/copilot.json", "hooks/codex.json"] {
        let text = fs::read(tree.path().join(file)).unwrap();
        collect(&serde_json::from_slice(&text).unwrap(), &mut lines);
    }
    let count = |key: &str| lines.iter().filter(|line| line.key == key).count();
    assert_eq!(
        ["windows", "commandWindows", "exec", "linux", "osx"].map(count),
        [3; 5]
    );
    lines
}

fn collect(value: &Value, lines: &mut Vec<Line>) {
    let Value::Object(members) = value else {
        for item in value.as_array().into_iter().flatten() {
            collect(item, lines);
        }
        return;
    };
    for (key, value) in members {
        let is_line = [
            "command",
            "commandWindows",
            "exec",
            "linux",
            "osx",
            "windows",
        ];
        let texts = match value {
            Value::String(text) if is_line.contains(&key.as_str()) => vec![text.clone()],
            Value::Array(words) if key == "args" => {
                let words = words.iter().filter_map(Value::as_str);
                words.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        lines.extend(texts.into_iter().map(|text| Line {
            key: key.clone(),
            text,
        }));
        collect(value, lines);
    }
}

#[test]
fn hb_laun_02_windows_starts_no_bash() {
    for line in lines().iter().filter(|line| line.is_for_windows()) {
        let words = line.text.split(['/', '\\', '"', ' ']);
        for word in words {
            let name = word.trim_end_matches(".exe");
            assert!(!matches!(name, "bash" | "sh" | "wsl"), "{}", line.text);
        }
    }
}

#[test]
fn hb_laun_03_powershell_is_told_to_run_what_is_quoted() {
    for line in lines().iter().filter(|line| line.is_for_powershell()) {
        assert!(line.text.starts_with("& \"${"), "{}", line.text);
    }
}

#[test]
fn hb_laun_05_no_line_has_an_operator_that_a_shell_lacks() {
    for line in lines() {
        for operator in ["||", "&&", "2>", "|", "`"] {
            assert!(!line.text.contains(operator), "{}", line.text);
        }
    }
}

/// The hosts replace these two themselves; `$LASTEXITCODE` is PowerShell's own.
#[test]
fn hb_laun_06_no_line_needs_a_variable() {
    for line in lines() {
        let rest = line
            .text
            .replace("${CLAUDE_PLUGIN_ROOT}", "")
            .replace("${PLUGIN_ROOT}", "")
            .replace("exit $LASTEXITCODE", "");
        assert!(!rest.contains(['$', '%', '~']), "{}", line.text);
    }
}

#[test]
fn hb_laun_11_no_argument_begins_with_a_slash() {
    for line in lines() {
        let words = line.text.split(' ').skip(1);
        // `cmd /c` is what Codex's line begins with; Git's bash does not run that one.
        let argument = words
            .filter(|word| *word != "/c")
            .find(|word| word.starts_with('/'));
        assert_eq!(argument, None, "{}", line.text);
        assert!(
            line.key != "args" || !line.text.starts_with('/'),
            "{}",
            line.text
        );
    }
}

#[test]
fn hb_laun_15_powershell_passes_the_exit_code_on() {
    for line in lines() {
        if line.is_for_powershell() || line.key == "commandWindows" {
            assert!(line.text.ends_with("; exit $LASTEXITCODE"), "{}", line.text);
        }
    }
}
