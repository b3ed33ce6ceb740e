//! Copilot CLI: what `hookkit list` says fires is what ran, in that order; and what the client itself
//! says it discovered is what is listed.

use hookkit_tests::Turn;
use hookkit_tests::client::{Client, Session};
use hookkit_tests::client_or_skip;
use serde_json::{Value, json};

use crate::machine::{Listing, Machine};

const HOST: &str = "copilot-cli";

fn hook(machine: &Machine, name: &str) -> Value {
    json!({"type": "command", "bash": machine.mark(name)})
}

fn file(machine: &Machine, name: &str) -> String {
    json!({"version": 1, "hooks": {"preToolUse": [hook(machine, name)]}}).to_string()
}

/// Every kind of source at once.
fn furnish(machine: &Machine) {
    for name in ["a", "m", "sub/z", "sub/b", "tail/x"] {
        let user = file(machine, &format!("user-{}", name.replace('/', "-")));
        machine.put(&format!("config/hooks/{name}.json"), user);
        let repository = file(machine, &format!("repo-{}", name.replace('/', "-")));
        machine.put(&format!("project/.github/hooks/{name}.json"), repository);
    }
    machine.put(
        "project/.github/hooks/b.jsonc",
        file(machine, "other-ending"),
    );
    for name in [
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".github/copilot/settings.json",
        ".github/copilot/settings.local.json",
    ] {
        let mark = machine.mark(&name.replace(['/', '.'], ""));
        let group = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": mark}]});
        let hooks = json!({"hooks": {"PreToolUse": [group]}});
        machine.json(&format!("project/{name}"), hooks);
    }
    for (market, plugin) in [("zoo", "zebra"), ("ark", "ant"), ("off", "owl")] {
        let hooks = file(machine, plugin);
        let manifest = json!({"name": plugin, "version": "2.0.0"}).to_string();
        let files = [("plugin.json", manifest), ("hooks.json", hooks)];
        machine.market(market, plugin, &files);
    }
    let mut settings = machine.told(&[
        ("zoo", "zebra", true),
        ("ark", "ant", true),
        ("off", "owl", false),
    ]);
    settings["hooks"] = json!({"preToolUse": [hook(machine, "user-settings")]});
    machine.put("config/settings.json", format!("// mine\n{settings}"));
    let trusted = json!({"trustedFolders": [machine.places().project()]});
    machine.json("config/config.json", trusted);
}

fn run(session: Session, client: &dyn Client) -> Vec<String> {
    let seen = session
        .keep_settings()
        .turns([client.shell("true"), Turn::text("done")])
        .run();
    assert!(seen.ran.exited(0), "{seen}");
    Machine::of(HOST, seen.places()).ran()
}

fn asked(machine: &Machine) -> Listing {
    machine.list(["--event", "PreToolUse", "--tool", "Bash"])
}

/// What the client says of each hook before tools: where it comes from and whether it is on.
fn discovered(client: &dyn Client, machine: &Machine) -> Vec<(String, bool)> {
    let said = client.hooks(machine.places());
    let hooks = said["hooks"].as_array().unwrap().iter();
    hooks
        .filter(|hook| hook["hookType"] == "preToolUse")
        .map(|hook| {
            let source = hook["source"].as_str().unwrap().to_owned();
            (source, hook["enabled"] == true)
        })
        .collect()
}

/// The same by `hookkit list`, in the client's words for places.
fn listed(machine: &Machine) -> Vec<(String, bool)> {
    let project = machine.places().project();
    let listing = machine.list(["--event", "PreToolUse"]);
    let hooks = listing.hooks().into_iter();
    hooks
        // What the client drops it does not say.
        .filter(|(source, hook)| source["state"] != "dropped" && hook["state"] != "dropped")
        .filter(|(source, hook)| {
            let why = [&source["why"], &hook["why"]].map(|why| why.as_str().unwrap_or_default());
            !why.iter()
                .any(|why| why.contains("not trusted") || why.contains("read instead"))
        })
        .filter(|(source, _)| {
            let is_plugins = !source["plugin"].is_null();
            let why = source["why"].as_str().unwrap_or_default();
            !(is_plugins && why.contains("not enabled"))
        })
        .map(|(source, _)| {
            let file = source["file"].as_str().unwrap();
            let below = file.strip_prefix(&format!("{}/", project.display()));
            let name = match (source["plugin"]["id"].as_str(), below) {
                (Some(plugin), _) => plugin.to_owned(),
                (None, Some(below)) if below.starts_with(".github/hooks") => below.to_owned(),
                (None, Some(_)) => "repo settings".to_owned(),
                (None, None) if file.ends_with("settings.json") => "global settings".to_owned(),
                (None, None) => file.to_owned(),
            };
            (name, source["state"] == "read")
        })
        .collect()
}

