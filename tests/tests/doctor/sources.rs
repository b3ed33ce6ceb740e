//! The same hook twice, switches, trust and versions.

use serde_json::{Value, json};

use crate::scene::{CLAUDE, CODEX, COPILOT, claude, claude_entry, copilot, plugin, trusted};
use crate::{Case, Scene};

const PROJECT: &str = "project/.claude/settings.json";

fn stop(command: &str) -> Value {
    json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": command}]}]}})
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let with_hooks = |more: Value| {
        let mut settings: Value = serde_json::from_str(&claude("Stop", "true")).unwrap();
        settings
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        settings.to_string()
    };
    let twice = |command: &str| {
        let mut files = plugin(&stop("cat"));
        let mut settings: Value = serde_json::from_str(&files[0].1).unwrap();
        settings["hooks"] = stop(command)["hooks"].clone();
        files[0].1 = settings.to_string();
        files
    };
    vec![
        Case {
            code: "HK601",
            with: twice("cat"),
            without: twice("true"),
        },
        Case::new(
            "HK603",
            [(CLAUDE, with_hooks(json!({"disableAllHooks": true})))],
            [(CLAUDE, with_hooks(json!({"disableAllHooks": false})))],
        ),
        Case {
            code: "HK604",
            with: [
                plugin(&stop("true")),
                vec![(PROJECT, json!({"enabledPlugins": {"guard@tools": false}}).to_string())],
            ]
            .concat(),
            without: plugin(&stop("true")),
        },
        Case::new(
            "HK606",
            [("project/.github/hooks/a.json", copilot("preToolUse", json!({"bash": "true"})))],
            [trusted(), ("project/.github/hooks/a.json", copilot("preToolUse", json!({"bash": "true"})))],
        ),
        Case::new(
            "HK607",
            [(CODEX, stop("true").to_string())],
            [
                (CODEX, stop("true").to_string()),
                ("home/.codex/config.toml", "[hooks.state.\"@ROOT/home/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:2ba34c7a02841fada06b868a093d041fd3d9de81883c789a321916b0aa118851\"\n".into()),
            ],
        ),
        Case::new(
            "HK603",
            [
                (CODEX, stop("true").to_string()),
                ("home/.codex/config.toml", "[features]\nhooks = false\n".into()),
            ],
            [
                (CODEX, stop("true").to_string()),
                ("home/.codex/config.toml", "[features]\nhooks = true\n".into()),
            ],
        ),
        Case::new(
            "HK609",
            [
                ("home/.config/Code/User/settings.json", json!({"chat.useHooks": false}).to_string()),
                ("project/.github/hooks/a.json", copilot("preToolUse", json!({"bash": "true"}))),
            ],
            [
                ("home/.config/Code/User/settings.json", json!({"chat.useHooks": true}).to_string()),
                ("project/.github/hooks/a.json", copilot("preToolUse", json!({"bash": "true"}))),
            ],
        ),
        Case::new(
            "HK610",
            [(PROJECT, json!({"env": {"NODE_OPTIONS": "--require ./x"}}).to_string())],
            [(PROJECT, json!({"env": {"COLUMNS": "80"}}).to_string())],
        ),
        Case::new(
            "HK611",
            [(CLAUDE, claude("SessionEnd", "true"))],
            [(CLAUDE, claude_entry("SessionEnd", json!({"type": "command", "command": "true", "timeout": 5})))],
        ),
        Case {
            code: "HK105",
            with: vec![
                (
                    "home/.copilot/config.json",
                    json!({"installedPlugins": [{
                        "name": "guard", "marketplace": "", "version": "1.0.0", "enabled": true,
                        "installed_at": "2026-01-01T00:00:00Z",
                        "cache_path": "@ROOT/home/.copilot/installed-plugins/_direct/guard",
                        "source": {"source": "local", "path": "@ROOT/guard"},
                    }]})
                    .to_string(),
                ),
                (
                    "home/.copilot/installed-plugins/_direct/guard/plugin.json",
                    json!({"name": "guard"}).to_string(),
                ),
            ],
            without: plugin(&stop("true")),
        },
        Case {
            code: "HK101",
            with: vec![
                ("home/.copilot/settings.json", json!({"enabledPlugins": {"guard@tools": true}}).to_string()),
                (
                "home/.copilot/config.json",
                json!({"installedPlugins": [{
                    "name": "guard", "marketplace": "tools", "version": "1.0.0", "enabled": true,
                    "installed_at": "2026-01-01T00:00:00Z",
                    "cache_path": "@ROOT/home/.copilot/installed-plugins/tools/guard",
                }]})
                .to_string(),
            )],
            without: plugin(&stop("true")),
        },
        Case::new(
            "HK103",
            [("home/.claude/plugins/cache/tools/guard/1.0.0/.orphaned_at", "1".into())],
            [("home/.claude/plugins/cache/tools/guard/1.0.0/plugin.json", "{}".into())],
        ),
        Case {
            code: "HK102",
            with: {
                let mut files = plugin(&stop("true"));
                files.retain(|(path, _)| !path.starts_with("tools/"));
                files
            },
            without: plugin(&stop("true")),
        },
    ]
}

