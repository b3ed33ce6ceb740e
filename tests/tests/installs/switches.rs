//! `update`, `disable` and `enable`.

use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload};
use serde_json::json;

use crate::Home;
use crate::home::gate;

/// A forbidden call, as Claude Code would have it judged.
pub(crate) fn judged(home: &Home, places: &Places) -> Ran {
    let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "touch forbidden"}));
    call["cwd"] = json!(places.project());
    Program::new(home.data("market/gatekeeper/dispatch/hookkit-dispatch"))
        .args([
            "--host",
            "claude-code",
            "--event",
            "PreToolUse",
            "--plugin",
            "gatekeeper",
        ])
        .stdin(call)
        .run()
}

fn written(plugin: &Plugin, next: &Plugin) {
    for file in ["hookkit.json", "hooks/no-markers.sh"] {
        fs_err::copy(next.path().join(file), plugin.path().join(file)).unwrap();
    }
}

#[test]
fn an_update_comes_from_where_the_plugin_came_from() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    home.installs(&plugin);
    let settings = fs_err::read(home.settings()).unwrap();
    judged(&home, &places).assert_denies("No.");
    written(&plugin, &gate("1.1.0", "Never.", true));
    assert!(
        home.hookkit(["update", "gatekeeper", "--yes"])
            .run()
            .exited(0)
    );
    judged(&home, &places).assert_denies("Never.");
    assert!(
        home.data("store/gatekeeper/1.0.0").is_dir(),
        "the version before stays"
    );
    assert_eq!(fs_err::read(home.settings()).unwrap(), settings);

    written(&plugin, &gate("1.0.9", "Once.", true));
    let older = home.hookkit(["update", "--yes"]).run();
    assert!(older.exited(3) && older.err().contains("is older; say --allow-downgrade"));
    judged(&home, &places).assert_denies("Never.");
    assert!(
        home.hookkit(["update", "--yes", "--allow-downgrade"])
            .run()
            .exited(0)
    );
    judged(&home, &places).assert_denies("Once.");
}

/// Programs get one document of all plugins, also where one of them cannot be updated.
#[test]
fn an_update_of_all_plugins_is_one_document() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugins = ["gatekeeper", "second", "third"]
        .map(|name| gate("1.0.0", "No.", false).with("name", json!(name)));
    for plugin in &plugins {
        home.installs(plugin);
    }
    let next = gate("2.0.0", "Never.", false);
    written(&plugins[0], &next);
    fs_err::remove_dir_all(plugins[1].path()).unwrap();
    let run = |word| home.hookkit(["update", "--json", word]).run();
    for (word, is_done) in [("--dry-run", false), ("--yes", true)] {
        let ran = run(word);
        assert!(ran.exited(3) && ran.err().contains("which is gone"));
        let told = ran.json();
        assert_eq!(told["schema"], 1);
        let plugins = told["plugins"].as_array().unwrap();
        let brief: Vec<_> = plugins
            .iter()
            .map(|plugin| (plugin["plugin"].as_str().unwrap(), &plugin["done"]))
            .collect();
        let (done, not_done) = (json!(is_done), json!(false));
        assert_eq!(
            brief,
            [
                ("gatekeeper", &done),
                ("second", &not_done),
                ("third", &done)
            ]
        );
        assert!(plugins[1]["refused"].as_str().unwrap().contains("is gone"));
        let version = if is_done { "2.0.0" } else { "1.0.0" };
        assert_eq!(home.receipt("gatekeeper")["version"], version);
    }
}

/// Every command that changes the data folder leaves the dispatcher there as new as its own.
#[test]
fn every_command_renews_the_dispatcher() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugins =
        ["gatekeeper", "second"].map(|name| gate("1.0.0", "No.", true).with("name", json!(name)));
    for plugin in &plugins {
        home.installs(plugin);
    }
    let bin = home.data("bin/hookkit-dispatch");
    let fresh = fs_err::read(&bin).unwrap();
    let old = "#!/bin/sh\necho hookkit-dispatch 0.0.1\n";
    let newer = "#!/bin/sh\necho hookkit-dispatch 99.0.0\n";
    let commands: [&[&str]; 4] = [
        &["disable", "gatekeeper"],
        &["enable", "gatekeeper"],
        &["update"],
        &["uninstall", "second"],
    ];
    // An update starts the dispatcher, and this newer one is no real one.
    for (there, is_renewed, commands) in
        [(newer, false, &commands[..2]), (old, true, &commands[..])]
    {
        for command in commands {
            replace(&bin, there);
            let ran = home.hookkit([]).args(*command).arg("--yes").run();
            assert!(ran.exited(0), "{command:?}");
            let is_fresh = fs_err::read(&bin).unwrap() == fresh;
            assert_eq!(is_fresh, is_renewed, "{command:?}");
        }
    }
    judged(&home, &places).assert_denies("No.");
    // It is no error of the command where there is none to renew it with.
    replace(&bin, old);
    let alone = places.root().join("run/alone");
    fs_err::create_dir(&alone).unwrap();
    fs_err::copy(home.program(), alone.join("hookkit")).unwrap();
    let ran = places
        .program(alone.join("hookkit"))
        .env("CLAUDE_CONFIG_DIR", places.config())
        .args(["disable", "gatekeeper", "--yes"])
        .run();
    assert!(ran.exited(0) && fs_err::read_to_string(&bin).unwrap() == old);
}

