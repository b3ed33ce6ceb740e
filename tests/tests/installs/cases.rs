//! Reported faults of other installers, as far as a command shows them. The id of a case is the first
//! part of its test's name; those of a single file are in `edits/cases.rs`.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::{Plugin, program};
use serde_json::{Value, json};

use crate::Home;
use crate::home::gate;
use crate::switches::judged;

fn mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn hb_inst_06_settings_in_a_read_only_store_are_refused_whole() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let store = places.root().join("home/store");
    fs::create_dir(&store).unwrap();
    fs::write(store.join("settings.json"), "{\"theme\":\"dark\"}\n").unwrap();
    symlink("../home/store/settings.json", home.settings()).unwrap();
    mode(&store.join("settings.json"), 0o444);
    mode(&store, 0o555);
    let before = home.snapshot();
    let plugin = gate("1.0.0", "No.", true);
    let ran = home.install(&plugin.path()).run();
    assert!(ran.exited(3) && ran.err().contains("is read-only"));
    assert_eq!(home.snapshot(), before);

    // What is said is what belongs there: put there by whoever makes the file, it is enough.
    let said = ran.err();
    let json = &said[said.find('{').unwrap()..=said.rfind('}').unwrap()];
    let mut settings: Value = serde_json::from_str(json).unwrap();
    settings["theme"] = json!("dark");
    mode(&store, 0o755);
    mode(&store.join("settings.json"), 0o644);
    fs::write(store.join("settings.json"), settings.to_string()).unwrap();
    mode(&store.join("settings.json"), 0o444);
    mode(&store, 0o555);
    let before = home.snapshot();
    home.installs(&plugin);
    judged(&home, &places).assert_denies("No.");
    let told: Vec<_> = home.snapshot().into_iter().collect();
    assert!(before.iter().all(|(name, content)| {
        told.iter()
            .any(|(known, there)| known == name && there == content)
    }));
    // As long as it is told there, the files stay.
    let gone = home.hookkit(["uninstall", "--yes", "gatekeeper"]).run();
    assert!(gone.exited(3) && gone.err().contains("is read-only"));
    judged(&home, &places).assert_denies("No.");
    mode(&store, 0o755);
    mode(&store.join("settings.json"), 0o644);
    home.uninstalls("gatekeeper");
    let text = fs::read_to_string(store.join("settings.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({"theme": "dark"})
    );
}

#[test]
fn hb_inst_08_twenty_installations_at_once_lose_nothing() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let theirs = json!({
        "model": "opus", "permissions": {"deny": ["Read(./.env)"]},
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]},
    });
    fs::write(home.settings(), theirs.to_string()).unwrap();
    let before = home.snapshot();
    let plugins: Vec<(String, Plugin)> = (0..20)
        .map(|number| format!("plugin-{number}"))
        .map(|name| {
            (
                name.clone(),
                gate("1.0.0", "No.", false).with("name", json!(name)),
            )
        })
        .collect();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !is_over.load(Ordering::Relaxed) {
                let text = fs::read(home.settings()).unwrap();
                serde_json::from_slice::<Value>(&text).unwrap();
                reads += 1;
                thread::sleep(std::time::Duration::from_millis(2));
            }
            reads
        });
        let runs: Vec<_> = plugins
            .iter()
            .map(|(_, plugin)| {
                let run = home.install(&plugin.path());
                scope.spawn(move || assert!(run.run().exited(0)))
            })
            .collect();
        for run in runs {
            run.join().unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() > 20);
    });
    let settings: Value = serde_json::from_slice(&fs::read(home.settings()).unwrap()).unwrap();
    assert_eq!(settings["hooks"], theirs["hooks"]);
    for (name, _) in &plugins {
        let id = home.receipt(name)["id"].as_str().unwrap().to_owned();
        assert_eq!(settings["enabledPlugins"][&id], json!(true), "{name}");
    }
    for (name, _) in &plugins {
        home.uninstalls(name);
    }
    assert_eq!(home.snapshot(), before);
}

#[test]
fn hb_inst_11_no_agent_is_left_with_entries_of_what_is_gone() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let copilot = places.root().join("home/copilot");
    fs::create_dir(&copilot).unwrap();
    let before = home.snapshot();
    let run = |command: hookkit_tests::process::Program| {
        assert!(command.env("COPILOT_HOME", &copilot).run().exited(0));
    };
    let plugin = gate("1.0.0", "No.", true);
    run(home
        .hookkit([
            "install",
            "--yes",
            "--host",
            "claude-code",
            "--host",
            "copilot-cli",
        ])
        .arg(plugin.path()));
    assert!(copilot.join("hooks/hookkit-gatekeeper.json").is_file());
    fs::remove_dir_all(home.data("")).unwrap();
    run(home.hookkit(["uninstall", "--yes", "gatekeeper"]));
    // The settings were made by the run that is forgotten.
    let left = fs::read_to_string(home.settings()).map(|text| text.trim().to_owned());
    assert!(left.is_err() || left.unwrap() == "{}");
    let _ = fs::remove_file(home.settings());
    let _ = fs::remove_dir(copilot.join("hooks"));
    assert_eq!(home.snapshot(), before);
}

