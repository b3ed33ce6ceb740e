//! What is written, and what is left alone.

use std::collections::BTreeSet;
use std::os::unix::fs::{MetadataExt, symlink};

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, program};
use serde_json::{Value, json};

use crate::{FILE, FOLDER, RECORD, Repository, change, dispatcher, install, plugin, target};

fn files(repository: &Repository) -> BTreeSet<String> {
    let ran = Program::new("git")
        .arg("-C")
        .arg(&repository.path)
        .args(["-c", "core.quotePath=false", "ls-files", "--others"])
        .run();
    ran.out().lines().map(str::to_owned).collect()
}

#[test]
fn the_plugin_lies_in_one_folder_and_is_told_by_one_file() {
    let plugin = plugin().file("hooks/own.json", r#"{"hooks":{}}"#, 0o644);
    let repository = Repository::new("project").with(&plugin);
    let below: Vec<String> = [
        ".gitattributes",
        "SHA256SUMS",
        "dispatch/README",
        "dispatch/hookkit-dispatch",
        &format!("dispatch/{}/hookkit-dispatch", target()),
        "hookkit.json",
        "hooks/end.sh",
        "hooks/gate.sh",
        "hooks/own.json",
        "run.ps1",
        "run.sh",
    ]
    .map(|path| format!("{FOLDER}/{path}"))
    .to_vec();
    let mut expected: BTreeSet<String> = below.into_iter().collect();
    expected.extend([FILE.to_owned(), RECORD.to_owned()]);
    assert_eq!(files(&repository), expected);
    let ran = Program::new("sha256sum")
        .args(["--check", "--strict", "--quiet", "SHA256SUMS"])
        .cwd(repository.join(FOLDER))
        .run();
    assert!(ran.exited(0));
    let sums = fs::read_to_string(repository.join(FOLDER).join("SHA256SUMS")).unwrap();
    assert_eq!(sums.lines().count() + 3, expected.len());
}

#[test]
fn nothing_says_where_or_by_whom_it_was_built() {
    let plugin = plugin();
    let repository = Repository::new("project").with(&plugin);
    let places = [
        plugin.path(),
        plugin.project(),
        repository.path.clone(),
        program::repository(),
    ];
    for name in files(&repository) {
        let content = fs::read(repository.join(&name)).unwrap();
        // The dispatcher itself is what it is.
        let Ok(text) = String::from_utf8(content) else {
            assert!(name.ends_with("hookkit-dispatch"));
            continue;
        };
        for place in &places {
            assert!(!text.contains(place.to_str().unwrap()), "{name}");
        }
    }
}

#[test]
fn a_second_build_changes_nothing() {
    let plugin = plugin();
    let repository = Repository::new("project").with(&plugin);
    let inodes = || {
        let inode = |name: String| fs::metadata(repository.join(&name)).unwrap().ino();
        files(&repository)
            .into_iter()
            .map(inode)
            .collect::<Vec<_>>()
    };
    let before = inodes();
    assert!(install(&plugin, &repository.path, &[]).exited(0));
    assert_eq!(inodes(), before);
}

#[test]
fn drift_is_named() {
    let plugin = plugin();
    let repository = Repository::new("project");
    let check = || change(&plugin, &repository.path, &["--check"]);
    let ran = check();
    assert!(ran.exited(1) && ran.out().contains(FOLDER));
    assert!(install(&plugin, &repository.path, &[]).exited(0));
    assert!(check().exited(0));
    for (name, code) in [
        (FILE.to_owned(), 1),
        (format!("{FOLDER}/hooks/gate.sh"), 3),
        (dispatcher(), 3),
    ] {
        let before = fs::read(repository.join(&name)).unwrap();
        fs::write(repository.join(&name), [&before[..], b"\n"].concat()).unwrap();
        let ran = check();
        assert!(ran.exited(code), "{name}");
        let said = ran.out() + &ran.err();
        let inside = name.strip_prefix(&format!("{FOLDER}/")).unwrap_or(&name);
        assert!(said.contains(inside), "{name}: {said}");
        fs::write(repository.join(&name), before).unwrap();
    }
    let changed = plugin.file("README.md", "# Demo\n", 0o644);
    let ran = change(&changed, &repository.path, &["--check"]);
    assert!(ran.exited(1) && ran.out().contains(FOLDER));
    assert!(install(&changed, &repository.path, &[]).exited(0));
    assert!(change(&changed, &repository.path, &["--check"]).exited(0));
}

/// Refused, and everything is as it was.
fn is_refused(plugin: &Plugin, repository: &Repository, words: &str) {
    let before = files(repository);
    let ran = install(plugin, &repository.path, &[]);
    assert!(ran.exited(3) && ran.err().contains(words), "{words}");
    assert_eq!(files(repository), before);
}

#[test]
fn what_no_build_made_is_not_overwritten() {
    let repository = Repository::new("project");
    fs::create_dir_all(repository.join(".github/hooks")).unwrap();
    for theirs in [
        "{",
        r#"{"version":1,"hooks":{}}"#,
        r#"{"version":1,"hooks":{"preToolUse":[{"bash":"echo"}]}}"#,
        r#"{"hooks":{"preToolUse":[{"bash":"bash .github/hookkit/demo/run.sh x"},{"bash":"./mine.sh"}]}}"#,
    ] {
        fs::write(repository.join(FILE), theirs).unwrap();
        is_refused(&plugin(), &repository, "was not made by hookkit");
        assert_eq!(fs::read_to_string(repository.join(FILE)).unwrap(), theirs);
    }
    let repository = Repository::new("project");
    fs::create_dir_all(repository.join(FOLDER)).unwrap();
    fs::write(repository.join(FOLDER).join("mine"), "x").unwrap();
    is_refused(&plugin(), &repository, "was not made by hookkit");
}

#[test]
fn what_was_changed_since_is_not_overwritten() {
    for name in ["hooks/gate.sh", "hooks/new.sh", "run.sh", "SHA256SUMS"] {
        let repository = Repository::guarded();
        let file = repository.join(FOLDER).join(name);
        let before = fs::read(&file).unwrap_or_default();
        let changed = [&before[..], b"# by hand\n"].concat();
        fs::write(&file, &changed).unwrap();
        let plugin = plugin().file("README.md", "# Demo\n", 0o644);
        if name == "SHA256SUMS" {
            // A line more in the list itself names no file.
            assert!(install(&plugin, &repository.path, &[]).exited(0));
            continue;
        }
        is_refused(&plugin, &repository, name);
        assert_eq!(fs::read(&file).unwrap(), changed);
    }
}

#[test]
fn a_link_in_the_repository_is_not_followed() {
    for link in [
        ".github",
        ".github/hooks",
        ".github/hookkit",
        FOLDER,
        FILE,
        RECORD,
    ] {
        let repository = Repository::new("project");
        let outside = repository.folder.join("outside");
        fs::create_dir(&outside).unwrap();
        let link = repository.join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&outside, &link).unwrap();
        is_refused(&plugin(), &repository, "is a link, or lies behind one");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    }
}