/// A repository's plugin stands in two files that VS Code's Local agent reads, in another form each.
#[test]
fn a_repositorys_plugin_that_vs_code_starts_twice_is_found() {
    let line = |place: &str| format!("{place}.github/hookkit/guard/dispatch/hookkit-dispatch");
    let scene = Scene::with(&[
        (
            "project/.github/hooks/guard.json",
            copilot(
                "preToolUse",
                json!({"bash": "bash .github/hookkit/guard/run.sh --event PreToolUse"}),
            ),
        ),
        (
            PROJECT,
            claude("PreToolUse", &line("${CLAUDE_PROJECT_DIR}/")),
        ),
        ("home/.config/Code/User/settings.json", "{}".to_owned()),
    ]);
    let found = || {
        let mut found = scene.of("HK601");
        found.retain(|one| one["host"] == "vscode-local");
        found
    };
    assert_eq!(found(), [] as [Value; 0], "chat.useClaudeHooks is off");
    let settings = json!({"chat.useClaudeHooks": true}).to_string();
    scene.file("home/.config/Code/User/settings.json", &settings);
    let twice = found();
    assert_eq!(twice.len(), 1, "{twice:#?}");
    assert!(
        twice[0]["what"].as_str().unwrap().contains("starts guard"),
        "{twice:#?}"
    );
    scene.file(
        PROJECT,
        &claude(
            "PreToolUse",
            &line("${CLAUDE_PROJECT_DIR}/").replace("guard", "other"),
        ),
    );
    assert_eq!(found(), [] as [Value; 0], "another plugin");
    scene.file(PROJECT, &claude("Stop", &line("${CLAUDE_PROJECT_DIR}/")));
    assert_eq!(found(), [] as [Value; 0], "another event");
}

/// A single hook that is switched off; the key is that of the entry, as Copilot CLI 1.0.102 has it.
#[test]
fn a_hook_that_is_switched_off_by_itself_is_found() {
    let key = "42bad234f5d1a516ba7733041d08840504bcf2e2bf2830507e925e6e53455046";
    let scene = Scene::with(&[(COPILOT, copilot("preToolUse", json!({"bash": "echo a"})))]);
    let settings = |key: &str| json!({"disabledHooks": [key]}).to_string();
    scene.file(
        "home/.copilot/settings.json",
        &settings(&key.replace('4', "5")),
    );
    assert!(scene.of("HK612").is_empty(), "another hook");
    scene.file("home/.copilot/settings.json", &settings(key));
    let found = scene.of("HK612");
    assert_eq!(found.len(), 1, "{found:#?}");
    let what = found[0]["what"].as_str().unwrap();
    assert!(
        what.contains("may refuse") && what.contains("settings.json:1"),
        "{what}"
    );
    assert!(found[0]["file"].as_str().unwrap().ends_with("hooks/a.json"));
}

/// The same list with something else in it takes all of the user's settings with it.
#[test]
fn a_bad_list_of_disabled_hooks_is_found() {
    let file = "home/.copilot/settings.json";
    for bad in [json!(["x", 7]), json!(null)] {
        let bad = json!({"disabledHooks": bad}).to_string();
        let sound = json!({"disabledHooks": ["x"]}).to_string();
        Case::new("HK435", [(file, bad)], [(file, sound)]).check();
    }
}

#[test]
fn switches_doubles_and_lost_plugins_are_found() {
    cases().iter().for_each(Case::check);
}

#[test]
fn a_switch_is_said_before_all_other_errors() {
    let mut settings: Value = serde_json::from_str(&claude("Stop", "/gone/x")).unwrap();
    settings["disableAllHooks"] = json!(true);
    let scene = Scene::with(&[
        (CLAUDE, settings.to_string()),
        (COPILOT, copilot("preToolUse", json!({"exec": "/gone/x"}))),
    ]);
    let findings = scene.findings();
    assert_eq!(findings[0]["code"], "HK603");
    let said = findings[0]["what"].as_str().unwrap();
    assert!(
        said.contains("switched off by") && said.contains("settings.json:1"),
        "{said}"
    );
}

/// A client of an old version, as npm lays it out.
fn client(scene: &Scene, package: &str, name: &str, version: &str) -> Vec<Value> {
    scene.file(
        &format!("lib/node_modules/{package}/package.json"),
        &json!({"name": package, "version": version}).to_string(),
    );
    scene.file(&format!("lib/node_modules/{package}/{name}"), "#!/bin/sh\n");
    let folder = scene.path(&format!("lib/node_modules/{package}"));
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let document = scene
        .hookkit(["doctor", "--json"])
        .env("PATH", path)
        .run()
        .json();
    let mut findings = document["findings"].as_array().unwrap().clone();
    findings.retain(|finding| finding["code"] == "HK608");
    findings
}

#[test]
fn versions_with_known_faults_are_found() {
    for (package, name, version, expected) in [
        ("@anthropic-ai/claude-code", "claude", "2.1.100", 3),
        ("@anthropic-ai/claude-code", "claude", "2.1.197", 2),
        ("@anthropic-ai/claude-code", "claude", "2.1.332", 0),
        ("@github/copilot", "copilot", "1.0.60", 2),
        ("@github/copilot", "copilot", "1.0.102", 0),
    ] {
        let found = client(&Scene::new(), package, name, version);
        assert_eq!(found.len(), expected, "{package} {version}: {found:#?}");
    }
}