#[test]
fn hb_inst_12_entries_beside_the_plugin_are_refused_with_their_place() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let entry = |name: &str| {
        json!({"hooks": {"Stop": [{"hooks": [{
            "type": "command", "command": "/elsewhere/bin/hookkit-dispatch",
            "args": ["--host", "claude-code", "--event", "Stop", "--plugin", name],
        }]}]}})
    };
    let plugin = gate("1.0.0", "No.", true);
    for (name, is_refused) in [("gatekeeper", true), ("another", false)] {
        fs::write(home.settings(), entry(name).to_string()).unwrap();
        let ran = home.install(&plugin.path()).run();
        assert_eq!(ran.exited(3), is_refused, "{name}");
        assert_eq!(ran.err().contains("start every hook twice"), is_refused);
        assert_eq!(
            ran.err().contains(home.settings().to_str().unwrap()),
            is_refused
        );
    }
}

#[test]
fn hb_inst_14_what_a_host_reprints_stays_known() {
    for host in ["claude-code", "copilot-cli"] {
        let places = Places::new();
        let home = Home::of(host, &places);
        let theirs = json!({"model": "opus", "enabledPlugins": {"a@b": true}});
        fs::write(home.settings(), theirs.to_string()).unwrap();
        let plugin = gate("1.0.0", "No.", false);
        home.installs(&plugin);
        // Another order and layout, and nothing that a host does not know.
        let text = fs::read(home.settings()).unwrap();
        let there: Value = serde_json::from_slice(&text).unwrap();
        let known = ["extraKnownMarketplaces", "enabledPlugins", "model"];
        let reprinted: serde_json::Map<String, Value> = known
            .iter()
            .map(|key| ((*key).to_owned(), there[*key].clone()))
            .collect();
        let reprinted = serde_json::to_string_pretty(&reprinted).unwrap();
        fs::write(home.settings(), &reprinted).unwrap();
        home.installs(&plugin);
        assert_eq!(fs::read_to_string(home.settings()).unwrap(), reprinted);
        home.uninstalls("gatekeeper");
        let left: Value = serde_json::from_slice(&fs::read(home.settings()).unwrap()).unwrap();
        assert_eq!(left, theirs, "{host}");
    }
}

#[test]
fn hb_inst_15_no_path_of_a_package_manager_is_written() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let cellar = places.root().join("run/brew/Cellar/hk/1.0.0/bin");
    let bin = places.root().join("run/brew/bin");
    fs::create_dir_all(&cellar).unwrap();
    fs::create_dir(&bin).unwrap();
    for (from, name) in [
        (home.program(), "hookkit"),
        (program::dispatcher(), "hookkit-dispatch"),
    ] {
        if fs::hard_link(&from, cellar.join(name)).is_err() {
            fs::copy(&from, cellar.join(name)).unwrap();
        }
    }
    symlink("../Cellar/hk/1.0.0/bin/hookkit", bin.join("hookkit")).unwrap();
    let plugin = gate("1.0.0", "No.", true);
    let ran = places
        .program(bin.join("hookkit"))
        .env("CLAUDE_CONFIG_DIR", places.config())
        .args(["install", "--yes", "--host", "claude-code"])
        .arg(plugin.path())
        .run();
    assert!(ran.exited(0));
    let written = home.snapshot();
    let is_in = |words: &str| {
        written
            .iter()
            .any(|(name, content)| !name.ends_with("hookkit-dispatch") && content.contains(words))
    };
    assert!(!is_in("Cellar") && is_in("gatekeeper"));
    fs::remove_dir_all(places.root().join("run/brew")).unwrap();
    judged(&home, &places).assert_denies("No.");
}

/// Of the same plugin every host gets its own shape, and a clone holds no path of this machine.
#[test]
fn hb_inst_17_18_20_each_host_gets_its_own_shape_in_a_repository() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    let make = |words: &[&str]| {
        let ran = home
            .hookkit([])
            .args(words)
            .arg("--dispatcher")
            .arg(program::dispatcher())
            .arg(plugin.path())
            .run();
        assert!(ran.exited(0));
    };
    make(&["install", "--yes", "--host", "copilot-cloud"]);
    make(&["build", "--out", "tree", "--targets", "linux-x86_64"]);
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(places.project().join(name)).unwrap()).unwrap()
    };
    let cloud = read(".github/hooks/gatekeeper.json");
    for entry in cloud["hooks"].as_object().unwrap().values() {
        let entry = &entry[0];
        assert!(entry["hooks"].is_null(), "flat: {entry}");
        let bash = entry["bash"].as_str().unwrap();
        assert!(bash.starts_with("bash .github/hookkit/gatekeeper/run.sh "));
    }
    assert!(!cloud.to_string().contains(places.root().to_str().unwrap()));
    let nested = read("tree/hooks/hooks.json");
    assert!(nested["hooks"]["PreToolUse"][0]["hooks"][0].is_object());
    let codex = read("tree/hooks/codex.json");
    let mut keys = codex.as_object().unwrap().keys();
    assert!(keys.all(|key| ["description", "hooks"].contains(&key.as_str())));
}
