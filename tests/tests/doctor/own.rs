//! hookkit's own installation: found broken, mended by `--fix`, and clean afterwards.

use fs_err as fs;
use hookkit_tests::{Plugin, Ran, program};
use serde_json::{Value, json};

use crate::Scene;
use crate::scene::CLAUDE;

/// A home in which a plugin is installed for Claude Code and Copilot CLI.
struct Installed {
    scene: Scene,
    plugin: Plugin,
}

impl Installed {
    fn new() -> Self {
        let entry = json!({"id": "no", "event": "PreToolUse", "matcher": "Bash"});
        Self::of(Plugin::new("guard").sh(entry, "exit 2\n"))
    }

    fn of(plugin: Plugin) -> Self {
        Self::in_scene(Scene::new(), plugin)
    }

    /// The same beside what else is in the scene.
    fn in_scene(scene: Scene, plugin: Plugin) -> Self {
        scene.file(CLAUDE, "{\n  \"model\": \"x\"\n}\n");
        scene.file("home/.copilot/settings.json", "{}\n");
        let installed = Self { scene, plugin };
        let ran = installed.run(&[
            "install",
            "--yes",
            &installed.plugin.path().display().to_string(),
        ]);
        assert!(ran.exited(0), "{}", ran.err());
        installed
    }

    fn run(&self, words: &[&str]) -> Ran {
        let file = program::hookkit_beside_dispatcher(&self.scene.root().join("run"));
        self.scene.places.program(file).args(words).run()
    }

    fn data(&self, path: &str) -> std::path::PathBuf {
        self.scene.path("data/hookkit").join(path)
    }

    fn own(&self) -> Vec<String> {
        let document = self.run(&["doctor", "--json"]).json();
        let findings = document["findings"].as_array().unwrap();
        let codes = findings
            .iter()
            .map(|finding| finding["code"].as_str().unwrap());
        codes
            .filter(|code| code.starts_with("HK9") || code.starts_with("HK2"))
            .map(str::to_owned)
            .collect()
    }

    /// A fault is found, mended, and gone.
    fn shows(&self, code: &str) {
        let found = self.own();
        assert!(
            found.iter().any(|found| found == code),
            "{code} is not among {found:?}"
        );
        let fixed = self.run(&["doctor", "--fix"]);
        assert!(
            fixed.out().contains("Mending:"),
            "{code}: {}{}",
            fixed.out(),
            fixed.err()
        );
        assert_eq!(self.own(), Vec::<String>::new(), "after mending {code}");
        let before = self.scene.snapshot();
        let again = self.run(&["doctor", "--fix"]);
        assert!(
            !again.out().contains("Mending:"),
            "{code}: a second run has nothing to do"
        );
        assert!(before == self.scene.snapshot());
    }
}

#[test]
fn a_sound_installation_is_clean() {
    let installed = Installed::new();
    assert_eq!(installed.own(), Vec::<String>::new());
    let strict = installed.run(&["doctor", "--strict"]);
    assert!(strict.exited(0), "{}", strict.out());
    let before = installed.scene.snapshot();
    let ran = installed.run(&["doctor", "--fix"]);
    assert!(
        ran.out().contains("nothing of hookkit's own"),
        "{}",
        ran.out()
    );
    assert!(before == installed.scene.snapshot());
}

#[test]
fn what_is_broken_is_found_and_mended() {
    let installed = Installed::new();
    fs::remove_file(installed.data("bin/hookkit-dispatch")).unwrap();
    installed.shows("HK906");
    fs::write(installed.data("bin/hookkit-dispatch"), "cut short").unwrap();
    installed.shows("HK207");
    fs::remove_dir_all(installed.data("market/guard")).unwrap();
    installed.shows("HK904");
    let settings = fs::read_to_string(installed.scene.path(CLAUDE)).unwrap();
    let mut told: Value = serde_json::from_str(&settings).unwrap();
    told["enabledPlugins"] = json!({});
    fs::write(installed.scene.path(CLAUDE), told.to_string()).unwrap();
    installed.shows("HK902");
    let text = fs::read_to_string(installed.scene.path(CLAUDE)).unwrap();
    assert!(text.contains("\"model\""), "what is not ours stays");
}

/// Codex loads a copy in its own folder, which is looked at without starting Codex.
#[test]
fn a_copy_of_codexs_that_is_not_what_is_installed_is_found_and_mended() {
    let scene = Scene::new();
    scene.file("home/.codex/config.toml", "model = \"x\"\n");
    let entry = json!({"id": "no", "event": "PreToolUse", "matcher": "Bash"});
    let plugin = Plugin::new("guard").sh(entry, "exit 2\n");
    let installed = Installed::in_scene(scene, plugin);
    assert_eq!(installed.own(), Vec::<String>::new());

    let markets = installed.scene.path("home/.codex/plugins/cache");
    let market = fs::read_dir(markets).unwrap().next().unwrap().unwrap();
    let copy = market.path().join("guard/local");
    let said = |words: &str| {
        let document = installed.run(&["doctor", "--json"]).json();
        let mut found = document["findings"].as_array().unwrap().clone();
        found.retain(|finding| finding["code"] == "HK909");
        assert_eq!(found.len(), 1, "one for the copy: {found:#?}");
        assert_eq!(found[0]["host"], "codex");
        let what = found[0]["what"].as_str().unwrap();
        assert!(what.contains(words), "{what}");
    };
    let hooks = copy.join("hooks/codex.json");
    let text = fs::read_to_string(&hooks).unwrap();
    fs::write(&hooks, text.replace("0.1.0", "0.0.9")).unwrap();
    said("guard is not version 0.1.0: codex.json differs");
    installed.shows("HK909");
    assert_eq!(fs::read_to_string(&hooks).unwrap(), text);
    fs::remove_file(copy.join("content.sha256")).unwrap();
    said(": content.sha256 is missing");
    installed.shows("HK909");
    fs::remove_dir_all(&copy).unwrap();
    said("plugin.json is missing, codex.json is missing, content.sha256 is missing");
    installed.shows("HK909");

    let settings = installed.scene.path("home/.codex/config.toml");
    let told = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, "model = \"x\"\n").unwrap();
    installed.shows("HK902");
    assert_eq!(fs::read_to_string(&settings).unwrap(), told);
}

