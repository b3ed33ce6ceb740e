//! Nothing is left out without a word: what a client does not load stands there, with the reason.

use std::os::unix::fs::symlink;

use hookkit_tests::Turn;
use hookkit_tests::client::{Client, Places};
use hookkit_tests::client_or_skip;
use serde_json::{Value, json};

use crate::machine::{Listing, Machine};

const CLAUDE: &str = "claude-code";

const COPILOT: &str = "copilot-cli";

/// What is said to fire before a shell's tool, and what ran, both sorted.
fn both(
    client: &dyn Client,
    host: &'static str,
    furnish: impl FnOnce(&Machine),
) -> (Listing, Vec<String>, Vec<String>) {
    let session = client.session().keep_settings();
    let machine = Machine::of(host, session.places());
    furnish(&machine);
    let said = machine.list(["--event", "PreToolUse", "--tool", "Bash"]);
    let seen = session
        .turns([client.shell("true"), Turn::text("done")])
        .run();
    assert!(seen.ran.exited(0), "{seen}");
    let mut ran = Machine::of(host, seen.places()).ran();
    let mut fires = said.fires();
    fires.sort();
    ran.sort();
    (said, fires, ran)
}

fn copilots(machine: &Machine, name: &str) -> String {
    json!({"hooks": {"preToolUse": [{"bash": machine.mark(name)}]}}).to_string()
}

fn claudes(machine: &Machine, name: &str) -> String {
    let entry = json!({"type": "command", "command": machine.mark(name)});
    json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}).to_string()
}

/// One folder under two names is loaded once; the second name says so. Two folders are loaded both.
#[test]
fn a_folder_that_is_loaded_under_another_name_is_said() {
    let client = client_or_skip!(copilot);
    for is_one in [true, false] {
        let (said, fires, ran) = both(client, COPILOT, |machine| {
            for (folder, name) in [("zoo/zebra", "zebra"), ("zoo/other", "other")] {
                machine.put(
                    &format!("{folder}/plugin.json"),
                    json!({"name": name}).to_string(),
                );
                machine.put(&format!("{folder}/hooks.json"), copilots(machine, name));
            }
            let second = if is_one { "./zebra" } else { "./other" };
            let plugins = json!([
                {"name": "zebra", "source": "./zebra"},
                {"name": "zorse", "source": second},
            ]);
            let list = json!({"name": "zoo", "owner": {"name": "a"}, "plugins": plugins});
            machine.json("zoo/.claude-plugin/marketplace.json", list);
            let told = machine.told(&[("zoo", "zebra", true), ("zoo", "zorse", true)]);
            machine.json("config/settings.json", told);
        });
        assert_eq!(fires, ran, "one folder: {is_one}");
        assert_eq!(ran.len(), if is_one { 1 } else { 2 });
        let why = said.missing("zorse@zoo");
        assert_eq!(why.contains("loaded as zebra@zoo"), is_one, "{why}");
    }
}

/// A bare name begins below `metadata.pluginRoot`, and leads nowhere without it.
#[test]
fn claudes_bare_names_begin_at_the_root_of_plugins() {
    let client = client_or_skip!(claude);
    let scenes: [(Value, &str, &str, bool); 5] = [
        (
            json!({"pluginRoot": "./plugins"}),
            "ant",
            "plugins/ant",
            true,
        ),
        (json!({"pluginRoot": "."}), "ant", "ant", true),
        (json!({"pluginRoot": "./plugins"}), "./ant", "ant", true),
        (json!({}), "ant", "ant", false),
        (json!({"pluginRoot": "../plugins"}), "ant", "ant", false),
    ];
    for (metadata, source, folder, is_loaded) in scenes {
        let (said, fires, ran) = both(client, CLAUDE, |machine| {
            let plugins = json!([{"name": "ant", "source": source}]);
            let list = json!({"name": "ark", "owner": {"name": "a"}, "metadata": metadata,
                "plugins": plugins});
            machine.json("ark/.claude-plugin/marketplace.json", list);
            let manifest = json!({"name": "ant", "version": "1.0.0"});
            machine.json(
                &format!("ark/{folder}/.claude-plugin/plugin.json"),
                manifest,
            );
            let hooks = claudes(machine, "ant");
            machine.put(&format!("ark/{folder}/hooks/hooks.json"), hooks);
            machine.json(
                "config/settings.json",
                machine.told(&[("ark", "ant", true)]),
            );
        });
        assert_eq!(fires, ran, "{metadata} {source}");
        assert_eq!(ran.len(), usize::from(is_loaded), "{metadata} {source}");
        let why = said.missing("ant@ark");
        assert_eq!(
            why.contains("no `metadata.pluginRoot`"),
            !is_loaded,
            "{why}"
        );
    }
}

