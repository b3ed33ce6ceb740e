//! Claude Code: what `hookkit list` says fires is what ran.

use hookkit_tests::Turn;
use hookkit_tests::client::Client;
use hookkit_tests::client_or_skip;
use serde_json::{Value, json};

use crate::machine::Machine;

const HOST: &str = "claude-code";

fn hook(machine: &Machine, name: &str) -> Value {
    json!({"type": "command", "command": machine.mark(name)})
}

fn groups(machine: &Machine, name: &str) -> Value {
    json!([{"matcher": "Bash", "hooks": [hook(machine, name)]}])
}

fn furnish(machine: &Machine) {
    for (market, plugin) in [("zoo", "zebra"), ("ark", "ant")] {
        let hooks = json!({"hooks": {"PreToolUse": groups(machine, plugin)}}).to_string();
        let manifest = json!({"name": plugin, "version": "1.0.0"}).to_string();
        let files = [
            (".claude-plugin/plugin.json", manifest),
            ("hooks/hooks.json", hooks),
        ];
        machine.market(market, plugin, &files);
    }
    let mut settings = machine.told(&[("zoo", "zebra", true), ("ark", "ant", true)]);
    settings["hooks"] = json!({"PreToolUse": groups(machine, "user")});
    machine.json("config/settings.json", settings);
    for (file, name) in [
        ("settings.json", "project"),
        ("settings.local.json", "local"),
    ] {
        let mut groups = groups(machine, name);
        groups.as_array_mut().unwrap().extend([
            json!({"matcher": "bash", "hooks": [hook(machine, &format!("{name}-other-case"))]}),
            json!({"matcher": "^Ba", "hooks": [hook(machine, &format!("{name}-pattern"))]}),
            json!({"matcher": "Edit|Write", "hooks": [hook(machine, &format!("{name}-edits"))]}),
        ]);
        machine.json(
            &format!("project/.claude/{file}"),
            json!({"hooks": {"PreToolUse": groups}}),
        );
    }
}

/// What is said to fire and what ran, both sorted: this client starts them side by side.
fn both(client: &dyn Client, change: impl Fn(&Machine)) -> (Vec<String>, Vec<String>) {
    let session = client.session().keep_settings();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    change(&machine);
    let mut fires = machine
        .list(["--event", "PreToolUse", "--tool", "Bash"])
        .fires();
    let seen = session
        .turns([client.shell("true"), Turn::text("done")])
        .run();
    assert!(seen.ran.exited(0), "{seen}");
    let mut ran = Machine::of(HOST, seen.places()).ran();
    fires.sort();
    ran.sort();
    (fires, ran)
}

/// What is changed of a machine.
type Change<'c> = &'c dyn Fn(&Machine);

#[test]
fn what_is_said_to_fire_runs() {
    let client = client_or_skip!(claude);
    let all = [
        "ant",
        "local",
        "local-pattern",
        "project",
        "project-pattern",
        "user",
        "zebra",
    ];
    let bad = |event: &str| json!({"hooks": {event: [{"hooks": [{"type": "zzz"}]}]}});
    let project = "project/.claude/settings.json";
    let without = |gone: &[&str]| -> Vec<String> {
        let stays = all.iter().filter(|name| !gone.contains(name));
        stays.map(|name| (*name).to_owned()).collect()
    };
    let gone = ["project", "project-pattern"];
    let scenes: [(&str, Change, Vec<String>); 9] = [
        ("all", &|_| {}, without(&[])),
        (
            "a bad entry that takes the file with it",
            &|machine| {
                let mut settings = bad("PermissionRequest");
                settings["enabledPlugins"] = json!({"ant@ark": false});
                machine.json(project, settings);
            },
            without(&gone),
        ),
        (
            "a bad entry under the newest of the three events",
            &|machine| {
                let mut settings = bad("PreSkillShellCommand");
                settings["enabledPlugins"] = json!({"ant@ark": false});
                machine.json(project, settings);
            },
            without(&gone),
        ),
        (
            "a bad entry that goes alone",
            &|machine| {
                let mut settings = bad("PostToolUse");
                settings["hooks"]["PreToolUse"] = groups(machine, "project");
                machine.json(project, settings);
            },
            without(&["project-pattern"]),
        ),
        (
            "a comment",
            &|machine| {
                machine.put(project, "// a\n{\"disableAllHooks\": true}");
            },
            without(&gone),
        ),
        (
            "all off",
            &|machine| {
                machine.json(project, json!({"disableAllHooks": true}));
            },
            Vec::new(),
        ),
        (
            "all off, and on again by one person",
            &|machine| {
                machine.json(project, json!({"disableAllHooks": true}));
                let on = json!({"disableAllHooks": false, "enabledPlugins": {"zebra@zoo": false}});
                machine.json("project/.claude/settings.local.json", on);
            },
            without(&[
                "project",
                "project-pattern",
                "local",
                "local-pattern",
                "zebra",
            ]),
        ),
        (
            "a bad entry in a plugin",
            &|machine| {
                machine.json("ark/ant/hooks/hooks.json", bad("PreToolUse"));
            },
            without(&["ant"]),
        ),
        (
            "a marketplace without its owner",
            &|machine| {
                let list = json!({"name": "ark", "plugins": [{"name": "ant", "source": "./ant"}]});
                machine.json("ark/.claude-plugin/marketplace.json", list);
            },
            without(&["ant"]),
        ),
    ];
    for (scene, change, expected) in scenes {
        let (fires, ran) = both(client, change);
        assert_eq!(fires, ran, "{scene}");
        assert_eq!(ran, expected, "{scene}");
    }
}

/// Its own list knows what its own `plugin install` noted down: where the cache is gone it says so.
#[test]
fn a_registry_that_lies_is_told_as_the_client_tells_it() {
    let client = client_or_skip!(claude);
    let session = client.session().keep_settings();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    let add = |words: &[&str]| {
        let ran = client
            .program(machine.places())
            .args(["plugin"])
            .args(words)
            .run();
        assert!(ran.exited(0), "{}", ran.err());
    };
    let folder = machine.at("ark").display().to_string();
    add(&["marketplace", "add", &folder]);
    add(&["install", "ant@ark"]);
    assert_eq!(machine.list([]).missing("ant@ark"), "");
    fs_err::rename(machine.at("ark"), machine.at("moved")).unwrap();
    assert!(machine.list([]).missing("ant@ark").contains("is gone"));
    let own = client
        .program(machine.places())
        .args(["plugin", "list", "--json"])
        .run();
    let own: Value = own.json();
    let ant = own
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "ant@ark")
        .unwrap();
    assert!(!ant["errors"].as_array().unwrap().is_empty(), "{ant}");
}