#[test]
fn what_an_uninstallation_left_is_found_and_taken_away() {
    let installed = Installed::new();
    fs::remove_dir_all(installed.data("")).unwrap();
    installed.shows("HK903");
    let text = fs::read_to_string(installed.scene.path(CLAUDE)).unwrap();
    assert!(
        !text.contains("hookkit") && text.contains("model"),
        "{text}"
    );
}

#[test]
fn lost_files_and_receipts_are_said() {
    let installed = Installed::new();
    let receipt = fs::read(installed.data("receipts/guard")).unwrap();
    fs::write(installed.data("receipts/guard"), "{").unwrap();
    assert!(installed.own().contains(&"HK901".to_owned()));
    fs::write(installed.data("receipts/guard"), receipt).unwrap();
    assert!(!installed.own().contains(&"HK901".to_owned()));
    fs::remove_dir_all(installed.data("store")).unwrap();
    assert!(installed.own().contains(&"HK905".to_owned()));
}

#[test]
fn a_plugin_that_wants_a_newer_dispatcher_is_said() {
    let installed = Installed::new();
    assert!(!installed.own().contains(&"HK208".to_owned()));
    let file = installed.data("store/guard/0.1.0/hookkit.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    manifest["dispatch"] = json!(">=99.0.0");
    fs::write(&file, manifest.to_string()).unwrap();
    assert!(installed.own().contains(&"HK208".to_owned()));
}

#[test]
fn a_hook_that_is_switched_off_is_said() {
    let installed = Installed::new();
    assert!(!installed.own().contains(&"HK908".to_owned()));
    assert!(
        installed
            .run(&["disable", "guard", "no", "--yes"])
            .exited(0)
    );
    assert!(installed.own().contains(&"HK908".to_owned()));
    assert!(installed.run(&["enable", "guard", "--yes"]).exited(0));
    assert!(!installed.own().contains(&"HK908".to_owned()));
}

#[test]
fn a_data_folder_in_a_repository_is_said() {
    let installed = Installed::new();
    assert!(!installed.own().contains(&"HK907".to_owned()));
    fs::create_dir(installed.data(".git")).unwrap();
    assert!(installed.own().contains(&"HK907".to_owned()));
}

#[test]
fn a_program_that_is_older_than_a_plugin_needs_is_found() {
    let needs = |version: &str| {
        let plugin = Plugin::new("guard")
            .with("needs", json!({"python": version}))
            .python(json!({"id": "no", "event": "Stop"}), "");
        let scene = Scene::new();
        scene.file("home/.claude/settings.json", "{}\n");
        scene.file("py/python3.11", "#!/bin/sh\necho Python 3.11.2\n");
        std::os::unix::fs::symlink("python3.11", scene.path("py/python3")).unwrap();
        let file = program::hookkit_beside_dispatcher(&scene.root().join("run"));
        let path = format!("{}:/usr/bin:/bin", scene.path("py").display());
        let run = |words: &[&str]| {
            scene
                .places
                .program(&file)
                .env("PATH", &path)
                .args(words)
                .run()
        };
        let ran = run(&["install", "--yes", &plugin.path().display().to_string()]);
        assert!(ran.exited(0), "{}", ran.err());
        let document = run(&["doctor", "--json"]).json();
        let findings = document["findings"].as_array().unwrap();
        findings.iter().any(|finding| finding["code"] == "HK304")
    };
    assert!(needs(">=3.12"));
    assert!(!needs(">=3.9"));
}

/// What `--probe` says of a plugin.
fn probed(installed: &Installed, name: &str) -> Vec<String> {
    let document = installed.run(&["doctor", "--json", "--probe", name]).json();
    let findings = document["findings"].as_array().unwrap();
    let found = findings.iter().filter(|one| one["code"] == "HK821");
    found.map(|one| one["what"].to_string()).collect()
}

#[test]
fn a_plugin_is_tried_out() {
    assert_eq!(
        probed(&Installed::new(), "guard"),
        [""; 0],
        "a refusal is no failure"
    );
    let entry = json!({"id": "no", "event": "PreToolUse", "matcher": "Bash"});
    let broken = Installed::of(Plugin::new("guard").sh(entry, "no-such-program\n"));
    let before = broken.scene.snapshot();
    let found = probed(&broken, "guard");
    assert!(found.iter().any(|what| what.contains("127")), "{found:?}");
    let unknown = broken.run(&["doctor", "--probe", "nobody"]);
    assert!(unknown.exited(2), "{}", unknown.out());
    assert!(before == broken.scene.snapshot());
    let quiet = broken.run(&["doctor", "--json"]).out();
    assert!(
        !quiet.contains("HK821"),
        "nothing is tried unasked: {quiet}"
    );
}
