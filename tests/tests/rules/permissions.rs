//! Permission requests: three words of the older form, two of Copilot's, and silence.

use hookkit_tests::Plugin;
use serde_json::{Value, json};

use crate::{HOSTS, hooks, nested, on, prints};

const EVENT: &str = "PermissionRequest";

fn gate(script: &str) -> Plugin {
    hooks(EVENT, "gate", &[script])
}

fn decided(decision: &Value) -> Value {
    nested(EVENT, json!({ "decision": decision }))
}

#[test]
fn approve_allows_deny_denies_and_ask_is_silence() {
    let says = |word: &str| gate(&prints(&json!({"decision": word, "reason": "R"})));
    let copilot = |word: &str| on(&says(word), "copilot-cli", EVENT).run();
    let claude = |word: &str| on(&says(word), "claude-code", EVENT).run();
    assert_eq!(
        copilot("approve").json(),
        json!({"behavior": "allow", "message": "R"})
    );
    assert_eq!(
        copilot("deny").json(),
        json!({"behavior": "deny", "message": "R"})
    );
    assert_eq!(
        claude("approve").json(),
        decided(&json!({"behavior": "allow"}))
    );
    assert_eq!(
        claude("deny").json(),
        decided(&json!({"behavior": "deny", "message": "R"}))
    );
    copilot("ask").assert_silent();
    claude("ask").assert_silent();
}

#[test]
fn nobody_is_told_the_behavior_ask() {
    let gate = gate(&prints(&decided(&json!({"behavior": "ask"}))));
    for host in HOSTS {
        on(&gate, host, EVENT)
            .run()
            .assert_denies("printed the behavior `ask`");
    }
}

#[test]
fn claudes_own_form_arrives_as_it_was_said() {
    for decision in [
        json!({"behavior": "allow"}),
        json!({"behavior": "allow", "updatedInput": {"command": "ls -l"}}),
        json!({"behavior": "deny", "message": "R"}),
        json!({"behavior": "deny", "message": "R", "interrupt": true}),
    ] {
        let said = decided(&decision);
        let ran = on(&gate(&prints(&said)), "claude-code", EVENT).run();
        assert_eq!(ran.json(), said);
    }
}

#[test]
fn one_complete_document_in_any_whitespace_is_read_and_no_other() {
    let behavior = |stdout: &str| {
        let script = format!("cat >/dev/null\nprintf '{stdout}'");
        on(&gate(&script), "copilot-cli", EVENT).run().decision()
    };
    for whole in [
        r#"{"decision":"approve","reason":"R"}"#,
        r#"\n\t {\n"decision" : "approve",\r\n\t"reason":"R" }\n\n"#,
        r#"\357\273\277{"decision":"approve","reason":"R"}"#,
    ] {
        assert_eq!(behavior(whole), "allow", "{whole}");
    }
    for other in [
        r#"{"decision":"approve","reason":"R"} x"#,
        r#"{"decision":"approve","reason":"R"}{}"#,
        r#"{"decision":"approve","reason":"R"}\n{"decision":"approve","reason":"R"}"#,
        r#"{"decision":"approve","reason":"R""#,
        r#"[{"decision":"approve","reason":"R"}]"#,
        r#"{"decision":"approve","reason":5}"#,
        r#"{"decision":true,"reason":"R"}"#,
        r#"{"decision":"approve"}"#,
        r#"{"decision":"deny"}"#,
    ] {
        assert_eq!(behavior(other), "deny", "{other}");
    }
}

/// What follows silence depends on the client's mode, so a refusal never relies on it.
#[test]
fn a_refusal_is_said_and_never_left_to_silence() {
    for host in HOSTS {
        for script in ["exit 1", "kill -9 $$", "echo '{'", "echo R >&2; exit 2"] {
            on(&gate(script), host, EVENT).run().assert_denies("");
        }
        on(&gate("exit 0"), host, EVENT).run().assert_silent();
        // An observer decides nothing, not even by failing.
        let observer = hooks(EVENT, "observe", &["echo '{'"]);
        on(&observer, host, EVENT).run().assert_silent();
    }
}

/// On the client the last of several answers wins, also an `allow` over a `deny`.
#[test]
fn a_denial_wins_over_an_approval_in_either_order() {
    let approves = prints(&json!({"decision": "approve", "reason": "fine"}));
    let denies = prints(&json!({"decision": "deny", "reason": "not that"}));
    let asks = prints(&json!({"decision": "ask", "reason": "sure?"}));
    for host in HOSTS {
        for order in [[&approves, &denies], [&denies, &approves]] {
            let plugin = hooks(EVENT, "gate", &order.map(String::as_str));
            let ran = on(&plugin, host, EVENT).run();
            ran.assert_denies("not that");
        }
        let plugin = hooks(EVENT, "gate", &[&approves, &asks]);
        on(&plugin, host, EVENT).run().assert_silent();
    }
}
