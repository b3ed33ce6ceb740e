//! VS Code: every edition and profile that is there is told of the thin folder, and no plugin twice.

use std::path::PathBuf;

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload};
use serde_json::{Value, json};

use crate::Home;
use crate::home::gate;
use crate::places::SETTINGS;

const FOLDERS: [&str; 6] = [
    ".config/Code/User",
    ".config/Code/User/profiles/-4d1c1a2e",
    ".config/Code - Insiders/User",
    ".config/VSCodium/User",
    ".vscode-server/data/Machine",
    ".config/portable/user-data/User",
];

fn at(places: &Places, folder: &str) -> PathBuf {
    places.root().join("home").join(folder)
}

/// `hookkit`, with words of its own and VS Code in every form.
fn hookkit(places: &Places, words: &[&str], plugin: Option<&Plugin>) -> Ran {
    let home = Home::of("copilot-cli", places);
    let program = home
        .hookkit([])
        .env("VSCODE_PORTABLE", at(places, ".config/portable"))
        .args(words);
    match plugin {
        Some(plugin) => program.arg(plugin.path()).run(),
        None => program.run(),
    }
}

fn installs(places: &Places, words: &[&str], plugin: &Plugin) -> Ran {
    let words = [&["install", "--yes"], words].concat();
    let ran = hookkit(places, &words, Some(plugin));
    assert!(ran.exited(0), "{}", ran.err());
    ran
}

#[test]
fn every_vscode_that_is_there_is_told_and_gets_its_bytes_back() {
    let plugin = gate("1.0.0", "No.", true);
    let mut settings = SETTINGS.into_iter().cycle();
    for host in ["vscode-local", "vscode-copilot", "vscode-local"] {
        let places = Places::new();
        let home = Home::of("copilot-cli", &places);
        for folder in FOLDERS {
            fs::create_dir_all(at(&places, folder)).unwrap();
            let text = settings.next().unwrap();
            fs::write(at(&places, folder).join("settings.json"), text).unwrap();
        }
        let before = home.snapshot();
        let said = installs(&places, &["--host", host], &plugin).out();
        for name in ["vscode-local", "vscode-copilot"] {
            assert!(
                said.contains(&format!("{name:12} runs on PreToolUse (required)")),
                "{said}"
            );
        }
        assert!(said.contains("no test sees it live"), "{said}");
        let location = format!("\"{}\"", home.data("market/gatekeeper").display());
        for folder in FOLDERS {
            let text = fs::read_to_string(at(&places, folder).join("settings.json")).unwrap();
            assert!(
                text.contains("\"chat.pluginLocations\""),
                "{folder}: {text}"
            );
            assert!(text.contains(&location), "{folder}: {text}");
        }
        assert!(hookkit(&places, &["uninstall", "--yes", "gatekeeper"], None).exited(0));
        assert_eq!(home.snapshot(), before);
    }
}

/// Where none is there, nothing is claimed for it; named, it is told where it would begin.
#[test]
fn nothing_is_claimed_for_vscode_without_it() {
    let plugin = gate("1.0.0", "No.", true);
    let places = Places::new();
    let said = installs(&places, &[], &plugin).out();
    assert!(
        said.contains("copilot-cli") && !said.contains("vscode"),
        "{said}"
    );
    let home = Home::of("copilot-cli", &places);
    let before = home.snapshot();
    installs(&places, &["--host", "vscode-local"], &plugin);
    assert!(at(&places, FOLDERS[0]).join("settings.json").is_file());
    assert_ne!(home.snapshot(), before);
    home.uninstalls("gatekeeper");
    assert!(!at(&places, ".config/Code").exists());
}

/// The lines of the thin folder are those that VS Code runs: its own harness by the shell.
#[test]
fn what_vscode_reads_refuses() {
    let places = Places::new();
    fs::create_dir_all(at(&places, FOLDERS[0])).unwrap();
    installs(
        &places,
        &["--host", "vscode-local"],
        &gate("1.0.0", "No.", true),
    );
    let home = Home::of("copilot-cli", &places);
    let thin = home.data("market/gatekeeper");
    let bytes = fs::read(thin.join("hooks/hooks.json")).unwrap();
    let hooks: Value = serde_json::from_slice(&bytes).unwrap();
    let line = hooks["hooks"]["PreToolUse"][0]["hooks"][0]["linux"]
        .as_str()
        .unwrap()
        .replace("${CLAUDE_PLUGIN_ROOT}", thin.to_str().unwrap());
    let mut call =
        payload::claude::pre_tool_use("run_in_terminal", json!({"command": "touch forbidden"}));
    call["timestamp"] = json!("2026-11-30T12:00:00.000Z");
    let ran = Program::new("sh").args(["-c", &line]).stdin(call).run();
    assert!(
        ran.out().contains("\"deny\"") && ran.out().contains("No."),
        "{}",
        ran.out()
    );
}

