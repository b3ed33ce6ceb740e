//! `hookkit doctor --ask-hosts`: where the real clients and hookkit agree nothing is said, and what a
//! client alone can know is.

use std::fmt::Write as _;

use hookkit_tests::client::{Client, Places};
use hookkit_tests::{client_or_skip, program};
use serde_json::json;

use crate::machine::Machine;

/// The findings of these codes, with the client on the PATH.
fn said(machine: &Machine, client: &dyn Client, host: &str) -> Vec<String> {
    let folder = client.file().parent().unwrap().display().to_string();
    let ran = machine
        .hookkit(["doctor", "--json", "--ask-hosts", "--host", host])
        .env("PATH", format!("{folder}:{}", program::search_path()))
        .env("COPILOT_PROVIDER_BASE_URL", "http://127.0.0.1:9/v1")
        .env("COPILOT_PROVIDER_API_KEY", "test")
        .env("COPILOT_MODEL", "test")
        .run();
    let findings = ran.json()["findings"].as_array().unwrap().clone();
    findings
        .into_iter()
        .filter(|one| one["code"] == "HK811" || one["code"] == "HK812")
        .map(|one| format!("{} {}", one["code"].as_str().unwrap(), one["what"]))
        .collect()
}

#[test]
fn copilot_says_what_only_it_knows() {
    let client = client_or_skip!(copilot);
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    let hooks = json!({"hooks": {"preToolUse": [{"type": "command", "bash": "true"}]}});
    machine.json("config/hooks/a.json", hooks.clone());
    machine.json("project/.github/hooks/b.json", hooks);
    machine.json(
        "config/config.json",
        json!({"trustedFolders": [places.project()]}),
    );
    let own = client.hooks(&places);
    assert_eq!(said(&machine, client, "copilot-cli"), [""; 0]);

    // One hook is switched off by a key that the client makes of what is in it, and both know.
    let key = own["hooks"][0]["disableKey"].as_str().unwrap();
    machine.json("config/settings.json", json!({"disabledHooks": [key]}));
    assert_eq!(client.hooks(&places)["hooks"][0]["enabled"], false);
    assert_eq!(said(&machine, client, "copilot-cli"), [""; 0]);

    machine.json(
        "project/.github/hooks/c.json",
        json!({"version": 7, "hooks": {}}),
    );
    let after = said(&machine, client, "copilot-cli");
    assert!(
        after
            .iter()
            .any(|one| one.contains("HK812") && one.contains("c.json")),
        "{after:?}"
    );
}

#[test]
fn codex_says_whether_trust_still_fits() {
    let client = client_or_skip!(codex);
    let places = Places::new();
    let machine = Machine::of("codex", &places);
    let file = |timeout: u32| {
        let hook = json!({"type": "command", "command": "true", "timeout": timeout});
        json!({"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    };
    machine.json("config/hooks.json", file(5));
    let quiet = "check_for_update_on_startup = false\n[analytics]\nenabled = false\n[features]\n\
                 daemon_auto_start = false\nremote_plugin = false\n";
    machine.put("config/config.toml", quiet);
    assert_eq!(
        said(&machine, client, "codex"),
        [""; 0],
        "both say that it is not trusted"
    );
    let mut config = quiet.to_owned();
    let own = client.hooks(&places);
    assert_eq!(own["hooks"].as_array().unwrap().len(), 1, "{own}");
    for hook in own["hooks"].as_array().unwrap() {
        let _ = write!(
            config,
            "[hooks.state.{}]\ntrusted_hash = {}\n",
            hook["key"], hook["currentHash"]
        );
    }
    machine.put("config/config.toml", config);
    assert_eq!(
        said(&machine, client, "codex"),
        [""; 0],
        "both say that it is trusted"
    );
    machine.json("config/hooks.json", file(6));
    assert_eq!(
        said(&machine, client, "codex"),
        [""; 0],
        "both say that it has changed"
    );
    let changed = machine.list([]).sources()[0]["hooks"][0]["why"].clone();
    assert!(
        changed.as_str().unwrap().contains("has changed"),
        "{changed}"
    );
}

#[test]
fn claude_says_what_its_registry_finds_wrong() {
    let client = client_or_skip!(claude);
    let places = Places::new();
    let machine = Machine::of("claude-code", &places);
    let hooks =
        json!({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}});
    let manifest = json!({"name": "ant", "version": "1.0.0", "description": "An ant", "author": {"name": "Somebody"}});
    machine.market(
        "ark",
        "ant",
        &[
            (".claude-plugin/plugin.json", manifest.to_string()),
            ("hooks/hooks.json", hooks.to_string()),
        ],
    );
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", true)]),
    );
    assert_eq!(said(&machine, client, "claude-code"), [""; 0]);
    let folder = machine.at("ark").display().to_string();
    for words in [
        ["marketplace", "add", &folder],
        ["install", "ant@ark", "--scope=user"],
    ] {
        let ran = client.program(&places).arg("plugin").args(words).run();
        assert!(ran.exited(0), "{}", ran.err());
    }
    assert_eq!(said(&machine, client, "claude-code"), [""; 0]);
    fs_err::rename(machine.at("ark"), machine.at("moved")).unwrap();
    let after = said(&machine, client, "claude-code");
    assert!(
        after
            .iter()
            .any(|one| one.contains("HK812") && one.contains("ant@ark")),
        "{after:?}"
    );
}
