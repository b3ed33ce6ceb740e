//! What doctor never does: it writes nothing, starts nothing, follows no path out, and tells no secret.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use fs_err as fs;
use hookkit_tests::Ran;
use serde_json::json;

use crate::Scene;
use crate::scene::{CLAUDE, COPILOT, claude, copilot, plugin, trusted};

/// A home with something in every place, much of it wrong.
fn troubled() -> Scene {
    let entry = json!({"type": "command", "command": "/gone/x || true"});
    let mut files = plugin(&json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}));
    files.push(trusted());
    files.push((
        COPILOT,
        copilot("preToolUse", json!({"bash": "touch @ROOT/ran; exit 2"})),
    ));
    files.push(("project/.github/hooks/a.json", "{".into()));
    files.push((
        "project/.claude/settings.json",
        claude("PreToolUse", "touch @ROOT/ran"),
    ));
    files.push((
        "home/.codex/config.toml",
        "[features]\nhooks = true\n".into(),
    ));
    Scene::with(&files)
}

#[test]
fn nothing_is_written_and_no_hook_is_started() {
    let scene = troubled();
    let before = scene.snapshot();
    for words in [
        &["doctor"][..],
        &["doctor", "-v"],
        &["doctor", "--json"],
        &["doctor", "--json", "--share"],
        &["doctor", "--explain", "HK404"],
    ] {
        let ran = scene.hookkit(words.iter().copied()).run();
        assert!(matches!(ran.code, Some(0 | 1)), "{words:?}: {}", ran.err());
    }
    assert!(
        before == scene.snapshot(),
        "home and project are as they were"
    );
    assert!(!scene.path("ran").exists());
}

#[test]
fn the_exit_code_says_what_was_found() {
    let run = |scene: &Scene, words: &[&str]| scene.hookkit(words.iter().copied()).run().code;
    let clean = Scene::new();
    assert_eq!(run(&clean, &["doctor", "--strict"]), Some(0));
    let warned = Scene::with(&[(CLAUDE, claude("PreToolUse", "cat || true"))]);
    assert_eq!(run(&warned, &["doctor"]), Some(0));
    assert_eq!(run(&warned, &["doctor", "--strict"]), Some(1));
    let broken = Scene::with(&[(CLAUDE, claude("PreToolUse", "/gone/x"))]);
    assert_eq!(run(&broken, &["doctor"]), Some(1));
    assert_eq!(
        run(&broken, &["doctor", "--host", "codex"]),
        Some(0),
        "another agent"
    );
    assert_eq!(run(&broken, &["doctor", "--host", "netscape"]), Some(2));
    assert_eq!(run(&broken, &["doctor", "--repo", "/nonexistent"]), Some(2));
    assert_eq!(run(&broken, &["doctor", "--explain", "HK999"]), Some(2));
}

const SECRET: &str = "hunter2hunter2";

#[test]
fn no_secret_is_told() {
    let command = format!(
        "API_TOKEN={SECRET} /gone/x --token {SECRET} || true; curl -H 'Authorization: Bearer {SECRET}' \
         https://u:{SECRET}@example.com/x?key={SECRET}"
    );
    let mut settings: serde_json::Value =
        serde_json::from_str(&claude("PreToolUse", &command)).unwrap();
    settings["env"] = json!({"NODE_OPTIONS": SECRET});
    let entry = json!({
        "type": "http", "url": format!("http://u:{SECRET}@example.com/?t={SECRET}"),
        "headers": {"X-Key": SECRET}, "env": {"KEY": SECRET},
    });
    let scene = Scene::with(&[
        (CLAUDE, settings.to_string()),
        ("project/.claude/settings.json", settings.to_string()),
        (COPILOT, copilot("preToolUse", entry)),
        ("home/.codex/hooks.json", claude("PreToolUse", &command)),
        (
            "home/.copilot/logs/a.log",
            format!("hook errored {SECRET}\n"),
        ),
    ]);
    let says_it = |ran: &Ran| ran.out().contains(SECRET) || ran.err().contains(SECRET);
    for words in [
        &["doctor", "-v"][..],
        &["doctor", "--json"],
        &["doctor", "--json", "--share"],
    ] {
        let ran = scene.hookkit(words.iter().copied()).run();
        assert!(ran.out().contains("HK201"), "it found something");
        assert!(!says_it(&ran), "{words:?}");
    }
}

