//! What is wrong is said, with its place, and stops nothing.

use fs_err as fs;
use hookkit_tests::client::Places;
use serde_json::{Value, json};

use crate::machine::Machine;

fn group(command: &str) -> Value {
    json!([{"matcher": "Bash", "hooks": [{"type": "command", "command": command}]}])
}

#[test]
fn credentials_are_not_shown() {
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    machine.json("config/settings.json", json!({
        "env": {"SECRET_OF_MINE": "hunter2"},
        "hooks": {
            "PreToolUse": group("curl https://me:hunter2@example.org/?k=hunter2 -H 'Authorization: Bearer hunter2'"),
            "Stop": [{"hooks": [{"type": "http", "url": "https://me:hunter2@example.org/x?token=hunter2",
                "headers": {"X-Key": "hunter2"}}]}],
        },
    }));
    machine.json(
        "config/hooks/a.json",
        json!({"hooks": {"preToolUse": [
            {"bash": "TOKEN=hunter2 ./x", "env": {"API_KEY": "hunter2"}}
        ]}}),
    );
    for words in [
        &["--json"][..],
        &[],
        &["--event", "PreToolUse", "--tool", "Bash"],
    ] {
        let ran = machine.told_to_people(words.iter().copied());
        assert!(ran.exited(0));
        assert!(!ran.out().contains("hunter2"), "{}", ran.out());
        assert!(ran.out().contains("example.org"), "{}", ran.out());
    }
}

#[test]
fn a_fault_is_said_with_its_line_and_stops_nothing() {
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    machine.put(
        "config/settings.json",
        "{\n  \"hooks\": {\n    // mine\n  }\n}\n",
    );
    machine.json(
        "project/.claude/settings.json",
        json!({"hooks": {"PreToolUse": group("fine")}}),
    );
    machine.put(
        "project/.claude/settings.local.json",
        "{\n\"hooks\": [,]\n}",
    );
    let listing = machine.list([]);
    let user = listing.source(&machine.at("config/settings.json"));
    assert_eq!(user["state"], "dropped");
    assert!(user["why"].as_str().unwrap().contains("line 3"), "{user}");
    let local = listing.source(&machine.at("project/.claude/settings.local.json"));
    assert!(local["why"].as_str().unwrap().contains("line 2"), "{local}");
    assert_eq!(
        listing.source(&machine.at("project/.claude/settings.json"))["state"],
        "read"
    );

    let problems = machine.told_to_people(["--host", "claude-code", "--problems"]);
    assert!(problems.exited(1), "there are some");
    assert!(!problems.out().contains("fine"), "{}", problems.out());
    fs::remove_file(machine.at("config/settings.json")).unwrap();
    fs::remove_file(machine.at("project/.claude/settings.local.json")).unwrap();
    let none = machine.told_to_people(["--host", "claude-code", "--problems"]);
    assert!(none.exited(0), "{}", none.out());
}

/// Each of them as the case is: a plugin whose files are gone, whose marketplace nobody knows, whose
/// place leads away.
#[test]
fn a_plugin_that_is_not_there_says_what_is_missing() {
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    machine.market(
        "ark",
        "ant",
        &[(".claude-plugin/plugin.json", "{}".to_owned())],
    );
    let list = json!({"name": "out", "owner": {"name": "x"}, "plugins": [{"name": "p", "source": "../ark/ant"}]});
    machine.json("out/.claude-plugin/marketplace.json", list);
    let mut settings = machine.told(&[
        ("ark", "ant", true),
        ("ark", "bee", true),
        ("gone", "gnu", true),
        ("out", "p", true),
        ("far", "fly", true),
        ("raw", "rat", true),
    ]);
    let sources = &mut settings["extraKnownMarketplaces"];
    sources["far"]["source"]["path"] = json!("/Users/nobody-here/market");
    sources["raw"]["source"]["path"] = json!("${HOME}/market");
    settings["enabledPlugins"]["owl@nowhere"] = json!(true);
    machine.json("config/settings.json", settings);
    let listing = machine.list([]);
    for (plugin, why) in [
        ("ant@ark", ""),
        ("bee@ark", "does not list it"),
        ("gnu@gone", "is gone"),
        ("p@out", "leads out of the marketplace"),
        ("fly@far", "of another machine"),
        ("rat@raw", "nothing replaces"),
        ("owl@nowhere", "no marketplace `nowhere`"),
    ] {
        let said = listing.missing(plugin);
        assert!(
            said.contains(why) && said.is_empty() == why.is_empty(),
            "{plugin}: {said}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_said() {
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    fs::create_dir_all(machine.at("config/hooks")).unwrap();
    fs::create_dir_all(machine.at("config/hooks/folder.json")).unwrap();
    fs_err::os::unix::fs::symlink("/nowhere/at/all", machine.at("config/hooks/link.json")).unwrap();
    machine.put("config/hooks/big.json", vec![b' '; 5 << 20]);
    machine.put("config/hooks/bytes.json", b"{\"a\": \"\xff\"}");
    machine.put(
        "config/hooks/fine.json",
        "{\"hooks\": {\"preToolUse\": [{\"bash\": \"fine\"}]}}",
    );
    let listing = machine.list([]);
    let unread = listing.0["unread"].to_string();
    for (file, why) in [("link.json", "leads nowhere"), ("big.json", "over 4 MiB")] {
        assert!(
            unread.contains(file) && unread.contains(why),
            "{file}: {unread}"
        );
    }
    let bytes = listing.source(&machine.at("config/hooks/bytes.json"));
    assert!(bytes["why"].as_str().unwrap().contains("UTF-8"), "{bytes}");
    assert_eq!(
        listing.source(&machine.at("config/hooks/fine.json"))["state"],
        "read"
    );
}

#[test]
fn wrong_use_is_refused_with_the_names_there_are() {
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    let ran = machine.told_to_people(["--host", "clod"]);
    assert!(
        ran.exited(2) && ran.err().contains("claude-code"),
        "{}",
        ran.err()
    );
    let ran = machine.told_to_people(["--repo", "/nowhere/at/all"]);
    assert!(
        ran.exited(2) && ran.err().contains("is no folder"),
        "{}",
        ran.err()
    );
    let ran = machine.hookkit(["why", "--tool", "Bash"]).run();
    assert!(ran.exited(0), "it has a second name: {}", ran.err());
}

/// The same command in two places runs twice, and both say so.
#[test]
fn the_same_hook_twice_is_said() {
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    let hooks = json!({"hooks": {"preToolUse": [{"bash": "twin"}]}});
    machine.json("config/hooks/a.json", hooks.clone());
    let alone = machine.list([]).hooks();
    assert!(alone[0].1["again"].is_null());
    machine.json("config/hooks/b.json", hooks);
    for (_, hook) in machine.list([]).hooks() {
        assert_eq!(hook["again"].as_array().unwrap().len(), 1, "{hook}");
    }
}