#[test]
fn what_is_said_to_fire_runs_in_that_order() {
    let client = client_or_skip!(copilot);
    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    let said = asked(&machine);
    let fires = said.fires();
    assert!(fires.len() == 17, "{fires:?}");
    assert!(
        said.why("owl").contains("not enabled"),
        "{}",
        said.why("owl")
    );
    let ran = run(session, client);
    assert_eq!(fires, ran);
}

#[test]
fn what_a_repository_switches_off_does_not_run() {
    let client = client_or_skip!(copilot);
    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    let enabled = json!({"enabledPlugins": {"ant@ark": false}});
    machine.json("project/.github/copilot/settings.json", enabled);
    let said = asked(&machine);
    assert!(
        said.why("ant").contains(".github/copilot/settings.json:1"),
        "{}",
        said.why("ant")
    );
    assert_eq!(said.fires(), run(session, client));

    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    let all = json!({"disableAllHooks": true});
    machine.json("project/.claude/settings.json", all);
    let said = asked(&machine);
    assert!(
        said.why("user-a").contains("disableAllHooks"),
        "{}",
        said.why("user-a")
    );
    assert_eq!(said.fires(), [""; 0]);
    assert_eq!(run(session, client), [""; 0]);

    // The later file counts, and the user's own reaches no further than itself.
    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    machine.json(
        "project/.claude/settings.json",
        json!({"disableAllHooks": true}),
    );
    let on = json!({"disableAllHooks": false});
    machine.json("project/.github/copilot/settings.local.json", on);
    let user = json!({"disableAllHooks": true, "hooks": {"preToolUse": [hook(&machine, "mine")]}});
    machine.json("config/settings.json", user);
    let fires = asked(&machine).fires();
    assert!(fires.contains(&"user-a".to_owned()) && !fires.contains(&"mine".to_owned()));
    assert_eq!(fires, run(session, client));
}

/// What is changed of a machine, with a file that has a bad entry.
type Change = fn(&Machine, Value);

/// Its `hooks.discover` says more than a run does: what is switched off, and what is found in a
/// folder that nobody trusts.
#[test]
fn what_is_listed_is_what_the_client_discovers() {
    let client = client_or_skip!(copilot);
    let bad =
        json!({"hooks": {"preToolUse": [{"type": "command", "bash": "true"}, {"type": "zzz"}]}});
    let scenes: [(&str, Change); 9] = [
        ("all", |_, _| {}),
        ("untrusted", |machine, _| {
            machine.json("config/config.json", json!({}));
        }),
        ("a trusted folder above", |machine, _| {
            let trusted = json!({"trustedFolders": [machine.places().root()]});
            machine.json("config/config.json", trusted);
        }),
        ("a bad entry in a hooks file", |machine, bad| {
            machine.json("project/.github/hooks/m.json", bad);
        }),
        (
            "a bad entry in a repository's settings",
            |machine, mut bad| {
                bad["enabledPlugins"] = json!({"ant@ark": false});
                machine.json("project/.github/copilot/settings.json", bad);
            },
        ),
        ("a bad entry in a plugin", |machine, bad| {
            machine.json("ark/ant/hooks.json", bad);
        }),
        ("a comment in a repository's settings", |machine, _| {
            machine.put(
                "project/.claude/settings.json",
                "// a\n{\"enabledPlugins\": {\"ant@ark\": false}}",
            );
        }),
        ("an entry of the registry without its date", |machine, _| {
            let plugin = json!({"name": "p", "marketplace": "", "enabled": true, "cache_path": machine.at("ark/ant")});
            let config = json!({"trustedFolders": [machine.places().project()], "installedPlugins": [plugin]});
            machine.json("config/config.json", config);
        }),
        ("a plugin of the registry", |machine, _| {
            let plugin = json!({"name": "p", "marketplace": "", "enabled": true, "version": "1",
                "installed_at": "2026-01-01T00:00:00Z", "cache_path": machine.at("ark/ant")});
            let config = json!({"trustedFolders": [machine.places().project()], "installedPlugins": [plugin]});
            machine.json("config/config.json", config);
        }),
    ];
    let mut seen = Vec::new();
    for (scene, change) in scenes {
        let session = client.session();
        let machine = Machine::of(HOST, session.places());
        furnish(&machine);
        change(&machine, bad.clone());
        let says = listed(&machine);
        assert_eq!(says, discovered(client, &machine), "{scene}");
        // Places differ from machine to machine.
        let root = machine.places().root().display().to_string();
        seen.push(format!("{says:?}").replace(&root, ""));
    }
    assert_eq!(seen[0], seen[2], "trust counts from above");
    assert_eq!(seen[0], seen[3], "the bad entry of a hooks file goes alone");
    for (scene, at) in [("untrusted", 1), ("plugin", 5), ("registry", 8)] {
        assert_ne!(seen[0], seen[at], "{scene} changes something");
    }
}

