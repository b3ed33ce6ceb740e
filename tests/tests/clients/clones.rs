//! The tree for every machine, as it arrives by git where git writes the line ends of Windows.

use fs_err as fs;
use hookkit_tests::client::Client;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, Tree, Turn, foreign, program};
use serde_json::json;

use crate::each_client;

each_client!(a_clone_with_line_ends_of_windows_is_enforced);

const ALL: [&str; 2] = ["--targets", "all"];

fn plugin() -> Plugin {
    Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash", "required": true}),
        "case $(cat) in *DENYME*) echo 'the gate says no' >&2; exit 2 ;; esac",
    )
}

fn git(words: &[&str]) {
    let who = ["-c", "user.name=x", "-c", "user.email=x@localhost"];
    let ran = Program::new("git").args(who).args(words).run();
    assert!(ran.exited(0), "git {words:?}");
}

/// Commits these files of a tree and clones them as git does on Windows.
fn clone(tree: &Tree, what: &str) -> Tree {
    let from = tree.path();
    let from = from.to_str().unwrap();
    git(&["-C", from, "init", "--quiet"]);
    git(&["-C", from, "add", "--", what]);
    git(&["-C", from, "commit", "--quiet", "--message=the tree"]);
    let folder = Folder::new("clone");
    let to = folder.join("tree");
    let to = to.to_str().unwrap();
    git(&["clone", "--quiet", "--config=core.autocrlf=true", from, to]);
    Tree::in_folder(folder)
}

/// Compares a tree with what a build makes of the plugin.
fn check(plugin: &Plugin, tree: &Tree) -> Option<Ran> {
    let home = Folder::new("home");
    let check = Program::new(program::hookkit())
        .arg("build")
        .arg(plugin.path())
        .arg("--dispatcher")
        .arg(foreign::dispatchers()?)
        .args(ALL)
        .args(["--check", "--out"])
        .arg(tree.path())
        .env("HOME", &*home);
    Some(check.run())
}

fn a_clone_with_line_ends_of_windows_is_enforced(client: &dyn Client) {
    let Some(dispatchers) = foreign::dispatchers() else {
        return;
    };
    let plugin = plugin();
    let tree = clone(&Tree::build_with(&plugin.path(), &dispatchers, &ALL), ".");
    assert!(check(&plugin, &tree).is_some_and(|ran| ran.exited(0)));
    assert_eq!(client.faults_in(&tree), [""; 0]);
    let run = |is_guarded: bool| {
        let session = client.session().turns([
            client.shell("touch DENYME"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ]);
        let session = if is_guarded {
            session.plugin(&tree)
        } else {
            session
        };
        session.run()
    };
    let seen = run(true);
    assert!(!seen.made("DENYME") && seen.made("allowed"));
    assert!(seen.model.results()[0].contains("the gate says no"));
    assert!(run(false).made("DENYME"), "the control");
}

/// The control: it is the tree's own attributes that keep git from changing it.
#[test]
fn without_the_attributes_the_selector_is_changed_and_the_check_says_so() {
    let Some(dispatchers) = foreign::dispatchers() else {
        return;
    };
    let plugin = plugin();
    let built = Tree::build_with(&plugin.path(), &dispatchers, &ALL);
    let clone = clone(&built, ":!.gitattributes");
    let selector = fs::read(clone.path().join("dispatch/hookkit-dispatch")).unwrap();
    assert!(selector.starts_with(b"#!/bin/sh\r\n"));
    let ran = check(&plugin, &clone).unwrap();
    assert!(ran.exited(1));
    for said in [
        ".gitattributes is missing",
        "dispatch/hookkit-dispatch differs from what a build makes",
    ] {
        assert!(ran.out().contains(said), "{said}: {}", ran.out());
    }
}