#[test]
fn a_shared_report_has_no_word_of_others() {
    let scene = Scene::with(&[(CLAUDE, claude("PreToolUse", "/gone/acme-guard run"))]);
    let ran = scene.hookkit(["doctor", "--json"]).run();
    assert!(ran.out().contains("acme-guard"));
    let ran = scene.hookkit(["doctor", "--json", "--share"]).run();
    let root = scene.root().display().to_string();
    for word in ["acme-guard", &root, "settings.json"] {
        assert!(!ran.out().contains(word), "{word}");
    }
    let document = ran.json();
    assert_eq!(document["findings"][0]["code"], "HK201");
    assert_eq!(document["findings"][0]["file"], "file 1");
}

#[test]
fn what_cannot_be_read_is_said_and_nothing_is_followed_out_of_it() {
    let scene = Scene::with(&[(COPILOT, copilot("preToolUse", json!({"bash": "true"})))]);
    assert!(scene.of("HK432").is_empty());
    fs::remove_file(scene.path(COPILOT)).unwrap();
    symlink("nowhere.json", scene.path(COPILOT)).unwrap();
    let found = scene.of("HK432");
    assert_eq!(found.len(), 1);
    assert!(found[0]["what"].as_str().unwrap().contains("leads nowhere"));
    // A folder that leads to itself ends.
    symlink(".", scene.path("home/.copilot/hooks/loop")).unwrap();
    assert_eq!(scene.of("HK432").len(), 1);
    // Not for root, who may read everything.
    fs::remove_file(scene.path(COPILOT)).unwrap();
    scene.file(COPILOT, "{}");
    fs::set_permissions(scene.path(COPILOT), std::fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(scene.path(COPILOT)).is_err() {
        assert_eq!(scene.of("HK432").len(), 1);
    }
}

#[test]
fn logs_of_hosts_are_looked_through() {
    let scene = Scene::new();
    scene.file(
        "home/.copilot/logs/a.log",
        "started\nspawn /p/hookkit-dispatch ENOENT\n",
    );
    let found = scene.of("HK801");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["line"], 2);
    scene.file(
        "home/.copilot/logs/a.log",
        "started\nhook ended with exit code 0\n",
    );
    assert!(scene.of("HK801").is_empty());
    assert!(scene.of("HK213").is_empty());
    scene.file(
        "home/.copilot/logs/a.log",
        "started\nhook ended with exit code 137\n",
    );
    assert!(scene.of("HK801").is_empty(), "it did start");
    let found = scene.of("HK213");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["line"], 2);
}

#[test]
fn a_text_for_people_has_place_code_and_way_out() {
    let scene = Scene::with(&[(CLAUDE, claude("PreToolUse", "/gone/x"))]);
    let ran = scene.hookkit(["doctor"]).run();
    let out = ran.out();
    for word in [
        "settings.json:1",
        "error HK201",
        "/gone/x is missing",
        "-> ",
        "1 error",
        "--explain",
    ] {
        assert!(out.contains(word), "{word} in {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 160), "{out}");
    let quiet = scene.hookkit(["doctor", "-q"]).run();
    assert!(quiet.out().is_empty() && quiet.exited(1));
}

/// Ten thousand hooks files take less than two seconds where the program is optimised; here it must
/// only not grow faster than they do.
#[test]
fn ten_thousand_files_take_no_more_than_their_share() {
    let time = |count: usize| {
        let scene = Scene::new();
        for number in 0..count {
            let entry = copilot("preToolUse", json!({"bash": format!("true {number}")}));
            scene.file(
                &format!("home/.copilot/hooks/{}/{number}.json", number % 50),
                &entry,
            );
        }
        let ran = scene
            .hookkit(["doctor", "--json", "--host", "copilot-cli"])
            .run();
        assert_eq!(ran.json()["hosts"][0]["hooks"], count);
        ran.elapsed
    };
    let (few, many) = (time(1_000), time(10_000));
    let limit = few * 25 + std::time::Duration::from_millis(500);
    assert!(
        many < limit,
        "{few:?} for a thousand, {many:?} for ten thousand"
    );
}
