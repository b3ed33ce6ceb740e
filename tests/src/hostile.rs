//! A repository that wants its own code to run: files and variables that interpreters and tools believe.

use std::path::PathBuf;

use fs_err as fs;
use serde_json::{Value, json};

use crate::process::Program;
use crate::{Plugin, Ran, payload, program};

/// A plugin with one hook, and a project with files of its own that write the file `$MARK` when they run.
#[derive(Debug)]
#[must_use]
pub struct Hostile {
    plugin: Plugin,
    alone: Value,
}

impl Hostile {
    /// The hook's `run`, in which `./hook` is its script.
    pub fn new(run: Value, script: &str) -> Self {
        let hook = json!({"id": "guard", "event": "PreToolUse", "run": run, "timeout": 60});
        Self {
            plugin: Plugin::new("demo").file("hook", script, 0o755).hook(hook),
            alone: run,
        }
    }

    /// Another file of the plugin, which `run` names with `./`.
    pub fn script(mut self, name: &str, script: &str) -> Self {
        self.plugin = self.plugin.file(name, script, 0o755);
        self
    }

    /// A file of the project. `PROJECT` in it is the project's folder.
    pub fn file(self, name: &str, content: &str) -> Self {
        let file = self.plugin.project().join(name);
        fs::create_dir_all(file.parent().expect("a file lies in a folder")).unwrap();
        fs::write(&file, self.text(content)).unwrap();
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        self
    }

    /// What the control starts, where that is not the hook as it stands.
    pub fn control(mut self, words: Value) -> Self {
        self.alone = words;
        self
    }

    /// Code of the project runs when these variables are set and the control is started in the project, and does not
    /// when hookkit runs the hook.
    pub fn assert_kept_out(&self, variables: &[(&str, &str)]) {
        let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        call["cwd"] = json!(self.plugin.project());
        let by_hookkit = self.plugin.dispatch(["--host", "claude-code"]).stdin(call);
        let words: Vec<PathBuf> = self.words();
        let alone = Program::new(&words[0])
            .args(&words[1..])
            .cwd(self.plugin.project());
        let (_, control) = self.marks(alone, variables);
        assert!(control, "the control: {variables:?}");
        let (ran, hostile) = self.marks(by_hookkit, variables);
        assert!(!hostile, "{variables:?}");
        assert_eq!(ran.decision(), "", "the hook itself runs: {variables:?}");
    }

    fn marks(&self, program: Program, variables: &[(&str, &str)]) -> (Ran, bool) {
        let mark = self.plugin.project().join("MARK");
        let program = variables.iter().fold(program, |program, (name, value)| {
            program.env(name, self.text(value))
        });
        let ran = program
            .env("MARK", &mark)
            .env("HOME", self.plugin.project().with_file_name("home"))
            .run();
        assert!(!ran.timed_out);
        // Gone again for the next; it never was where nothing ran.
        (ran, fs::remove_file(&mark).is_ok())
    }

    fn words(&self) -> Vec<PathBuf> {
        let words = self.alone.as_array().expect("`run` is a list");
        let found = |word: &str| program::found(if word == "python" { "python3" } else { word });
        words
            .iter()
            .map(|word| word.as_str().expect("of texts"))
            .enumerate()
            .map(|(index, word)| match word.strip_prefix("./") {
                Some(file) => self.plugin.path().join(file),
                None if index == 0 => found(word).unwrap_or_else(|| word.into()),
                None => self.text(word).into(),
            })
            .collect()
    }

    fn text(&self, text: &str) -> String {
        let project = self.plugin.project();
        text.replace("PROJECT", project.to_str().expect("a path is text"))
    }
}
