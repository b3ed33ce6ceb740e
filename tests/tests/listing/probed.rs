//! `hookkit doctor --probe`: a hook is told what the real client tells it, and is started where and
//! with what it starts it.

use std::collections::BTreeSet;

use fs_err as fs;
use hookkit_tests::client::Client;
use hookkit_tests::{Turn, client_or_skip};
use serde_json::{Value, json};

use crate::machine::Machine;

/// What a hook saw: its folder, the variables by which hosts name themselves and roots, its payload.
#[derive(Debug)]
struct Saw {
    folder_and_variables: Vec<String>,
    payload: Value,
}

impl Saw {
    fn read(machine: &Machine) -> Self {
        let file = machine.at("saw");
        let text = fs::read_to_string(&file).unwrap();
        fs::remove_file(file).unwrap();
        let (about, payload) = text.split_once("--\n").unwrap();
        Self {
            folder_and_variables: about.lines().map(str::to_owned).collect(),
            payload: serde_json::from_str(payload).unwrap(),
        }
    }

    fn keys(&self) -> BTreeSet<&str> {
        self.payload
            .as_object()
            .unwrap()
            .keys()
            .map(|key| &**key)
            .collect()
    }
}

/// A plugin whose hook writes down what it sees.
fn furnish(machine: &Machine, hooks_file: &str, hooks: Value) {
    let script = format!(
        "#!/bin/sh\n{{ [ \"$PWD\" = \"$CLAUDE_PLUGIN_ROOT\" ] && echo in the plugin\n\
         [ \"$PWD\" = \"$CLAUDE_PROJECT_DIR\" ] && echo in the project\n\
         env | sed 's/=.*//' | grep -E '^(CLAUDE_PLUGIN_|CLAUDE_PROJECT_DIR|COPILOT_PLUGIN_|\
         COPILOT_PROJECT_DIR|PLUGIN_|COPILOT_CLI$|CLAUDECODE$|COPILOT_HOOK_DIR)' | sort\n\
         echo --; cat; }} >'{}'\n",
        machine.at("saw").display()
    );
    let manifest = json!({"name": "ant", "version": "1.0.0"}).to_string();
    let files = [
        (".claude-plugin/plugin.json", manifest),
        (hooks_file, hooks.to_string()),
        ("x.sh", script),
    ];
    machine.market("ark", "ant", &files);
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", true)]),
    );
}

fn compare(client: &dyn Client, hooks_file: &str, hooks: Value) {
    let session = client.session();
    let machine = Machine::of(client.host(), session.places());
    furnish(&machine, hooks_file, hooks);
    let probe = [
        "doctor",
        "--json",
        "--host",
        client.host(),
        "--probe",
        "ant",
    ];
    let ran = machine.hookkit(probe).run();
    assert!(!ran.out().contains("HK82"), "{}", ran.out());
    let tried = Saw::read(&machine);
    let seen = session
        .keep_settings()
        .turns([client.shell("git status"), Turn::text("done")])
        .run();
    assert!(seen.ran.exited(0), "{seen}");
    let real = Saw::read(&Machine::of(client.host(), seen.places()));
    assert_eq!(tried.folder_and_variables, real.folder_and_variables);
    assert!(
        tried.folder_and_variables[0].starts_with("in the "),
        "{tried:?}"
    );
    let (tried_keys, real_keys) = (tried.keys(), real.keys());
    assert!(tried_keys.is_subset(&real_keys), "{tried:#?} {real:#?}");
    for key in ["tool_name", "toolName", "hook_event_name"] {
        assert_eq!(tried.payload[key], real.payload[key], "{key}");
    }
    for (tool, key) in [("tool_input", "command"), ("toolArgs", "command")] {
        assert_eq!(
            tried.payload[tool][key].is_string(),
            real.payload[tool][key].is_string()
        );
    }
    assert!(tried_keys.len() >= 5, "{tried:#?}");
}

const LINE: &str = "sh \"${CLAUDE_PLUGIN_ROOT}/x.sh\"";

#[test]
fn claude_code_starts_it_so_too() {
    let client = client_or_skip!(claude);
    for hook in [
        json!({"type": "command", "command": LINE}),
        json!({"type": "command", "command": "sh", "args": ["${CLAUDE_PLUGIN_ROOT}/x.sh"]}),
    ] {
        let hooks = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}});
        compare(client, "hooks/hooks.json", hooks);
    }
}

#[test]
fn copilot_cli_starts_it_so_too() {
    let client = client_or_skip!(copilot);
    for (event, hook) in [
        ("preToolUse", json!({"bash": LINE})),
        ("PreToolUse", json!({"bash": LINE, "cwd": "."})),
        (
            "preToolUse",
            json!({"exec": "sh", "args": ["${PLUGIN_ROOT}/x.sh"]}),
        ),
    ] {
        compare(
            client,
            "hooks.json",
            json!({"version": 1, "hooks": {event: [hook]}}),
        );
    }
}
