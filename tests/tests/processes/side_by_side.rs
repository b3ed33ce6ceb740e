//! Several hooks on one event.

use std::time::Duration;

use hookkit_tests::{Plugin, survivors};
use serde_json::{Value, json};

use crate::{gate, note, on_call};

fn named(id: &str) -> Value {
    json!({"id": id, "event": "PreToolUse", "timeout": 20})
}

#[test]
fn many_hooks_take_about_the_time_of_one() {
    let many = (0..32).fold(Plugin::new("demo"), |plugin, index| {
        plugin.nasty(named(&format!("h{index}")), &["read", "sleep", "0.3"])
    });
    let ran = on_call(&many).run();
    ran.assert_silent();
    // One after the other they would take 9.6 s.
    assert!(ran.elapsed >= Duration::from_millis(300));
    assert!(
        ran.elapsed < Duration::from_millis(2500),
        "{:?}",
        ran.elapsed
    );
    survivors::assert_none(&many);
    let in_sequence = (0..4)
        .fold(Plugin::new("demo"), |plugin, index| {
            plugin.nasty(named(&format!("h{index}")), &["read", "sleep", "0.3"])
        })
        .with("order", json!("sequence"));
    assert!(on_call(&in_sequence).run().elapsed >= Duration::from_millis(1200));
}

#[test]
fn reasons_stand_in_the_order_of_registration_whoever_ends_first() {
    let refuses = |plugin: Plugin, id: &str, delay: &str| {
        plugin.nasty(named(id), &["sleep", delay, "complain", id, "exit", "2"])
    };
    for round in 0..50 {
        let [first, second] = if round % 2 == 0 {
            ["0.05", "0"]
        } else {
            ["0", "0.05"]
        };
        let plugin = refuses(Plugin::new("demo"), "one", first);
        let plugin = refuses(plugin, "two", second);
        let ran = on_call(&plugin).run();
        ran.assert_denies("one");
        assert_eq!(ran.reason(), "one\n\ntwo");
    }
}

/// Hooks in sequence, each as an id and a script, and the order in which they wrote their name down.
fn sequence(scripts: &[(&str, &str)]) -> (hookkit_tests::Ran, Vec<String>, Plugin) {
    let plugin = scripts
        .iter()
        .fold(Plugin::new("demo"), |plugin, (id, script)| {
            let script = format!(
                "cat >\"$HOOKKIT_PLUGIN_ROOT/{id}.saw\"; echo {id} >>\"$HOOKKIT_PLUGIN_ROOT/ran\"\n{script}"
            );
            plugin.sh(named(id), &script)
        })
        .with("order", json!("sequence"));
    let ran = on_call(&plugin).run();
    let names = std::fs::read_to_string(note(&plugin, "ran")).unwrap();
    (ran, names.lines().map(str::to_owned).collect(), plugin)
}

fn command_seen_by(plugin: &Plugin, id: &str) -> Value {
    let saw = std::fs::read(note(plugin, &format!("{id}.saw"))).unwrap();
    let saw: Value = serde_json::from_slice(&saw).unwrap();
    saw["tool_input"].clone()
}

const TO_TWO: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"two"}}}'"#;
const TO_THREE: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"three","timeout":3}}}'"#;

#[test]
fn in_sequence_each_sees_the_input_as_it_was_rewritten() {
    let (ran, names, plugin) =
        sequence(&[("a", TO_TWO), ("b", "exit 0"), ("c", TO_THREE), ("d", "")]);
    assert_eq!(names, ["a", "b", "c", "d"]);
    for (id, input) in [
        ("a", json!({"command": "ls"})),
        ("b", json!({"command": "two"})),
        ("c", json!({"command": "two"})),
        ("d", json!({"command": "three", "timeout": 3})),
    ] {
        assert_eq!(command_seen_by(&plugin, id), input, "{id}");
    }
    assert_eq!(ran.decision(), "");
    let updated = &ran.json()["hookSpecificOutput"]["updatedInput"];
    assert_eq!(*updated, json!({"command": "three", "timeout": 3}));
}

#[test]
fn in_sequence_the_first_terminal_outcome_ends_the_chain() {
    for (ending, decision) in [
        ("echo no >&2; exit 2", "deny"),
        ("exit 1", "deny"),
        (
            r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"?"}}'"#,
            "ask",
        ),
    ] {
        let (ran, names, _) = sequence(&[
            ("a", TO_TWO),
            ("b", ending),
            ("c", "echo never >&2; exit 2"),
        ]);
        assert_eq!(names, ["a", "b"], "{ending}");
        assert_eq!(ran.decision(), decision);
        assert!(!ran.reason().contains("never"));
    }
    let allows = r#"echo '{"decision":"approve"}'"#;
    let (ran, names, _) = sequence(&[("a", allows), ("b", "echo no >&2; exit 2")]);
    assert_eq!(names, ["a", "b"], "allow is not terminal");
    ran.assert_denies("no");
}

#[test]
fn side_by_side_nobody_sees_the_rewrite_of_another() {
    let script = |say: &str| format!("cat >\"$HOOKKIT_PLUGIN_ROOT/$0.saw\" 2>/dev/null; {say}");
    let plugin = Plugin::new("demo")
        .sh(named("a"), &script(TO_TWO))
        .sh(gate(10.0), "cat >\"$HOOKKIT_PLUGIN_ROOT/b.saw\"");
    let ran = on_call(&plugin).run();
    assert_eq!(command_seen_by(&plugin, "b"), json!({"command": "ls"}));
    let updated = &ran.json()["hookSpecificOutput"]["updatedInput"];
    assert_eq!(*updated, json!({"command": "two"}));
}
