//! The home and the project of one person, as doctor finds them.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use serde_json::{Value, json};

/// `home/`, `project/` and `run/`, which is on the PATH.
pub(crate) struct Scene {
    pub(crate) places: Places,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self {
            places: Places::new(),
        }
    }

    /// A scene with these files, `@ROOT` in them replaced by its folder.
    pub(crate) fn with(files: &[(&str, String)]) -> Self {
        let scene = Self::new();
        for (path, content) in files {
            scene.file(path, content);
        }
        scene
    }

    pub(crate) fn root(&self) -> &Path {
        self.places.root()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file; what begins with `#!` is executable, and `!` before a path keeps it from that.
    pub(crate) fn file(&self, path: &str, content: &str) {
        let (path, is_kept_plain) = match path.strip_prefix('!') {
            Some(path) => (path, true),
            None => (path, false),
        };
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let content = content.replace("@ROOT", &self.root().display().to_string());
        let is_program = content.trim_start_matches('\u{feff}').starts_with("#!");
        fs::write(&path, content).unwrap();
        if is_program && !is_kept_plain {
            fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// `hookkit` in the project.
    pub(crate) fn hookkit<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Program {
        self.places.program(program::hookkit()).args(words)
    }

    /// The document of `hookkit doctor`.
    pub(crate) fn document(&self) -> Value {
        let ran = self.hookkit(["doctor", "--json"]).run();
        assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.err());
        let document: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(document["schema"], 1);
        let has_errors = document["errors"] != 0;
        assert_eq!(
            ran.code == Some(1),
            has_errors,
            "the exit code says whether there are errors"
        );
        document
    }

    pub(crate) fn findings(&self) -> Vec<Value> {
        self.document()["findings"].as_array().unwrap().clone()
    }

    /// The findings of one code.
    pub(crate) fn of(&self, code: &str) -> Vec<Value> {
        let mut findings = self.findings();
        findings.retain(|finding| finding["code"] == code);
        findings
    }

    /// Every file of home and project, with its bytes and mode.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let mut found = BTreeMap::new();
        collect(self.root(), &mut found);
        found
    }
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let about = fs::symlink_metadata(&path).unwrap();
        if about.is_dir() {
            found.insert(path.clone(), (about.permissions().mode(), Vec::new()));
            collect(&path, found);
        } else if about.is_file() {
            let bytes = fs::read(&path).unwrap_or_default();
            found.insert(path, (about.permissions().mode(), bytes));
        }
    }
}

/// The same scene with a fault and without it.
pub(crate) struct Case {
    pub(crate) code: &'static str,
    pub(crate) with: Vec<(&'static str, String)>,
    pub(crate) without: Vec<(&'static str, String)>,
}

impl Case {
    pub(crate) fn new<const N: usize, const M: usize>(
        code: &'static str,
        with: [(&'static str, String); N],
        without: [(&'static str, String); M],
    ) -> Self {
        Self {
            code,
            with: with.into(),
            without: without.into(),
        }
    }

    pub(crate) fn check(&self) {
        let Self {
            code,
            with,
            without,
        } = self;
        let scene = Scene::with(with);
        let findings = scene.findings();
        let found = findings.iter().find(|finding| finding["code"] == *code);
        let found =
            found.unwrap_or_else(|| panic!("{code} is not found in {with:?}: {findings:#?}"));
        for key in ["what", "fix", "severity"] {
            assert!(
                found[key].as_str().is_some_and(|text| !text.is_empty()),
                "{code} {key}"
            );
        }
        let file = found["file"].as_str();
        assert!(
            file.is_some_and(|file| file.starts_with('/')),
            "{code} has a place"
        );
        let scene = Scene::with(without);
        let findings = scene.findings();
        let found = findings.iter().find(|finding| finding["code"] == *code);
        assert!(
            found.is_none(),
            "{code} is found in {without:?}: {found:#?}"
        );
    }
}

/// Settings of Claude Code with one hook.
pub(crate) fn claude(event: &str, command: &str) -> String {
    claude_entry(event, json!({"type": "command", "command": command}))
}

#[expect(clippy::needless_pass_by_value, reason = "callers make it in place")]
pub(crate) fn claude_entry(event: &str, entry: Value) -> String {
    json!({"hooks": {event: [{"hooks": [entry]}]}}).to_string()
}

/// Settings of Claude Code with one hook on PreToolUse behind a matcher.
pub(crate) fn matched(matcher: &str) -> String {
    let entry = json!({"type": "command", "command": "true"});
    json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [entry]}]}}).to_string()
}

/// A hooks file of Copilot CLI with one entry.
#[expect(clippy::needless_pass_by_value, reason = "callers make it in place")]
pub(crate) fn copilot(event: &str, entry: Value) -> String {
    json!({"version": 1, "hooks": {event: [entry]}}).to_string()
}

/// Trust of Copilot CLI in the project.
pub(crate) fn trusted() -> (&'static str, String) {
    (
        "home/.copilot/config.json",
        json!({"trustedFolders": ["@ROOT/project"]}).to_string(),
    )
}

pub(crate) const CLAUDE: &str = "home/.claude/settings.json";
pub(crate) const COPILOT: &str = "home/.copilot/hooks/a.json";
pub(crate) const CODEX: &str = "home/.codex/hooks.json";

/// A plugin in a folder marketplace of Claude Code, with these hooks.
pub(crate) fn plugin(hooks: &Value) -> Vec<(&'static str, String)> {
    let settings = json!({
        "extraKnownMarketplaces": {"tools": {"source": {"source": "directory", "path": "@ROOT/tools"}}},
        "enabledPlugins": {"guard@tools": true},
    });
    let market = json!({
        "name": "tools", "owner": {"name": "a"},
        "plugins": [{"name": "guard", "source": "./guard"}],
    });
    vec![
        (CLAUDE, settings.to_string()),
        ("home/.copilot/settings.json", settings.to_string()),
        ("tools/.claude-plugin/marketplace.json", market.to_string()),
        (
            "tools/guard/.claude-plugin/plugin.json",
            json!({"name": "guard", "version": "1.0.0"}).to_string(),
        ),
        ("tools/guard/hooks/hooks.json", hooks.to_string()),
    ]
}
