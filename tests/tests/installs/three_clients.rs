//! One plugin for all agents of one person.

use std::path::PathBuf;

use fs_err as fs;
use hookkit_tests::client::{Client, Places, Seen};
use hookkit_tests::{Turn, client_or_skip, program};

use crate::Home;

const PUSH: &str = "git push --force origin main; touch pushed";

/// What each of them has there beforehand.
const BEFORE: [(&str, &str); 4] = [
    ("home/.claude/settings.json", "{\n\t\"model\": \"opus\"\n}"),
    (
        "config/settings.json",
        "{\r\n  // mine\r\n  \"theme\": \"dark\",\r\n}\r\n",
    ),
    (
        "home/.codex/config.toml",
        "# mine\nsandbox_mode = \"read-only\"   # yes\n[features]\nweb_search = true",
    ),
    (
        "home/.config/Code/User/settings.json",
        "{\n    // mine\n    \"editor.fontSize\": 14,\n}\n",
    ),
];

fn at(places: &Places, file: &str) -> PathBuf {
    places.root().join(file)
}

/// `examples/guard-rails` for all agents that are found: each says what it enforces, one session of
/// each proves it, and every byte comes back.
#[test]
fn guard_rails_are_enforced_by_every_client_and_leave_nothing() {
    let (claude, copilot, codex) = (
        client_or_skip!(claude),
        client_or_skip!(copilot),
        client_or_skip!(codex),
    );
    if !program::needs(&["python3"]) {
        return;
    }
    let first = claude.session().keep_settings();
    let places = first.places();
    for (file, text) in BEFORE {
        let file = at(places, file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let home = Home::of("copilot-cli", places);
    let clients = [claude, copilot, codex];
    let ran = home
        .beside(&clients, ["install", "--yes", "--trust"])
        .arg(program::repository().join("examples/guard-rails"))
        .run();
    assert!(ran.exited(0), "{}", ran.err());
    let said = ran.out();
    for client in clients {
        let line = format!("{:12} runs on ", client.host());
        let named = said.lines().filter(|told| told.contains(&line));
        let events = named.map(|told| told.contains("PreToolUse (required)"));
        assert_eq!(events.collect::<Vec<_>>(), [true], "{line}: {said}");
    }
    assert!(
        said.contains("vscode-local runs on ") && !said.contains("not enforced"),
        "{said}"
    );

    let claude_home = at(places, "home/.claude");
    let codex_home = at(places, "home/.codex");
    let turns = |client: &dyn Client| {
        [
            client.shell(PUSH),
            client.shell("touch allowed"),
            Turn::text("done"),
            Turn::text("there are none"),
        ]
    };
    let is_guarded = |seen: &Seen| {
        assert!(seen.ran.exited(0));
        assert!(seen.model.results()[0].contains("force-push"), "{seen}");
        assert!(!seen.made("pushed") && seen.made("allowed"), "{seen}");
        fs::remove_file(seen.project("allowed")).unwrap();
    };
    let seen = first
        .env("CLAUDE_CONFIG_DIR", claude_home.to_str().unwrap())
        .turns(turns(claude))
        .run();
    is_guarded(&seen);
    let next = |client: &'static dyn Client| client.session().keep_settings().in_folders_of(&seen);
    is_guarded(&next(copilot).turns(turns(copilot)).run());
    let session = next(codex).env("CODEX_HOME", codex_home.to_str().unwrap());
    is_guarded(&session.turns(turns(codex)).run());

    let places = seen.places();
    let home = Home::of("copilot-cli", places);
    home.uninstalls("guard-rails");
    for (file, text) in BEFORE {
        let there = fs::read_to_string(at(places, file)).unwrap();
        assert_eq!(there, text, "{file}");
    }
    assert!(!home.data("").exists());
    let left: Vec<String> = home.snapshot().into_keys().collect();
    // Claude Code names its records after the folder that it was in.
    let is_ours = |name: &&String| name.contains("hookkit") && !name.contains("/projects/");
    assert_eq!(left.iter().filter(is_ours).collect::<Vec<_>>(), [""; 0]);
}
