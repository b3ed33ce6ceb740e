//! The pages of docs/hosts say what the dispatcher does, and docs/doctor.md what doctor finds.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use hookkit_dispatch::host::HOSTS;
use hookkit_tests::folder::Folder;
use hookkit_tests::{process::Program, program};

fn pages(folder: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let read = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, text.replace("\r\n", "\n"))
    };
    entries.map(read).collect()
}

#[test]
fn the_page_of_each_host_is_what_the_table_says() {
    let fresh = Folder::new("pages");
    let ran = Program::new(program::hookkit())
        .args(["contracts", "--markdown"])
        .arg(&*fresh)
        .run();
    assert!(ran.exited(0));
    let fresh = pages(&fresh);
    assert_eq!(fresh.len(), HOSTS.len());
    let kept = pages(&program::repository().join("docs/hosts"));
    let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&kept), names(&fresh));
    for (name, text) in &fresh {
        assert!(
            kept[name] == *text,
            "docs/hosts/{name} is not up to date; run `cargo xtask hosts`"
        );
    }
}

#[test]
fn the_page_of_doctor_is_what_its_table_says() {
    let folder = Folder::new("pages");
    let fresh = folder.join("doctor.md");
    let ran = Program::new(program::hookkit())
        .args(["doctor", "--markdown"])
        .arg(&fresh)
        .run();
    assert!(ran.exited(0));
    let kept = std::fs::read_to_string(program::repository().join("docs/doctor.md")).unwrap();
    assert!(
        kept.replace("\r\n", "\n") == std::fs::read_to_string(fresh).unwrap(),
        "docs/doctor.md is not up to date; run `cargo xtask hosts`"
    );
}

#[test]
fn a_page_says_whether_anybody_saw_its_host() {
    let kept = pages(&program::repository().join("docs/hosts"));
    for (name, text) in &kept {
        let was_seen = ["claude-code.md", "copilot-cli.md", "codex.md"].contains(&name.as_str());
        assert_eq!(text.contains("**Not seen live**"), !was_seen, "{name}");
        assert_eq!(text.contains("Seen on the real client"), was_seen, "{name}");
        for title in [
            "## What is served",
            "## Events",
            "## What a hook can say",
            "## When a hook fails by itself",
            "## When the dispatcher itself cannot start",
            "## What a repository can switch off",
        ] {
            assert_eq!(text.matches(title).count(), 1, "{name}: {title}");
        }
    }
}
