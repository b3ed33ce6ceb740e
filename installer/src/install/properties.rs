//! What hosts are told, in settings of any layout, and taken out again: 500 documents for each host
//! and kind of plugin, 10,000 with `HOOKKIT_LONG=1`.

#[path = "../../../tests/tests/properties/configs.rs"]
mod configs;
#[path = "../../../tests/tests/properties/json.rs"]
mod json;
#[path = "../../../tests/tests/properties/settings.rs"]
mod settings;

use super::data::digits;
use super::machine::Found;
use super::receipt::Entered;
use super::{known, settings as file, told};
use crate::edit::Change;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::install::{self, Install, Installed, Place, Scope, Stored};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::path::Path;

const DATA: &str = "/home/me/.local/share/hookkit";

fn manifest(required: bool) -> String {
    format!(
        r#"{{"schema": 1, "name": "guard", "version": "1.0.0", "hooks": [
            {{"id": "gate", "event": "PreToolUse", "run": ["hooks/gate"], "required": {required}}}
        ]}}"#
    )
}

/// The bytes of a file that changes as a plan says; none where it goes.
fn put(change: &Change) {
    match change.after() {
        Some(after) => {
            fs::create_dir_all(change.file().parent().unwrap()).unwrap();
            fs::write(change.file(), after).unwrap();
        }
        None => {
            let _ = fs::remove_file(change.file());
        }
    }
}

fn read(file: &Path) -> Option<Vec<u8>> {
    fs::read(file).ok()
}

/// Tells a host, and takes it out by the receipt: the same bytes, whatever they were. Without a
/// receipt nothing of ours stays either. Returns whether the settings could be edited.
fn hold(found: &Found, plugin: &Installed, document: &[u8]) -> bool {
    let settings = found.settings();
    fs::write(&settings, document).unwrap();
    let Ok(edited) = told::tell(found, plugin, &[], &[], &[], &[]) else {
        assert_eq!(read(&settings).as_deref(), Some(document));
        return false;
    };
    let mut entered = Vec::new();
    for edit in &edited {
        put(&edit.change);
        entered.extend(edit.entered.clone());
    }
    let is_changed = |change: &Change| change.before() != change.after();
    assert!(edited.iter().any(|edit| is_changed(&edit.change)));
    // A second time there is nothing to tell.
    let again = told::tell(found, plugin, &[], &entered, &[], &[]).unwrap();
    assert!(!again.iter().any(|edit| is_changed(&edit.change)));

    let kept = serde_json::to_vec(&entered).unwrap();
    let kept: Vec<Entered> = serde_json::from_slice(&kept).unwrap();
    let installed = read(&settings);
    for entered in &kept {
        put(&told::take_out(entered, "guard").unwrap());
    }
    assert_eq!(read(&settings).as_deref(), Some(document));
    assert!(!found.folder.join("hooks/hookkit-guard.json").exists());

    fs::write(&settings, installed.unwrap()).unwrap();
    // Told in a file of its own, a plugin does not ask what the settings are.
    if file::open(&settings).is_ok() {
        for change in known::take_out(found, &plugin.place, &[]).unwrap() {
            put(&change);
        }
        let left = file::open(&settings).unwrap();
        let [marketplace, id] = [plugin.place.marketplace(), plugin.place.id()];
        let is_left = |at: &[&str]| left.value(at).is_some();
        for marketplaces in ["extraKnownMarketplaces", "marketplaces"] {
            assert!(!is_left(&[marketplaces, &marketplace]));
        }
        for plugins in ["enabledPlugins", "plugins"] {
            assert!(!is_left(&[plugins, &id]));
        }
        assert!(!is_left(&[install::LOCATIONS, &plugin.place.thin()]));
    }
    true
}

fn hold_for(host: &'static dyn Install, documents: impl Strategy<Value = Vec<u8>>) {
    let is_long = Env::of_process()
        .get("HOOKKIT_LONG")
        .is_some_and(|value| value == "1");
    let config = Config {
        cases: if is_long { 10_000 } else { 500 },
        failure_persistence: None,
        ..Config::default()
    };
    for required in [false, true] {
        let text = manifest(required);
        let manifest = Manifest::read(&text).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let found = Found {
            host,
            folder: folder.path().to_owned(),
            further: Vec::new(),
            program: None,
            version: None,
        };
        let place = Place::new(DATA, &digits(DATA), "guard");
        let plugin = Installed::of(&manifest, place, Scope::User, Stored::default(), host);
        let edited = Cell::new(0);
        let tried = TestRunner::new(config.clone()).run(&documents, |document| {
            let is_edited = hold(&found, &plugin, &document);
            edited.set(edited.get() + u32::from(is_edited));
            Ok(())
        });
        if let Err(counterexample) = tried {
            panic!("required: {required}: {counterexample}");
        }
        assert!(edited.get() > config.cases / 2, "most can be edited");
    }
}

#[test]
fn what_claude_code_is_told_is_taken_out_byte_for_byte() {
    hold_for(
        install::by_name("claude-code").unwrap(),
        settings::settings(),
    );
}

#[test]
fn what_copilot_cli_is_told_is_taken_out_byte_for_byte() {
    hold_for(
        install::by_name("copilot-cli").unwrap(),
        settings::settings(),
    );
}

#[test]
fn what_codex_is_told_is_taken_out_byte_for_byte() {
    hold_for(install::by_name("codex").unwrap(), configs::config());
}

#[test]
fn what_vscode_is_told_is_taken_out_byte_for_byte() {
    hold_for(
        install::by_name("vscode-local").unwrap(),
        settings::settings(),
    );
}
