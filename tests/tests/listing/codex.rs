//! Codex CLI: what `hookkit list` lists is what the client's own `hooks/list` has, in its order.

use std::fmt::Write as _;

use hookkit_tests::client::{Client, Places};
use hookkit_tests::client_or_skip;
use serde_json::{Value, json};

use crate::machine::{Listing, Machine};

const HOST: &str = "codex";

/// Settings with which the client asks nobody on the network.
const QUIET: &str = "check_for_update_on_startup = false\n[analytics]\nenabled = false\n";

fn features(hooks: bool) -> String {
    format!("[features]\ndaemon_auto_start = false\nremote_plugin = false\nhooks = {hooks}\n")
}

fn hook(machine: &Machine, name: &str) -> Value {
    json!({"type": "command", "command": machine.mark(name), "timeout": 5})
}

fn file(machine: &Machine, names: &[&str]) -> Value {
    let hooks: Vec<Value> = names.iter().map(|name| hook(machine, name)).collect();
    json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": hooks}]}})
}

fn toml(machine: &Machine, name: &str) -> String {
    let command = json!(machine.mark(name));
    format!(
        "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = {command}\n"
    )
}

fn furnish(machine: &Machine) {
    let project = machine.places().project();
    let trust = format!("[projects.{}]\ntrust_level = \"trusted\"\n", json!(project));
    let config = [QUIET, &features(true), &trust, &toml(machine, "user-toml")].concat();
    machine.put("config/config.toml", config);
    machine.json("config/hooks.json", file(machine, &["user", "user-too"]));
    machine.json("project/.codex/hooks.json", file(machine, &["project"]));
    machine.put("project/.codex/config.toml", toml(machine, "project-toml"));
}

/// The commands of the client's own list.
fn own(client: &dyn Client, places: &Places) -> Vec<String> {
    let said = client.hooks(places);
    let hooks = said["hooks"].as_array().unwrap();
    hooks
        .iter()
        .map(|hook| hook["command"].as_str().unwrap().to_owned())
        .collect()
}

/// The commands of those that the client would list: not what it drops, nor what is in a project that
/// is not trusted or while all of it is off.
fn ours(listing: &Listing) -> Vec<String> {
    let is_there = |(source, hook): &(Value, Value)| {
        let why = source["why"].as_str().unwrap_or_default();
        source["state"] != "dropped"
            && hook["state"] != "dropped"
            && !["not trusted", "features.hooks"]
                .iter()
                .any(|part| why.contains(part))
    };
    let hooks = listing.hooks().into_iter().filter(is_there);
    hooks
        .map(|(_, hook)| hook["starts"].as_str().unwrap().to_owned())
        .collect()
}

/// What is changed of a machine.
type Change = fn(&Machine);

#[test]
fn what_is_listed_is_what_the_client_lists() {
    let client = client_or_skip!(codex);
    let scenes: [(&str, usize, Change); 8] = [
        ("all", 5, |_| {}),
        ("a key that is not the client's", 3, |machine| {
            let mut hooks = file(machine, &["user"]);
            hooks["version"] = json!(1);
            machine.json("config/hooks.json", hooks);
        }),
        ("an entry without a command", 3, |machine| {
            let mut hooks = file(machine, &["user"]);
            hooks["hooks"]["PreToolUse"][0]["hooks"][0] =
                json!({"type": "command", "bash": "true"});
            machine.json("config/hooks.json", hooks);
        }),
        ("an entry where a group should be", 4, |machine| {
            let mut hooks = file(machine, &["user"]);
            let flat = hook(machine, "flat");
            hooks["hooks"]["PreToolUse"]
                .as_array_mut()
                .unwrap()
                .push(flat);
            machine.json("config/hooks.json", hooks);
        }),
        ("a matcher that is no pattern", 4, |machine| {
            let mut hooks = file(machine, &["user"]);
            let group = json!({"matcher": "[", "hooks": [hook(machine, "bracket")]});
            hooks["hooks"]["PreToolUse"]
                .as_array_mut()
                .unwrap()
                .push(group);
            machine.json("config/hooks.json", hooks);
        }),
        ("a comment", 3, |machine| {
            machine.put(
                "config/hooks.json",
                format!("// a\n{}", file(machine, &["user"])),
            );
        }),
        ("an untrusted project", 3, |machine| {
            let config = [QUIET, &features(true), &toml(machine, "user-toml")].concat();
            machine.put("config/config.toml", config);
        }),
        ("all off", 0, |machine| {
            machine.put("config/config.toml", [QUIET, &features(false)].concat());
        }),
    ];
    for (scene, count, change) in scenes {
        let places = Places::new();
        let machine = Machine::of(HOST, &places);
        furnish(&machine);
        change(&machine);
        let ours = ours(&machine.list([]));
        assert_eq!(ours, own(client, &places), "{scene}");
        assert_eq!(ours.len(), count, "{scene}");
    }
}

