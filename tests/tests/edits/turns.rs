//! Several who edit one file at once.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use hookkit_tests::program;
use serde_json::Value;

use crate::{Home, names};

/// The editor, running beside others.
fn start(home: &Home, words: &[&str]) -> Child {
    Command::new(program::built("editor"))
        .arg(home.path("data"))
        .arg(home.settings())
        .args(words)
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

/// Reads the file until all have ended: it parses every time. How often it was read.
fn read_until_ended(home: &Home, children: Vec<Child>) -> usize {
    let mut running = children;
    let mut reads = 0;
    while !running.is_empty() {
        let text = fs::read_to_string(home.settings()).unwrap();
        assert!(
            serde_json::from_str::<Value>(&text).is_ok(),
            "half of a file: {text}"
        );
        reads += 1;
        running.retain_mut(|child| match child.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success(), "{status}");
                false
            }
            None => true,
        });
        thread::sleep(Duration::from_millis(5));
    }
    reads
}

fn keys(home: &Home) -> BTreeSet<String> {
    let value: Value = serde_json::from_str(&home.text()).unwrap();
    let hooks = value["hooks"].as_object().unwrap();
    hooks.keys().cloned().collect()
}

#[test]
fn two_that_edit_at_once_200_times_lose_nothing() {
    let home = Home::with("{\"theirs\": true}\n");
    let both = ["a", "b"].map(|prefix| start(&home, &["many", "200", prefix]));
    assert!(read_until_ended(&home, both.into()) > 1);
    assert_eq!(keys(&home).len(), 400);
    assert_eq!(names(&home), ["settings.json"]);
    assert!(home.text().starts_with("{\"theirs\": true, "));
}

#[test]
fn hb_inst_08_twenty_at_once_lose_nothing() {
    let text = "{\"model\":\"opus\",\"permissions\":{\"deny\":[\"Read(./.env)\"]},\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"say done\"}]}]}}";
    let home = Home::with(text);
    let all = (0..20)
        .map(|number| start(&home, &["set", "true", "hooks", &format!("p{number}")]))
        .collect();
    read_until_ended(&home, all);
    assert_eq!(keys(&home).len(), 21);
    assert!(home.text().starts_with(text.strip_suffix("}}").unwrap()));
}

/// Without one lock for both, what the other wrote is found, and nothing is lost but the turn.
#[test]
fn with_two_data_folders_nobody_overwrites_the_other() {
    let home = Home::with("{}");
    let first = home.change().unwrap();
    let other = hookkit_tests::process::Program::new(program::built("editor"))
        .arg(home.path("other-data"))
        .arg(home.settings())
        .args(["set", "true", "hooks", "other"]);
    let turn = home.turn();
    assert!(other.run().exited(0));
    first.write(&turn).unwrap_err();
    assert_eq!(keys(&home).len(), 1);
}

#[test]
fn a_turn_is_waited_for() {
    let home = Home::with("{}");
    let turn = home.turn();
    let mut child = start(&home, &["set", "true", "hooks", "a"]);
    thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    assert_eq!(home.text(), "{}");
    drop(turn);
    assert!(child.wait().unwrap().success());
    assert_eq!(keys(&home).len(), 1);
}