#[test]
fn only_a_repository_will_do() {
    let repository = Repository::new("project");
    let outside = repository.folder.join("home");
    let ran = install(&plugin(), &outside, &[]);
    assert!(ran.exited(3) && ran.err().contains("is in no git repository"));
    fs::create_dir(repository.join("inner")).unwrap();
    assert!(install(&plugin(), &repository.join("inner"), &[]).exited(0));
    assert!(repository.join(FILE).is_file(), "its root is meant");
}

#[test]
fn what_copilot_cannot_be_told_is_refused() {
    let cloud = json!({"id": "a", "event": "PreToolUse", "hosts": ["copilot-cloud"]});
    let claude = json!({"id": "a", "event": "PreToolUse", "hosts": ["claude-code"]});
    let repository = Repository::new("project");
    for (entry, words) in [
        (cloud, "name copilot-cli in its `hosts`"),
        (claude, "there is nothing to write"),
    ] {
        is_refused(&Plugin::new("demo").sh(entry, ""), &repository, words);
    }
}

#[test]
fn bash_only_leaves_windows_out() {
    let repository = Repository::new("project");
    let ran = install(&plugin(), &repository.path, &["--bash-only"]);
    assert!(ran.exited(0));
    let text = fs::read_to_string(repository.join(FILE)).unwrap();
    assert!(!text.contains("powershell\"") && text.contains("run.sh"));
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["version"], 1);
    let keys: Vec<_> = document["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["agentStop", "preToolUse", "subagentStop"]);
}