/// Keys of every event, in both spellings.
const KEYS: [&str; 29] = [
    "preToolUse",
    "preMcpToolCall",
    "postToolUse",
    "postToolUseFailure",
    "userPromptSubmitted",
    "userPromptTransformed",
    "sessionStart",
    "sessionEnd",
    "errorOccurred",
    "agentStop",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "permissionRequest",
    "notification",
    "PreToolUse",
    "PreMcpToolCall",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SessionStart",
    "SessionEnd",
    "ErrorOccurred",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PermissionRequest",
    "Notification",
];

/// A bad matcher drops its entry under some events alone.
#[test]
fn a_bad_matcher_drops_what_the_client_says_it_drops() {
    let client = client_or_skip!(copilot);
    for (matcher, kept) in [(json!(""), 30), (json!("("), 30), (json!(5), 44)] {
        let session = client.session();
        let machine = Machine::of(HOST, session.places());
        for key in KEYS {
            let entry = json!({"type": "command", "bash": "true"});
            let mut own = entry.clone();
            own["matcher"] = matcher.clone();
            let group = json!({"matcher": matcher, "hooks": [entry]});
            for (form, item) in [("own", own), ("group", group)] {
                let hooks = json!({"version": 1, "hooks": {key: [item]}});
                machine.json(&format!("config/hooks/{key}-{form}.json"), hooks);
            }
        }
        let said = client.hooks(machine.places());
        let mut theirs: Vec<String> = said["hooks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hook| hook["source"].as_str().unwrap().to_owned())
            .collect();
        let listing = machine.list(["--host", HOST]);
        let mut ours: Vec<String> = listing
            .hooks()
            .into_iter()
            .filter(|(source, hook)| source["state"] == "read" && hook["state"] == "armed")
            .map(|(source, _)| source["file"].as_str().unwrap().to_owned())
            .collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs, "{matcher}");
        assert_eq!(theirs.len(), kept, "{matcher}");
    }
}

/// Where they are not checked they do not count either.
#[test]
fn a_matcher_counts_where_the_client_looks_at_it() {
    let client = client_or_skip!(copilot);
    // Each event with a matcher that fits nothing, and with one that fits all.
    let marked = |keys: &[&str]| {
        let session = client.session();
        let machine = Machine::of(HOST, session.places());
        for key in keys {
            for matcher in ["nothing", ".*"] {
                let name = format!("{key}-{}", matcher.len());
                let entry = json!({"bash": machine.mark(&name), "matcher": matcher});
                let hooks = json!({"version": 1, "hooks": {*key: [entry]}});
                machine.json(&format!("config/hooks/{name}.json"), hooks);
            }
        }
        session
    };
    let fires = |session: &Session, event: &str| {
        let machine = Machine::of(HOST, session.places());
        let mut fires = machine.list(["--event", event, "--tool", "Read"]).fires();
        fires.sort();
        fires
    };
    let ran = |session: Session| {
        let seen = session.keep_settings().run();
        let mut ran = Machine::of(HOST, seen.places()).ran();
        ran.sort();
        ran
    };
    let session = marked(&["postToolUseFailure", "preToolUse", "sessionStart"]);
    let mut said = fires(&session, "preToolUse");
    said.extend(fires(&session, "postToolUseFailure"));
    let gone = session.project("gone.txt");
    let turns = [client.read(&gone), Turn::text("done")];
    let mut expected = vec!["sessionStart-2".to_owned(), "sessionStart-7".to_owned()];
    expected.extend(said);
    expected.sort();
    assert_eq!(ran(session.turns(turns)), expected);
    assert_eq!(expected.len(), 5, "{expected:?}");

    // There is nothing to compact, and the client ends with 1, but it asks its hooks first.
    let session = marked(&["preCompact"]).prompt("/compact");
    assert_eq!(ran(session), fires(&marked(&["preCompact"]), "preCompact"));
}