/// Puts another program there; the one before has further names.
fn replace(file: &std::path::Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let draft = file.with_extension("draft");
    fs_err::write(&draft, text).unwrap();
    fs_err::set_permissions(&draft, std::fs::Permissions::from_mode(0o755)).unwrap();
    fs_err::rename(draft, file).unwrap();
}

/// The author's own folder changes without a new version: no session reads half of each.
#[test]
fn the_same_version_with_other_files_gets_a_folder_of_its_own() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    home.installs(&plugin);
    written(&plugin, &gate("1.0.0", "Not today.", true));
    assert!(home.hookkit(["update", "--yes"]).run().exited(0));
    judged(&home, &places).assert_denies("Not today.");
    let version = home.receipt("gatekeeper")["version"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(version.starts_with("1.0.0+"), "{version}");
}

/// The last two versions stay, older ones for two weeks.
#[test]
fn old_versions_go_when_nobody_can_need_them() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    home.installs(&plugin);
    let update = |version: &str| {
        written(&plugin, &gate(version, "No.", true));
        assert!(home.hookkit(["update", "--yes"]).run().exited(0));
    };
    update("2.0.0");
    update("3.0.0");
    let mut receipt = home.receipt("gatekeeper");
    let long_ago = receipt["installed"].as_u64().unwrap() - 15 * 24 * 60 * 60;
    receipt["earlier"]["1.0.0"] = json!(long_ago);
    receipt["earlier"]["2.0.0"] = json!(long_ago + 60);
    fs_err::write(home.data("receipts/gatekeeper"), receipt.to_string()).unwrap();
    update("4.0.0");
    let there = |version: &str| home.data("store/gatekeeper").join(version).is_dir();
    assert!(!there("1.0.0") && !there("2.0.0") && there("3.0.0") && there("4.0.0"));
}

#[test]
fn what_a_person_switched_off_is_off_and_comes_back() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    home.installs(&gate("1.0.0", "No.", true));
    let run = |words: &[&str]| home.hookkit([]).args(words).arg("--yes").run();
    for (words, is_off) in [
        (&["disable", "gatekeeper"][..], true),
        (&["enable", "gatekeeper"], false),
        (
            &["disable", "gatekeeper", "no-markers", "--for", "2h"],
            true,
        ),
        (&["enable", "gatekeeper", "no-markers"], false),
        (&["disable", "gatekeeper", "--for", "1d"], true),
    ] {
        assert!(run(words).exited(0), "{words:?}");
        if is_off {
            judged(&home, &places).assert_silent();
        } else {
            judged(&home, &places).assert_denies("No.");
        }
    }
    // Nobody has to do anything when the time is over.
    let mut receipt = home.receipt("gatekeeper");
    let past = receipt["disabled"][0]["since"].as_u64().unwrap() - 1;
    receipt["disabled"][0]["until"] = json!(past);
    fs_err::write(home.data("receipts/gatekeeper"), receipt.to_string()).unwrap();
    judged(&home, &places).assert_denies("No.");
    let wrong = run(&["disable", "gatekeeper", "no-such-hook"]);
    assert!(wrong.exited(2) && wrong.err().contains("only no-markers"));
    assert!(run(&["disable", "nobody"]).exited(3));
}

/// A plugin that is told to a host twice would fire twice.
#[test]
fn another_registration_of_the_plugin_is_refused_or_replaced() {
    for host in ["claude-code", "copilot-cli"] {
        let places = Places::new();
        let home = Home::of(host, &places);
        let plugin = gate("1.0.0", "No.", false);
        let theirs = "{\n  \"enabledPlugins\": {\"gatekeeper@market\": true}\n}\n";
        fs_err::write(home.settings(), theirs).unwrap();
        let before = home.snapshot();
        let ran = home.install(&plugin.path()).run();
        assert!(
            ran.exited(3) && ran.err().contains("gatekeeper@market"),
            "{}",
            ran.err()
        );
        assert_eq!(home.snapshot(), before);
        assert!(
            home.install(&plugin.path())
                .arg("--replace")
                .run()
                .exited(0)
        );
        let text = fs_err::read_to_string(home.settings()).unwrap();
        assert!(text.contains("\"gatekeeper@market\": false"), "{text}");
        home.uninstalls("gatekeeper");
        assert_eq!(home.snapshot(), before);
        // Somebody else's plugin of a longer name is none.
        fs_err::write(
            home.settings(),
            theirs.replace("gatekeeper@", "gatekeepers@"),
        )
        .unwrap();
        home.installs(&plugin);
    }
}

#[test]
fn a_repository_that_brings_the_plugin_along_is_named() {
    let places = Places::new();
    let home = Home::of("copilot-cli", &places);
    let plugin = gate("1.0.0", "No.", true);
    let built = home
        .hookkit([
            "install",
            "--yes",
            "--host",
            "copilot-cloud",
            "--dispatcher",
        ])
        .arg(hookkit_tests::program::dispatcher())
        .arg(plugin.path())
        .run();
    assert!(built.exited(0));
    let ran = home.install(&plugin.path()).run();
    assert!(
        ran.exited(3) && ran.err().contains(".github/hooks/gatekeeper.json"),
        "{}",
        ran.err()
    );
    // Claude Code does not read that file.
    let ran = home
        .hookkit(["install", "--yes", "--host", "claude-code"])
        .arg(plugin.path())
        .run();
    assert!(ran.exited(0));
}