/// The harness of Copilot in VS Code reads the thin folder, and the hooks of the user's as Copilot CLI
/// does: they stand in one of the two.
#[test]
fn the_copilot_harness_in_vscode_is_told_once() {
    for (is_required, hosts, in_folder) in [
        (true, &["vscode-copilot"][..], true),
        (true, &["copilot-cli", "vscode-copilot"], false),
        (false, &["copilot-cli", "vscode-copilot"], true),
    ] {
        let places = Places::new();
        fs::create_dir_all(at(&places, FOLDERS[0])).unwrap();
        let words: Vec<&str> = hosts.iter().flat_map(|host| ["--host", host]).collect();
        installs(&places, &words, &gate("1.0.0", "No.", is_required));
        let home = Home::of("copilot-cli", &places);
        let bytes = fs::read(home.data("market/gatekeeper/hooks/copilot.json")).unwrap();
        let hooks: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(
            !hooks["hooks"].as_object().unwrap().is_empty(),
            in_folder,
            "{hosts:?}"
        );
        let of_user = places.config().join("hooks/hookkit-gatekeeper.json");
        let is_told_by_user = is_required && hosts.contains(&"copilot-cli");
        assert_eq!(of_user.exists(), is_told_by_user, "{hosts:?}");
        home.uninstalls("gatekeeper");
    }
}

/// The same plugin from another folder would fire a second time.
#[test]
fn another_folder_with_the_plugin_is_refused_or_replaced() {
    let places = Places::new();
    let plugin = gate("1.0.0", "No.", true);
    fs::create_dir_all(at(&places, FOLDERS[0])).unwrap();
    let file = at(&places, FOLDERS[0]).join("settings.json");
    let other = json!({"chat.pluginLocations": {plugin.path().to_str().unwrap(): true}});
    let text = format!("// mine\n{other:#}\n");
    fs::write(&file, &text).unwrap();
    let home = Home::of("copilot-cli", &places);
    let before = home.snapshot();
    let words = ["install", "--yes", "--host", "vscode-local"];
    let ran = hookkit(&places, &words, Some(&plugin));
    assert!(
        ran.exited(3) && ran.err().contains("--replace"),
        "{}",
        ran.err()
    );
    assert_eq!(home.snapshot(), before);
    installs(&places, &["--host", "vscode-local", "--replace"], &plugin);
    let told = fs::read_to_string(&file).unwrap();
    let off = format!("\"{}\": false", plugin.path().display());
    assert!(told.contains(&off), "{told}");
    home.uninstalls("gatekeeper");
    assert_eq!(home.snapshot(), before);
    // One that holds something else is nobody's business.
    let theirs = gate("1.0.0", "No.", true).with("name", json!("theirs"));
    fs::write(
        &file,
        text.replace(
            plugin.path().to_str().unwrap(),
            theirs.path().to_str().unwrap(),
        ),
    )
    .unwrap();
    installs(&places, &["--host", "vscode-local"], &plugin);
}

/// The entry is known by itself where the data folder is lost.
#[test]
fn our_location_is_known_without_a_data_folder() {
    let places = Places::new();
    fs::create_dir_all(at(&places, FOLDERS[0])).unwrap();
    let file = at(&places, FOLDERS[0]).join("settings.json");
    let theirs =
        "{\n  \"chat.pluginLocations\": {\n    \"/their/market/gatekeeper\": true\n  }\n}\n";
    fs::write(&file, theirs).unwrap();
    installs(
        &places,
        &["--host", "vscode-local"],
        &gate("1.0.0", "No.", true),
    );
    let home = Home::of("copilot-cli", &places);
    fs::remove_dir_all(home.data("")).unwrap();
    home.uninstalls("gatekeeper");
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
}
