//! A dispatcher on PATH, and the variables of hosts.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use hookkit_tests::process::Program;

use crate::{Place, assert_unserved, plugin};

const CLAUDES: &[&str] = &["CLAUDE_PLUGIN_ROOT"];
const COPILOTS: &[&str] = &["COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT"];

fn alone() -> (Place, PathBuf) {
    let place = Place::new();
    let dispatcher = place.dispatcher("alone/hookkit-dispatch");
    (place, dispatcher)
}

#[test]
fn each_host_has_variables_of_its_own_in_its_own_order() {
    let (place, dispatcher) = alone();
    for (host, own) in [("claude-code", CLAUDES), ("copilot-cli", COPILOTS)] {
        for (index, name) in own.iter().enumerate() {
            // This one and every later one is set: the first counts.
            let program = own[index..]
                .iter()
                .fold(place.start(&dispatcher, host), |program, name| {
                    program.env(name, place.plugin(&format!("by/{name}")))
                });
            program.run().assert_denies(&format!("by/{name}"));
        }
        for foreign in [
            "HOOKKIT_PLUGIN_ROOT",
            "PLUGIN_ROOT",
            "COPILOT_PLUGIN_ROOT",
            "CURSOR_PLUGIN_ROOT",
        ] {
            if !own.contains(&foreign) {
                let program = place
                    .start(&dispatcher, host)
                    .env(foreign, place.plugin("foreign"));
                assert_unserved(&program.run(), "lies in no plugin");
            }
        }
    }
}

#[test]
fn a_value_that_is_no_plugins_folder_is_passed_over() {
    let (place, dispatcher) = alone();
    let good = place.plugin("good");
    std::fs::create_dir(place.at("empty")).unwrap();
    let file = good.join("hookkit.json");
    for (value, why) in [
        (place.at("gone"), "holds no hookkit.json"),
        (place.at("empty"), "holds no hookkit.json"),
        (file, "holds no hookkit.json"),
        ("good".into(), "no absolute path"),
        (".".into(), "no absolute path"),
        ("${CLAUDE_PLUGIN_ROOT}".into(), "no absolute path"),
        ("/${CLAUDE_PLUGIN_ROOT}/x".into(), "no absolute path"),
    ] {
        let first = |host| {
            place
                .start(&dispatcher, host)
                .env(COPILOTS[0], &value)
                .env(CLAUDES[0], &value)
        };
        assert_unserved(&first("claude-code").run(), why);
        assert_unserved(&first("copilot-cli").run(), why);
        // The next variable of the host is asked then.
        let next = place
            .start(&dispatcher, "copilot-cli")
            .env(COPILOTS[0], &value);
        next.env(COPILOTS[1], &good).run().assert_denies("good");
    }
}

#[test]
fn only_the_plugin_that_is_asked_for() {
    let (place, dispatcher) = alone();
    plugin(&place.at("other"), "other", "other");
    let with = |name: &str| {
        let program = place.on_claude(&dispatcher).args(["--plugin", name]);
        program.env(CLAUDES[0], place.at("other")).run()
    };
    with("other").assert_denies("other");
    assert_unserved(&with("demo"), "holds another plugin");
}

#[test]
fn nothing_in_the_project_is_believed() {
    let (place, dispatcher) = alone();
    std::fs::create_dir_all(place.at("repository/.git")).unwrap();
    std::fs::create_dir_all(place.at("repository/sub")).unwrap();
    place.plugin("repository/evil");
    place.plugin("outside");
    symlink(place.at("repository/evil"), place.at("link-in")).unwrap();
    symlink(place.at("outside"), place.at("repository/link-out")).unwrap();
    let start = |value: &str, cwd: &str, project: Option<&str>| {
        let call = format!(
            r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"ls"}},"cwd":"{}"}}"#,
            place.at(cwd).display()
        );
        let program = Program::new(&dispatcher)
            .args(["--host", "claude-code", "--event", "PreToolUse"])
            .env("HOME", place.at("home"))
            .env(CLAUDES[0], place.at(value))
            .cwd(place.at("home"))
            .stdin_bytes(call);
        match project {
            Some(folder) => program.env("CLAUDE_PROJECT_DIR", place.at(folder)).run(),
            None => program.run(),
        }
    };
    let inside = "lies in the project";
    assert_unserved(&start("repository/evil", "repository", None), inside);
    assert_unserved(&start("repository/evil", "repository/sub", None), inside);
    assert_unserved(
        &start("repository/evil", "home", Some("repository")),
        inside,
    );
    assert_unserved(
        &start("repository/evil", "home", Some("repository/sub")),
        inside,
    );
    assert_unserved(
        &start("repository/sub/../evil", "repository/sub", None),
        inside,
    );
    assert_unserved(&start("link-in", "repository", None), inside);
    assert_unserved(&start("repository/link-out", "repository", None), inside);
    start("outside", "repository", Some("repository")).assert_denies("outside");
    // The same folder, in a session that has nothing to do with it.
    start("repository/evil", "project", Some("project")).assert_denies("repository/evil");
}

#[test]
fn no_variable_replaces_what_a_place_says() {
    let place = Place::new();
    place.plugin("demo");
    let other = place.plugin("other");
    let inside = place.dispatcher("demo/dispatch/d");
    let alone = place.dispatcher("alone/d");
    for host in ["claude-code", "copilot-cli"] {
        let start = |dispatcher| {
            COPILOTS
                .iter()
                .chain(&["HOOKKIT_PLUGIN_ROOT", "HOOKKIT_HOME"])
                .fold(place.start(dispatcher, host), |program, name| {
                    program.env(name, &other)
                })
        };
        start(&inside).run().assert_denies("demo");
        let asked = start(&inside).arg("--plugin-root").arg(place.at("demo"));
        asked.run().assert_denies("demo");
        // They would have been enough.
        start(&alone).run().assert_denies("other");
    }
}