/// A list of versions leaves a plugin off.
#[test]
fn a_plugin_with_a_list_of_versions_is_off_to_claude() {
    let client = client_or_skip!(claude);
    for (value, is_loaded) in [(json!(["1.0.0"]), false), (json!(true), true)] {
        let (said, fires, ran) = both(client, CLAUDE, |machine| {
            let files = [
                (
                    ".claude-plugin/plugin.json",
                    json!({"name": "ant"}).to_string(),
                ),
                ("hooks/hooks.json", claudes(machine, "ant")),
            ];
            machine.market("ark", "ant", &files);
            let mut told = machine.told(&[("ark", "ant", true)]);
            told["enabledPlugins"]["ant@ark"] = value.clone();
            machine.json("config/settings.json", told);
        });
        assert_eq!(fires, ran, "{value}");
        assert_eq!(ran.len(), usize::from(is_loaded), "{value}");
        let why = if is_loaded {
            String::new()
        } else {
            said.why("ant")
        };
        assert_eq!(why.contains("not enabled"), !is_loaded, "{why}");
    }
}

/// The plugins of a repository that nobody trusts, and of no marketplace at all.
#[test]
fn plugins_that_are_off_are_there() {
    let places = Places::new();
    let machine = Machine::of(COPILOT, &places);
    machine.json(
        "config/settings.json",
        json!({"enabledPlugins": {"left@over": false}}),
    );
    let wants = json!({"enabledPlugins": {"theirs@market": true}});
    machine.json("project/.github/copilot/settings.json", wants);
    let said = machine.list([]);
    assert!(
        said.missing("left@over").contains("not enabled"),
        "{}",
        said.0
    );
    assert!(
        said.missing("theirs@market").contains("not trusted"),
        "{}",
        said.0
    );
    machine.json(
        "config/config.json",
        json!({"trustedFolders": [places.project()]}),
    );
    let said = machine.list([]);
    assert!(
        said.missing("theirs@market").contains("no marketplace"),
        "{}",
        said.0
    );
}

/// What holds no hooks itself and does not parse: without a word nobody knows what it would have said.
#[test]
fn registries_and_settings_that_do_not_parse_are_said() {
    let places = Places::new();
    let machine = Machine::of(CLAUDE, &places);
    let unread = |machine: &Machine| {
        let said = machine.list([]).0;
        let unread = said["unread"].as_array().cloned().unwrap_or_default();
        let of = |one: Value| format!("{}: {}", one["path"], one["why"]);
        unread.into_iter().map(of).collect::<Vec<String>>()
    };
    let file = "config/plugins/installed_plugins.json";
    machine.put(file, "{\"version\": 2,\n\"plugins\": [}");
    let said = unread(&machine);
    assert!(
        said.len() == 1 && said[0].contains("installed_plugins.json") && said[0].contains("line 2"),
        "{said:?}"
    );
    // A file that says so itself is said once.
    machine.put("project/.claude/settings.json", "{");
    assert_eq!(unread(&machine).len(), 1);
    machine.json(file, json!({"version": 2, "plugins": {}}));
    assert_eq!(unread(&machine), [""; 0]);
}

/// A manifest that names a file which is not there.
#[test]
fn a_hooks_file_that_is_named_and_missing_is_said() {
    for (host, manifest, named) in [
        (CLAUDE, ".claude-plugin/plugin.json", "./more.json"),
        (COPILOT, "plugin.json", "./more.json"),
    ] {
        let places = Places::new();
        let machine = Machine::of(host, &places);
        let said = json!({"name": "ant", "hooks": named}).to_string();
        machine.market("ark", "ant", &[(manifest, said)]);
        machine.json(
            "config/settings.json",
            machine.told(&[("ark", "ant", true)]),
        );
        let listing = machine.list([]);
        let source = listing.source(&machine.at("ark/ant").join(manifest));
        let why = source["why"].as_str().unwrap();
        assert!(why.contains("there is no such file"), "{host}: {why}");
        let hooks = if host == CLAUDE {
            claudes(&machine, "x")
        } else {
            copilots(&machine, "x")
        };
        machine.put("ark/ant/more.json", hooks);
        assert_eq!(
            machine.list(["--event", "PreToolUse"]).fires(),
            ["x"],
            "{host}"
        );
        assert_eq!(machine.list([]).sources().len(), 1, "{host}");
    }
}

/// A folder that is a link is not followed, and a folder that nobody may read is said.
#[test]
fn a_link_to_nowhere_is_said() {
    let places = Places::new();
    let machine = Machine::of(COPILOT, &places);
    machine.put("config/hooks/a.json", copilots(&machine, "a"));
    symlink("gone.json", machine.at("config/hooks/b.json")).unwrap();
    let said = machine.list([]);
    let source = said.source(&machine.at("config/hooks/b.json"));
    assert!(
        source["why"].as_str().unwrap().contains("leads nowhere"),
        "{source}"
    );
    assert_eq!(machine.list(["--event", "PreToolUse"]).fires(), ["a"]);
}
