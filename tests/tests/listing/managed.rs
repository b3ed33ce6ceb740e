//! An administrator's files, which lie in folders of the system: each test has its own.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use serde_json::{Value, json};

use crate::machine::{Listing, Machine};

/// `hookkit list` where a folder lies over `/etc`.
fn list(machine: &Machine, host: &str, etc: &Path) -> Listing {
    let script = "mount -t overlay overlay -o \"lowerdir=$1:/etc\" /etc; shift; exec \"$@\"";
    let words = [
        "list",
        "--json",
        "--host",
        host,
        "--event",
        "PreToolUse",
        "--tool",
        "Bash",
    ];
    let own: Program = machine.hookkit(words);
    let etc = etc.to_str().unwrap();
    let around = [
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        script,
        "sh",
        etc,
    ];
    let ran = own.under("unshare", &around).run();
    assert!(ran.exited(0), "{}", ran.err());
    Listing(ran.json())
}

/// Can a folder be mounted over `/etc`, among mounts that nobody else sees?
fn can_mount() -> bool {
    program::needs(&["unshare"])
        && program::can(
            rustix::process::geteuid().is_root(),
            "only root mounts over /etc",
        )
}

fn group(machine: &Machine, name: &str) -> Value {
    json!([{"hooks": [{"type": "command", "command": machine.mark(name)}]}])
}

#[test]
fn they_come_first_and_can_be_all_that_counts() {
    if !can_mount() {
        return;
    }
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    machine.json(
        "etc/claude-code/managed-settings.json",
        json!({"hooks": {"PreToolUse": group(&machine, "managed")}}),
    );
    machine.json(
        "etc/claude-code/managed-settings.d/50-b.json",
        json!({"hooks": {"PreToolUse": group(&machine, "drop-b")}}),
    );
    machine.json(
        "etc/claude-code/managed-settings.d/10-a.json",
        json!({"hooks": {"PreToolUse": group(&machine, "drop-a")}}),
    );
    machine.json(
        "config/settings.json",
        json!({"hooks": {"PreToolUse": group(&machine, "user")}}),
    );
    let etc = machine.at("etc");
    let all = list(&machine, "claude-code", &etc);
    assert_eq!(all.fires(), ["managed", "drop-a", "drop-b", "user"]);

    let only =
        json!({"allowManagedHooksOnly": true, "hooks": {"PreToolUse": group(&machine, "managed")}});
    machine.json("etc/claude-code/managed-settings.json", only);
    let only = list(&machine, "claude-code", &etc);
    assert_eq!(only.fires(), ["managed", "drop-a", "drop-b"]);
    assert!(
        only.why("user").contains("administrator"),
        "{}",
        only.why("user")
    );

    let off = json!({"disableAllHooks": true});
    machine.json("project/.claude/settings.json", off);
    machine.json(
        "etc/claude-code/managed-settings.json",
        json!({"hooks": {"PreToolUse": group(&machine, "managed")}}),
    );
    let off = list(&machine, "claude-code", &etc);
    assert_eq!(
        off.fires(),
        ["managed", "drop-a", "drop-b"],
        "a project does not switch these off"
    );

    let on = json!({"disableAllHooks": false, "hooks": {"PreToolUse": group(&machine, "user")}});
    machine.json("config/settings.json", on);
    machine.json(
        "etc/claude-code/managed-settings.d/50-b.json",
        json!({"disableAllHooks": true, "hooks": {"PreToolUse": group(&machine, "drop-b")}}),
    );
    let off = list(&machine, "claude-code", &etc);
    assert!(off.fires().is_empty(), "nobody switches these on");
}

/// Claude Code's `strictPluginOnlyCustomization` leaves hooks to plugins and to the administrator.
#[test]
fn an_administrator_leaves_hooks_to_plugins() {
    if !can_mount() {
        return;
    }
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    let hooks = json!({"hooks": {"PreToolUse": group(&machine, "ant")}}).to_string();
    let manifest = (".claude-plugin/plugin.json", "{}".to_owned());
    machine.market("ark", "ant", &[manifest, ("hooks/hooks.json", hooks)]);
    let mut settings = machine.told(&[("ark", "ant", true)]);
    settings["hooks"] = json!({"PreToolUse": group(&machine, "user")});
    machine.json("config/settings.json", settings);
    for (strict, fires) in [
        (json!(true), &["managed", "ant"][..]),
        (json!(["skills", "hooks"]), &["managed", "ant"]),
        (json!(["skills"]), &["managed", "user", "ant"]),
        (json!(false), &["managed", "user", "ant"]),
    ] {
        let hooks = json!({"PreToolUse": group(&machine, "managed")});
        machine.json(
            "etc/claude-code/managed-settings.json",
            json!({"strictPluginOnlyCustomization": strict, "hooks": hooks}),
        );
        let said = list(&machine, "claude-code", &machine.at("etc"));
        assert_eq!(said.fires(), fires, "{strict}");
        let why = said.why("user");
        let is_said = why.contains("those of plugins") && why.contains("managed-settings.json:");
        assert_eq!(is_said, fires.len() == 2, "{why}");
    }
    // It counts in the administrator's settings alone.
    fs::remove_dir_all(machine.at("etc/claude-code")).unwrap();
    let strict = json!({"strictPluginOnlyCustomization": true});
    machine.json("project/.claude/settings.json", strict);
    let said = list(&machine, "claude-code", &machine.at("etc"));
    assert_eq!(said.fires(), ["user", "ant"]);
}

#[test]
fn policies_are_read_by_name_and_links_are_not() {
    if !can_mount() {
        return;
    }
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    let file = |name: &str| json!({"hooks": {"preToolUse": [{"bash": machine.mark(name)}]}});
    machine.json("etc/github-copilot/policy.d/b.json", file("b"));
    machine.json("etc/github-copilot/policy.d/a.json", file("a"));
    machine.json("elsewhere.json", file("link"));
    let link = machine.at("etc/github-copilot/policy.d/c.json");
    fs::os::unix::fs::symlink(machine.at("elsewhere.json"), link).unwrap();
    machine.json("config/hooks/user.json", file("user"));
    let listing = list(&machine, "copilot-cli", &machine.at("etc"));
    assert_eq!(listing.fires(), ["a", "b", "user"]);
}
