//! A hook that fires its own event again.

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program, survivors};
use serde_json::json;

use crate::{call, note, on_call};

const VARIABLE: &str = "HOOKKIT_ACTIVE";

/// A gate that writes down that it ran, then starts the dispatcher on the same call and passes its answer on.
fn again(prefix: &str) -> Plugin {
    let entry =
        json!({"id": "again", "event": "PreToolUse", "env": {"DISPATCHER": program::dispatcher()}});
    let script = format!(
        "echo run >>\"$HOOKKIT_PLUGIN_ROOT/runs\"\n\
         [ $(wc -l <\"$HOOKKIT_PLUGIN_ROOT/runs\") -lt 12 ] || exit 0\n\
         {prefix} \"$DISPATCHER\" --host claude-code --event PreToolUse --plugin-root \"$HOOKKIT_PLUGIN_ROOT\"\n"
    );
    Plugin::new("demo").sh(entry, &script)
}

fn runs(plugin: &Plugin) -> usize {
    let runs = std::fs::read_to_string(note(plugin, "runs")).unwrap_or_default();
    runs.lines().count()
}

#[test]
fn a_gate_that_fires_itself_denies_from_depth_three() {
    let plugin = again("exec");
    on_call(&plugin).run().assert_denies("3 levels deep");
    assert_eq!(runs(&plugin), 3);
    survivors::assert_none(&plugin);
    // Without the variable nobody would know: it is what ends the recursion.
    let plugin = again(&format!("env -u {VARIABLE}"));
    on_call(&plugin).run().assert_silent();
    assert_eq!(runs(&plugin), 12);
}

fn with_variable(plugin: &Plugin, value: &str) -> Ran {
    on_call(plugin).env(VARIABLE, value).run()
}

#[test]
fn a_forged_variable_is_not_believed() {
    let plugin = Plugin::new("demo").sh(
        json!({"id": "guard", "event": "PreToolUse"}),
        "echo mine >&2; exit 2",
    );
    let own = std::process::id();
    let later = u64::MAX;
    for forged in [
        "demo:guard:9:1:0".to_owned(),
        "demo:guard:2:1:1".to_owned(),
        format!("demo:guard:3:{own}:1"),
        // An ancestor, but no dispatcher.
        format!("demo:guard:3:{own}:{later}"),
        format!("demo:guard:3:1:{later}"),
        "demo:guard:3".to_owned(),
        ";;;:::::".to_owned(),
        "demo:guard:3:1:0;".repeat(1000),
    ] {
        let ran = with_variable(&plugin, &forged);
        ran.assert_denies("mine");
        assert_eq!(ran.reason(), "mine", "{forged}");
    }
}

#[test]
fn a_true_variable_is_believed_for_that_hook_alone() {
    // The hook of the first plugin fires the event for the second one, below itself.
    let fires = |second: &Plugin| {
        let entry = json!({"id": "guard", "event": "PreToolUse",
            "env": {"DISPATCHER": program::dispatcher(), "SECOND": second.path()}});
        let script = format!(
            "export {VARIABLE}=\"$(echo \"${VARIABLE}\" | sed s/guard:1:/guard:3:/)\"\n\
             exec \"$DISPATCHER\" --host claude-code --event PreToolUse --plugin-root \"$SECOND\"\n"
        );
        Plugin::new("demo").sh(entry, &script)
    };
    let gate = |id: &str| {
        let entry = json!({"id": id, "event": "PreToolUse"});
        Plugin::new("demo").sh(entry, "echo mine >&2; exit 2")
    };
    let same = gate("guard");
    on_call(&fires(&same)).run().assert_denies("3 levels deep");
    let other = gate("other");
    on_call(&fires(&other)).run().assert_denies("mine");
}

#[test]
fn an_observer_is_skipped_inside_itself() {
    let entry = json!({"id": "again", "event": "PostToolUse", "env": {"DISPATCHER": program::dispatcher()}});
    let plugin = Plugin::new("demo").sh(
        entry,
        "echo run >>\"$HOOKKIT_PLUGIN_ROOT/runs\"\nexec \"$DISPATCHER\" --host claude-code --event PostToolUse --plugin-root \"$HOOKKIT_PLUGIN_ROOT\"",
    );
    let mut payload = call();
    payload["hook_event_name"] = json!("PostToolUse");
    let start = || -> Program {
        plugin
            .dispatch(["--host", "claude-code", "--event", "PostToolUse"])
            .stdin(payload.clone())
    };
    start().run().assert_silent();
    assert_eq!(runs(&plugin), 1);
    start().run().assert_silent();
    assert_eq!(runs(&plugin), 2, "a second event is none inside the first");
}
