//! VS Code, by the vendor's pages: it cannot be asked here.

use hookkit_tests::client::Places;
use serde_json::json;

use crate::machine::{Listing, Machine};

fn of(machine: &Machine, host: &str) -> Listing {
    let ran = machine.hookkit(["list", "--json", "--host", host]).run();
    assert!(ran.exited(0), "{}", ran.err());
    Listing(ran.json())
}

fn starts(listing: &Listing) -> Vec<String> {
    let hooks = listing.hooks().into_iter();
    let read = hooks.filter(|(source, hook)| source["state"] == "read" && hook["state"] == "armed");
    read.map(|(_, hook)| hook["starts"].as_str().unwrap().to_owned())
        .collect()
}

fn furnish(machine: &Machine) {
    let flat = |name: &str| json!({"hooks": {"preToolUse": [{"type": "command", "bash": name}]}});
    machine.json("project/.github/hooks/a.json", flat("repository"));
    machine.json("project/.github/hooks/below/b.json", flat("below"));
    machine.json("config/hooks/c.json", flat("user"));
    let groups =
        json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "claude"}]}]}});
    machine.json("project/.claude/settings.json", groups.clone());
    machine.json(
        "located/.claude-plugin/plugin.json",
        json!({"name": "located"}),
    );
    machine.json(
        "located/hooks/hooks.json",
        json!({"hooks": {"PreToolUse": [
            {"hooks": [{"type": "command", "command": "located"}]}
        ]}}),
    );
}

#[test]
fn its_settings_decide_what_is_read() {
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    furnish(&machine);
    assert_eq!(
        starts(&of(&machine, "vscode-local")),
        [""; 0],
        "there is no VS Code"
    );

    let settings = "home/.config/Code/User/settings.json";
    machine.put(settings, "{} // mine");
    assert_eq!(
        starts(&of(&machine, "vscode-local")),
        ["repository", "user"]
    );
    assert_eq!(
        starts(&of(&machine, "vscode-copilot")),
        ["user", "repository", "below"]
    );

    let located = machine.at("located");
    machine.json(settings, json!({
        "chat.useClaudeHooks": true,
        "chat.hookFilesLocations": {"~/.copilot/hooks": false},
        "chat.pluginLocations": {located.to_str().unwrap(): true, "/nowhere/at/all": true, "${workspaceFolder}/x": true},
    }));
    let local = of(&machine, "vscode-local");
    assert_eq!(starts(&local), ["repository", "claude", "located"]);
    assert!(local.missing("all").contains("is gone"));
    assert!(local.missing("x").contains("nothing replaces"));
    machine.json(settings, json!({"chat.useHooks": false}));
    assert_eq!(starts(&of(&machine, "vscode-local")), [""; 0]);
}
