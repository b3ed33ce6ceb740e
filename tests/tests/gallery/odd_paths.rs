//! The selector starts the dispatcher wherever the tree stands, and from wherever it is started.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::Ran;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload};
use serde_json::json;

use crate::shells;
use crate::{ARGUMENTS, allowed, plugin, refused};

const ODD: [&str; 6] = [
    "plain",
    "with two  blanks ",
    "quotes ' and \"",
    "$HOME `id` $(id) ; & | * ? [a]",
    "-dash",
    "\u{e9}\u{4e2d}\nand a line",
];

/// The plugin's tree in a folder of this name.
fn tree_in(folder: &Folder, name: &str, plugin: &Plugin) -> PathBuf {
    let place = folder.join(name);
    let built = Program::new(hookkit_tests::program::hookkit())
        .args(["build", "-q"])
        .arg(plugin.path())
        .arg("--dispatcher")
        .arg(hookkit_tests::program::dispatcher())
        .arg("--out")
        .arg(&place)
        .run();
    assert!(built.exited(0), "a tree is built in {}", place.display());
    place.join("dispatch")
}

fn denies(ran: &Ran) -> bool {
    ran.exited(0)
        && ran.json()["hookSpecificOutput"]["permissionDecision"] == "deny"
        && ran.out().contains("the gate says no")
}

fn says_nothing(ran: &Ran) -> bool {
    ran.exited(0) && ran.stdout.is_empty() && ran.stderr.is_empty()
}

#[test]
fn every_shell_starts_it_from_every_path() {
    let folder = Folder::new("odd");
    let plugin = plugin();
    for name in ODD {
        let dispatch = tree_in(&folder, name, &plugin);
        let selector = dispatch.join("hookkit-dispatch");
        for shell in shells::all() {
            let start = || shell.run(&selector).args(ARGUMENTS).cwd("/");
            let what = format!("{} in {name:?}", shell.name);
            assert!(denies(&start().stdin(refused()).run()), "{what}");
            assert!(says_nothing(&start().stdin(allowed()).run()), "{what}");
        }
        // As the system starts a script.
        let start = || Program::new(&selector).args(ARGUMENTS).cwd("/");
        assert!(denies(&start().stdin(refused()).run()), "{name:?}");
        assert!(says_nothing(&start().stdin(allowed()).run()), "{name:?}");
    }
}

#[test]
fn a_relative_name_and_a_bare_one_are_enough() {
    let folder = Folder::new("relative");
    let dispatch = tree_in(&folder, "a tree", &plugin());
    for shell in shells::all() {
        for (cwd, name) in [
            (dispatch.as_path(), "hookkit-dispatch"),
            (dispatch.as_path(), "./hookkit-dispatch"),
            (&*folder, "a tree/dispatch/hookkit-dispatch"),
        ] {
            let start = shell.run(Path::new(name)).args(ARGUMENTS).cwd(cwd);
            assert!(
                denies(&start.stdin(refused()).run()),
                "{} {name}",
                shell.name
            );
        }
    }
}

#[test]
fn each_host_gets_its_own_form_through_it() {
    let folder = Folder::new("hosts");
    let selector = tree_in(&folder, "tree", &plugin()).join("hookkit-dispatch");
    let sent = payload::copilot::pre_tool_use("Bash", json!({"command": "touch DENYME"}));
    let ran = Program::new(&selector)
        .args(["--host", "copilot-cli", "--event", "PreToolUse"])
        .stdin(sent)
        .run();
    assert_eq!(
        ran.json(),
        json!({"permissionDecision": "deny", "permissionDecisionReason": "the gate says no"})
    );
}

/// VS Code's Local harness runs these strings, with the root's path put in beforehand.
#[test]
fn the_line_for_a_shell_runs_in_every_shell() {
    let folder = Folder::new("line");
    for name in ["tree", "with two  blanks", "it's"] {
        let dispatch = tree_in(&folder, name, &plugin());
        let root = dispatch.parent().unwrap();
        let file = fs::read(root.join("hooks/hooks.json")).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&file).unwrap();
        let handler = &document["hooks"]["PreToolUse"][0]["hooks"][0];
        for key in ["linux", "osx"] {
            let line = handler[key].as_str().unwrap();
            let line = line.replace("${CLAUDE_PLUGIN_ROOT}", &root.to_string_lossy());
            for shell in shells::all() {
                let (program, words) = shell.command();
                let start = Program::new(program).args(words).args(["-c", &line]);
                let what = format!("{} runs {line}", shell.name);
                assert!(denies(&start.stdin(refused()).run()), "{what}");
            }
        }
    }
}

/// No process stands between the host and the dispatcher: a signal reaches it, and a timeout.
#[test]
fn the_dispatcher_takes_the_place_of_the_selector() {
    let folder = Folder::new("place");
    let dispatch = tree_in(&folder, "tree", &plugin());
    let stub = dispatch.join(crate::machines::here());
    fs::write(folder.join("stub"), "#!/bin/sh\necho $$\n").unwrap();
    crate::machines::install(&folder.join("stub"), &stub);
    for shell in shells::all() {
        let (program, words) = shell.command();
        let child = std::process::Command::new(program)
            .args(words)
            .arg(dispatch.join("hookkit-dispatch"))
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let id = child.id().to_string();
        let said = child.wait_with_output().unwrap().stdout;
        assert_eq!(String::from_utf8_lossy(&said).trim(), id, "{}", shell.name);
    }
}
