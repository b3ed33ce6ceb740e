//! What stands in the files, and what is said to whoever writes them.

use std::os::unix::fs::PermissionsExt as _;

use fs_err as fs;
use hookkit_tests::program;
use serde_json::{Value, json};

use crate::{FILE, FOLDER, RECORD, Repository, SETTINGS, gate};

#[test]
fn nothing_tracked_names_a_place_or_a_person_of_this_machine() {
    let repository = Repository::new(Some("{\n  \"model\": \"opus\"\n}\n"));
    let plugin = gate("1.0.0", "No.");
    repository.installs(&plugin);
    repository.commit();
    let listed = repository.git(&["ls-files"]);
    let places = [
        plugin.path(),
        repository.places.root().to_owned(),
        program::repository(),
        "/home/".into(),
        "/root/".into(),
        "/tmp/".into(),
        "/Users/".into(),
    ];
    let mut read = 0;
    for name in listed.lines() {
        let content = fs::read(repository.join(name)).unwrap();
        // The dispatcher itself is what it is.
        let Ok(text) = String::from_utf8(content) else {
            assert!(name.ends_with("hookkit-dispatch"), "{name}");
            continue;
        };
        read += 1;
        for place in &places {
            assert!(
                !text.contains(place.to_str().unwrap()),
                "{name}: {}",
                place.display()
            );
        }
    }
    assert!(read > 8, "{listed}");
    // The control: what a user's own installation writes does name them.
    let ran = repository.uninstall("gatekeeper").run();
    assert!(ran.exited(0));
    let ran = repository
        .hookkit(&["install", "--yes", "--host", "claude-code"])
        .arg(plugin.path())
        .run();
    assert!(ran.exited(0), "{}", ran.err());
    let settings = fs::read_to_string(repository.places.config().join("settings.json")).unwrap();
    assert!(settings.contains(repository.places.root().to_str().unwrap()));
}

#[test]
fn claude_code_is_told_in_exec_form_that_copilot_starts_nothing_of() {
    let repository = Repository::new(None);
    repository.installs(&gate("1.0.0", "No."));
    let settings = repository.document(SETTINGS);
    let group = &settings["hooks"]["PreToolUse"][0];
    assert_eq!(group["matcher"], "Bash|Write");
    let handler = &group["hooks"][0];
    let program = format!("${{CLAUDE_PROJECT_DIR}}/{FOLDER}/dispatch/hookkit-dispatch");
    assert_eq!(handler["command"], json!(program));
    assert_eq!(
        (&handler["bash"], &handler["powershell"]),
        (&json!(""), &json!(""))
    );
    assert_eq!(handler["onFailure"], "block");
    let args = handler["args"].as_array().unwrap();
    assert!(args.contains(&json!("--if-missing")) && args.contains(&json!("deny")));
}

#[test]
fn modes_are_those_of_a_repository() {
    let repository = Repository::new(None);
    repository.installs(&gate("1.0.0", "No."));
    let mode = |name: &str| {
        let about = fs::metadata(repository.join(name)).unwrap();
        about.permissions().mode() & 0o777
    };
    let selector = format!("{FOLDER}/dispatch/hookkit-dispatch");
    for (name, expected) in [
        (".claude", 0o755),
        (SETTINGS, 0o644),
        (".github/hooks", 0o755),
        (FILE, 0o644),
        (FOLDER, 0o755),
        (RECORD, 0o644),
        (selector.as_str(), 0o755),
    ] {
        assert_eq!(mode(name), expected, "{name}");
    }
    repository.commit();
    let staged = repository.git(&["ls-files", "--stage", FOLDER]);
    let programs = staged.lines().filter(|line| line.starts_with("100755"));
    assert_eq!(programs.count(), 2, "{staged}");
}

/// Where git sees no executable bits, as on Windows, they are lost on the way to everybody.
#[test]
fn a_lost_executable_bit_is_named() {
    let repository = Repository::new(None);
    let plugin = gate("1.0.0", "No.");
    repository.git(&["config", "core.fileMode", "false"]);
    repository.installs(&plugin);
    repository.commit();
    let ran = repository.install(&plugin, &["--check"]).run();
    assert!(ran.exited(1), "{}", ran.err());
    assert!(
        ran.out().contains("has no executable bit in git"),
        "{}",
        ran.out()
    );
    let selector = format!("{FOLDER}/dispatch/hookkit-dispatch");
    let dispatcher = format!(
        "{FOLDER}/dispatch/linux-{}/hookkit-dispatch",
        std::env::consts::ARCH
    );
    let words = ["update-index", "--chmod=+x", &selector, &dispatcher];
    repository.git(&words);
    assert!(repository.install(&plugin, &["--check"]).run().exited(0));
}

#[test]
fn what_it_is_not_is_said() {
    let repository = Repository::new(None);
    repository.write(".gitignore", ".claude/\n");
    let plugin = gate("1.0.0", "No.");
    let ran = repository.install(&plugin, &["--dry-run"]).run();
    assert!(ran.out().contains("git ignores") && ran.out().contains("--targets all"));
    let out = repository.installs(&plugin).out();
    for said in [
        "for a session that starts in the root of the repository",
        "in a folder that its user trusts",
        "from the default branch",
        "An agent can change its own checkout",
    ] {
        assert!(out.contains(said), "{said}: {out}");
    }
}

#[test]
fn the_plan_is_one_document_and_changes_nothing() {
    let repository = Repository::new(None);
    let before = repository.snapshot();
    let plugin = gate("1.0.0", "No.");
    let plan = |more: &[&str]| repository.install(&plugin, more).run();
    let ran = plan(&["--dry-run", "--json"]);
    let document: Value = serde_json::from_str(&ran.out()).unwrap();
    assert_eq!(
        (&document["schema"], &document["done"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(document["scope"], "project");
    let does: Vec<_> = document["steps"].as_array().unwrap().iter().collect();
    let last = does.last().unwrap();
    assert_eq!(last["does"], "edit", "what Claude Code is told comes last");
    assert!(
        last["diff"]
            .as_str()
            .unwrap()
            .contains("CLAUDE_PROJECT_DIR")
    );
    assert!(plan(&[]).exited(3), "nobody is asked without a terminal");
    assert_eq!(repository.snapshot(), before);
    let ran = plan(&["--yes", "--json"]);
    let document: Value = serde_json::from_str(&ran.out()).unwrap();
    assert_eq!(document["done"], true);
    let ran = plan(&["--yes"]);
    assert!(ran.exited(0) && ran.out().contains("Nothing to do"));
}

#[test]
fn options_of_a_repository_are_for_repositories() {
    let repository = Repository::new(None);
    let plugin = gate("1.0.0", "No.");
    for word in ["--bash-only", "--check"] {
        let ran = repository
            .hookkit(&["install", word])
            .arg(plugin.path())
            .run();
        assert!(ran.exited(2) && ran.err().contains("is for --scope project"));
    }
    let ran = repository.install(&plugin, &["--host", "codex"]).run();
    assert!(ran.exited(2) && ran.err().contains("reads nothing that hookkit writes"));
}
