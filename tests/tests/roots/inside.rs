//! A dispatcher inside a plugin, and what an argument says over it.

use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::{Place, assert_unserved};

#[test]
fn up_to_three_folders_above_and_not_four() {
    let place = Place::new();
    place.plugin("demo");
    for file in [
        "demo/hookkit-dispatch",
        "demo/dispatch/d",
        "demo/dispatch/linux/d",
    ] {
        let dispatcher = place.dispatcher(file);
        place.on_claude(&dispatcher).run().assert_denies("demo");
    }
    let too_deep = place.dispatcher("demo/a/b/c/d");
    assert_unserved(&place.on_claude(&too_deep).run(), "lies in no plugin");
}

#[test]
fn the_nearest_plugin_is_served() {
    let place = Place::new();
    place.plugin("outer");
    place.plugin("outer/inner");
    let dispatcher = place.dispatcher("outer/inner/dispatch/d");
    place
        .on_claude(&dispatcher)
        .run()
        .assert_denies("outer/inner");
    std::fs::remove_file(place.at("outer/inner/hookkit.json")).unwrap();
    let ran = place.on_claude(&dispatcher).run();
    ran.assert_denies("outer");
    assert_eq!(ran.reason(), "outer");
}

#[test]
fn an_absolute_plugin_root_comes_first_and_a_relative_one_is_none() {
    let place = Place::new();
    place.plugin("demo");
    let other = place.plugin("other");
    place.plugin("project");
    let dispatcher = place.dispatcher("demo/dispatch/d");
    let with = |root: &str| {
        place
            .on_claude(&dispatcher)
            .args(["--plugin-root", root])
            .run()
    };
    with(other.to_str().unwrap()).assert_denies("other");
    for relative in ["", ".", "../other", "../project"] {
        assert_unserved(&with(relative), "no absolute path");
    }
    assert_unserved(&with("/nowhere/at/all"), "has no hookkit.json");
}

#[test]
fn nothing_is_found_from_the_working_directory() {
    let place = Place::new();
    place.plugin("project");
    let alone = place.dispatcher("alone/d");
    assert_unserved(&place.on_claude(&alone).run(), "lies in no plugin");
    // A repository that carries its own dispatcher is served by that.
    let own = place.dispatcher("project/.hooks/d");
    place.on_claude(&own).run().assert_denies("project");
}

#[test]
fn a_linked_dispatcher_stands_where_its_file_is() {
    let place = Place::new();
    place.plugin("demo");
    place.plugin("other");
    let dispatcher = place.dispatcher("demo/dispatch/d");
    let link = place.at("other/d");
    symlink(&dispatcher, &link).unwrap();
    place.on_claude(&link).run().assert_denies("demo");
    std::fs::remove_file(&link).unwrap();
    let copy = place.dispatcher("other/d");
    place.on_claude(&copy).run().assert_denies("other");
}

#[test]
fn the_name_that_it_was_started_by_is_not_believed() {
    let place = Place::new();
    place.plugin("demo");
    let other = place.plugin("other");
    let dispatcher = place.dispatcher("demo/dispatch/d");
    let call = place.at("call");
    let text =
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    std::fs::write(&call, text).unwrap();
    for lie in [other.join("d"), "hookkit-dispatch".into(), "".into()] {
        let output = Command::new(&dispatcher)
            .arg0(&lie)
            .args(["--host", "claude-code"])
            .current_dir(&other)
            .stdin(Stdio::from(std::fs::File::open(&call).unwrap()))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("\"demo\""), "{} {said}", lie.display());
    }
}

#[test]
fn a_dispatcher_that_is_replaced_while_it_runs_still_knows_its_place() {
    let place = Place::new();
    place.plugin("demo");
    let dispatcher = place.dispatcher("demo/dispatch/d");
    let call =
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    let mut child = Command::new(&dispatcher)
        .args(["--host", "claude-code"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::fs::remove_file(&dispatcher).unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), call.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("\"demo\"")
    );
}
