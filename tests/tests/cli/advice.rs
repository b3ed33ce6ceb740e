//! What `hookkit test --repeat` says about hooks that are slow.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::{Plugin, program};
use serde_json::{Value, json};

use crate::hookkit;

/// The causes that are named, by hook, and what is said.
fn causes(plugin: &Plugin, home: &Folder, words: &[&str]) -> Vec<(String, String)> {
    let run = |more: &[&str]| {
        hookkit(&plugin.path(), ["test", "--tool", "Bash"])
            .args(words)
            .args(more)
            .env("HOME", &**home)
            .run()
    };
    let told = run(&["--json"]).json();
    let advice = told["advice"].as_array().unwrap().clone();
    let said = run(&[]).out();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    assert_eq!(said.matches("slow: ").count(), advice.len(), "{said}");
    advice
        .iter()
        .map(|one| {
            let share = one["share"].as_f64().unwrap();
            assert!(share > 0.0);
            (text(&one["hook"]), text(&one["cause"]))
        })
        .collect()
}

const REPEAT: [&str; 2] = ["--repeat", "5"];

fn on_bash(id: &str, run: &Value) -> Value {
    json!({"id": id, "event": "PreToolUse", "matcher": "Bash", "run": run})
}

#[test]
fn a_login_shell_whose_profile_takes_long_is_named() {
    let home = Folder::new("home");
    let plugin = Plugin::new("demo")
        .file("hooks/guard.sh", ":\n", 0o644)
        .hook(on_bash("login", &json!(["sh", "-l", "./hooks/guard.sh"])))
        .hook(on_bash("plain", &json!(["sh", "./hooks/guard.sh"])));
    fs::write(home.join(".profile"), "sleep 0.05\n").unwrap();
    assert_eq!(
        causes(&plugin, &home, &REPEAT),
        [("login".to_owned(), "login-shell".to_owned())]
    );
    // Once tells nothing of how times are spread.
    let once = hookkit(&plugin.path(), ["test", "--json"]).run().json();
    assert_eq!(once["advice"], json!([]));
    // A profile that takes less than the hook is no reason. (That of the machine takes some time too.)
    fs::write(home.join(".profile"), ":\n").unwrap();
    fs::write(plugin.path().join("hooks/guard.sh"), "sleep 0.3\n").unwrap();
    assert_eq!(causes(&plugin, &home, &REPEAT), []);
}

#[test]
fn a_matcher_that_fits_every_tool_is_named() {
    let home = Folder::new("home");
    let hook = |matcher: Value, script: &str| {
        let mut entry = json!({"id": "guard", "event": "PreToolUse"});
        if !matcher.is_null() {
            entry["matcher"] = matcher;
        }
        causes(&Plugin::new("demo").sh(entry, script), &home, &REPEAT)
    };
    let slow = "sleep 0.02";
    for wide in [Value::Null, json!("*"), json!(".*")] {
        assert_eq!(
            hook(wide, slow),
            [("guard".to_owned(), "wide-matcher".to_owned())]
        );
    }
    for narrow in ["Bash", "Bash|Write", "^Bash$"] {
        assert_eq!(hook(json!(narrow), slow), []);
    }
    // Where the event is about no tool there is nothing to name.
    let stop = json!({"id": "guard", "event": "Stop"});
    let told = hookkit(
        &Plugin::new("demo").sh(stop, slow).path(),
        ["test", "--json"],
    )
    .args(REPEAT)
    .run()
    .json();
    assert_eq!(told["advice"], json!([]));
}

#[test]
fn an_interpreter_that_takes_longer_than_the_hook_is_named() {
    if !program::needs(&["python3"]) {
        return;
    }
    let home = Folder::new("home");
    let hook = |script: &str| {
        let entry = json!({"id": "guard", "event": "PreToolUse", "matcher": "Bash"});
        causes(&Plugin::new("demo").python(entry, script), &home, &REPEAT)
    };
    assert_eq!(
        hook("pass\n"),
        [("guard".to_owned(), "interpreter".to_owned())]
    );
    assert_eq!(hook("import time\ntime.sleep(0.4)\n"), []);
}

/// A hook that had to be ended says nothing about what its time goes into.
#[test]
fn a_hook_that_does_not_end_is_a_problem_and_not_slow() {
    let home = Folder::new("home");
    let entry = json!({"id": "guard", "event": "PreToolUse", "timeout": 0.1});
    let plugin = Plugin::new("demo").sh(entry, "sleep 9");
    assert_eq!(causes(&plugin, &home, &["--repeat", "2"]), []);
}