/// Nothing fires that nobody has trusted, and one that is switched off by itself does not either.
#[test]
fn trust_decides() {
    let client = client_or_skip!(codex);
    let places = Places::new();
    let machine = Machine::of(HOST, &places);
    furnish(&machine);
    let moment = ["--event", "PreToolUse", "--tool", "Bash"];
    let before = machine.list(moment);
    assert_eq!(before.fires(), [""; 0]);
    assert!(
        before.why("user").contains("trusted"),
        "{}",
        before.why("user")
    );

    let said = client.hooks(&places);
    let mut config = fs_err::read_to_string(machine.at("config/config.toml")).unwrap();
    for hook in said["hooks"].as_array().unwrap() {
        let is_off = hook["command"].as_str().unwrap().contains("user-too");
        let _ = write!(
            config,
            "[hooks.state.{}]\ntrusted_hash = {}\nenabled = {}\n",
            hook["key"], hook["currentHash"], !is_off
        );
    }
    machine.put("config/config.toml", config);
    let after = machine.list(moment);
    assert_eq!(
        after.fires(),
        ["user", "user-toml", "project", "project-toml"]
    );
    assert!(
        after.why("user-too").contains("switched off"),
        "{}",
        after.why("user-too")
    );
    let said = client.hooks(&places);
    let is_on = |hook: &&Value| hook["enabled"] == true && hook["trustStatus"] == "trusted";
    assert_eq!(
        said["hooks"]
            .as_array()
            .unwrap()
            .iter()
            .filter(is_on)
            .count(),
        4
    );
}

/// A hook that was changed after somebody trusted it is off, and only that one; so says the client.
#[test]
fn trust_ends_with_a_change() {
    let client = client_or_skip!(codex);
    let places = Places::new();
    let machine = Machine::of(HOST, &places);
    let entries = |timeout: u32, message: &str| {
        json!({"hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [
                    {"type": "command", "command": machine.mark("a")},
                    {"type": "command", "command": machine.mark("b"), "timeout": timeout},
                    {"type": "command", "command": machine.mark("c \"\u{e9}"), "async": true},
                    {"type": "command", "command": machine.mark("d"), "statusMessage": message,
                        "commandWindows": message, "zzz": message},
                    {"type": "command", "command": machine.mark("e"), "additionalContextLimit": 7},
                ]},
                {"matcher": "*", "hooks": [{"type": "command", "command": machine.mark("f")}]},
            ],
            "Stop": [{"matcher": message, "hooks": [{"type": "command", "command": machine.mark("g")}]}],
            "SessionEnd": [{"hooks": [{"type": "command", "command": machine.mark("h")}]}],
        }})
    };
    machine.json("config/hooks.json", entries(5, "one"));
    let inline = "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\n\
                  type = \"command\"\ncommand = \"echo toml\"\n";
    let mut config = format!("{QUIET}{}{inline}", features(true));
    machine.put("config/config.toml", &config);
    for hook in client.hooks(&places)["hooks"].as_array().unwrap() {
        let _ = write!(
            config,
            "[hooks.state.{}]\ntrusted_hash = {}\n",
            hook["key"], hook["currentHash"]
        );
    }
    machine.put("config/config.toml", config);
    let off = || {
        let said = client.hooks(&places);
        let theirs = said["hooks"].as_array().unwrap().iter();
        let theirs = theirs.filter(|hook| hook["trustStatus"] == "modified");
        let mut theirs: Vec<String> = theirs
            .map(|hook| hook["command"].as_str().unwrap().to_owned())
            .collect();
        let ours = machine.list([]);
        let ours = ours.hooks().into_iter().filter(|(_, hook)| {
            let why = hook["why"].as_str().unwrap_or_default();
            why.contains("has changed") && why.contains("config.toml:")
        });
        let mut ours: Vec<String> = ours
            .map(|(_, hook)| hook["starts"].as_str().unwrap().to_owned())
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs);
        ours.len()
    };
    assert_eq!(off(), 0);
    machine.json("config/hooks.json", entries(6, "one"));
    assert_eq!(off(), 1, "the timeout of one");
    machine.json("config/hooks.json", entries(5, "two"));
    assert_eq!(off(), 1, "a message; Stop looks at no matcher");
}