/// Hooks that are switched off one by one, by the keys that the client itself gives them.
#[test]
fn hooks_that_are_switched_off_by_themselves_are_off() {
    let client = client_or_skip!(copilot);
    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    let all = json!([
        {"command": "e1"},
        {"bash": "e2 \"é\\\\\"", "powershell": "p", "cwd": ".", "timeout": 3},
        {"exec": "${PLUGIN_ROOT}/e3", "args": ["${CLAUDE_PLUGIN_DATA}", "b"]},
        {"linux": "e4", "windows": "w", "command": "c", "env": {"Z": "1", "PLUGIN_ROOT": "2", "A": "${CLAUDE_PROJECT_DIR}"}},
        {"matcher": "bash", "hooks": [{"type": "command", "bash": "e5", "zzz": 1, "timeoutSec": 1.5}]},
        {"type": "http", "url": "https://localhost/e6", "headers": {"X": "y"}},
    ]);
    let group = json!([{"matcher": "Bash", "hooks": [{"type": "command", "command": "e7"}]}]);
    let hooks =
        json!({"hooks": {"preToolUse": all, "PreToolUse": group, "agentStop": [{"bash": "e8"}]}});
    for file in [
        "config/hooks/a.json",
        "project/.github/hooks/a.json",
        "ark/ant/hooks.json",
    ] {
        machine.json(file, hooks.clone());
    }
    let said = client.hooks(machine.places());
    let keys: Vec<Value> = said["hooks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|hook| hook.get("disableKey").cloned())
        .collect();
    assert!(keys.len() > 30, "{said}");
    let state = |keys: Value| {
        let mut settings = machine.told(&[("zoo", "zebra", true), ("ark", "ant", true)]);
        settings["disabledHooks"] = keys;
        let text = serde_json::to_string_pretty(&settings).unwrap();
        machine.put("config/settings.json", text);
        let listing = machine.list([]);
        let why = |(source, hook): &(Value, Value)| {
            let why = hook["why"].as_str().unwrap_or_default();
            let is_off = why.contains("switched off by itself") && why.contains("settings.json:");
            (
                source["file"].clone(),
                hook["line"].clone(),
                hook["starts"].clone(),
                is_off,
            )
        };
        listing.hooks().iter().map(why).collect::<Vec<_>>()
    };
    let none: Vec<_> = state(json!([])).into_iter().filter(|one| one.3).collect();
    assert_eq!(none, []);
    let on: Vec<_> = state(json!(keys))
        .into_iter()
        .filter(|one| !one.3)
        .collect();
    assert_eq!(on, []);
    // Each key for itself, as the client counts.
    let mut switched = 0;
    for key in keys.iter().take(12) {
        let off = state(json!([key])).iter().filter(|one| one.3).count();
        let theirs = client.hooks(machine.places());
        let theirs = theirs["hooks"].as_array().unwrap().iter();
        let theirs = theirs.filter(|hook| hook["enabled"] == false).count();
        assert_eq!(off, theirs, "{key}");
        switched += usize::from(off > 0);
    }
    assert!(switched > 8, "{switched}");
}

/// A list of single hooks that holds something else takes all of the user's settings with it.
#[test]
fn settings_whose_list_of_disabled_hooks_is_bad_are_dropped() {
    let client = client_or_skip!(copilot);
    let session = client.session();
    let machine = Machine::of(HOST, session.places());
    furnish(&machine);
    for (disabled, is_dropped) in [
        (json!(["x"]), false),
        (json!([]), false),
        (json!(["x", 7]), true),
        (json!([null]), true),
        (json!([["x"]]), true),
        (json!("x"), true),
        (json!({"x": true}), true),
        (json!(null), true),
    ] {
        let mut settings = machine.told(&[("zoo", "zebra", true), ("ark", "ant", true)]);
        settings["hooks"] = json!({"preToolUse": [hook(&machine, "user-settings")]});
        settings["disabledHooks"] = disabled.clone();
        machine.json("config/settings.json", settings);
        let theirs = discovered(client, &machine);
        assert_eq!(listed(&machine), theirs, "{disabled}");
        assert_eq!(theirs.len(), if is_dropped { 14 } else { 17 }, "{disabled}");
        let user = asked(&machine).source(&machine.at("config/settings.json"));
        assert_eq!(user["state"] == "dropped", is_dropped, "{user}");
        let why = user["why"].as_str().unwrap_or_default();
        let says = why.contains("`disabledHooks`") && why.contains("drops all of it");
        assert_eq!(says, is_dropped, "{why}");
    }
    // A repository's settings are not looked at for it.
    machine.json("config/settings.json", json!({}));
    let mark = machine.mark("repository-settings");
    let group = json!({"hooks": [{"type": "command", "command": mark}]});
    let settings = json!({"disabledHooks": [7], "hooks": {"PreToolUse": [group]}});
    machine.json("project/.claude/settings.json", settings);
    let theirs = discovered(client, &machine);
    assert_eq!(listed(&machine), theirs);
    assert_eq!(theirs.len(), 14);
}
