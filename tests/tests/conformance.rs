//! The dispatcher as a process against what hosts accept: each row of `data/translation.json`, and
//! each way in which a hook can fail on each event.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test reports by panicking"
)]

#[path = "conformance/host.rs"]
mod host;
#[path = "conformance/rows.rs"]
mod rows;
#[path = "conformance/say.rs"]
mod say;

use hookkit_tests::{Plugin, Ran, process::Program};
use host::Host;
use rows::{Expected, OUTCOMES, Row};
use say::Said;
use serde_json::{Value, json};

/// A plugin whose one hook says this on an event.
fn plugin(event: &str, mode: &str, said: &Said) -> Plugin {
    let entry = json!({"id": "says", "event": event, "mode": mode});
    Plugin::new("demo").sh(entry, &said.script())
}

fn start(plugin: &Plugin, row: &Row, mode: &str) -> Program {
    let mut arguments = vec!["--host", row.host.name, "--event", row.name];
    if mode == "direct" {
        arguments.extend(["--hook", "says"]);
    }
    plugin.dispatch(arguments).stdin(row.host.payload(row.name))
}

fn assert_told(ran: &Ran, expected: &Expected, what: &str) {
    let told: Value = if ran.stdout.is_empty() {
        json!("")
    } else if expected.document.is_string() {
        json!(ran.out().trim_end())
    } else {
        ran.json()
    };
    assert_eq!(told, expected.document, "{what}: stdout");
    assert_eq!(ran.code, Some(expected.exit), "{what}: exit code");
    assert!(ran.stdout.is_ascii(), "{what}: stdout is ASCII");
    if let Some(reason) = &expected.stderr {
        assert!(ran.err().contains(reason), "{what}: stderr {}", ran.err());
    }
}

/// One test for each host and question, so that they run side by side. `names` is under how many
/// names the host has events: a lost row fails.
macro_rules! hosts {
    ($($module:ident: $host:literal has $names:literal names;)*) => {$(
        mod $module {
            #[test]
            fn every_outcome_is_written_in_the_hosts_own_form() {
                super::every_outcome(super::host::named($host), $names);
            }

            #[test]
            fn a_hook_that_says_nothing_is_told_as_nothing() {
                super::nothing(super::host::named($host));
            }

            #[test]
            fn a_gate_that_fails_denies_where_the_event_can_be_denied() {
                super::every_failure(super::host::named($host));
            }
        }
    )*};
}

hosts! {
    claude_code: "claude-code" has 34 names;
    copilot_cli: "copilot-cli" has 27 names;
    copilot_cloud: "copilot-cloud" has 23 names;
    vscode_copilot: "vscode-copilot" has 27 names;
    vscode_local: "vscode-local" has 8 names;
    codex: "codex" has 14 names;
}

fn every_outcome(host: &'static Host, names: usize) {
    let mut counted = 0;
    let mut unsayable = Vec::new();
    for row in rows::of(host) {
        for outcome in OUTCOMES {
            counted += 1;
            let what = format!("{} {} {outcome}", host.name, row.name);
            let mode = if row.is_direct() { "direct" } else { "gate" };
            let expected = row.expected(outcome);
            let said = if row.is_direct() {
                Said::as_told(&expected)
            } else if let Some(said) = say::outcome(row.event, outcome, row.has_context()) {
                said
            } else {
                unsayable.push(what);
                continue;
            };
            let plugin = plugin(row.event, mode, &said);
            assert_told(&start(&plugin, &row, mode).run(), &expected, &what);
        }
    }
    println!(
        "{counted} rows; a hook has no words for {}: {unsayable:#?}",
        unsayable.len()
    );
    assert_eq!(counted, OUTCOMES.len() * names);
}

fn nothing(host: &'static Host) {
    for row in rows::of(host) {
        let plugin = plugin(row.event, "gate", &Said::nothing());
        let ran = start(&plugin, &row, "gate").run();
        assert_eq!(ran.out(), "", "{} {}", host.name, row.name);
        assert_eq!(ran.code, Some(0), "{} {}", host.name, row.name);
    }
}

fn every_failure(host: &'static Host) {
    let mut counted = 0;
    for row in rows::of(host).into_iter().filter(|row| !row.is_direct()) {
        for fault in say::FAULTS {
            counted += 1;
            let plugin = fault.plugin(row.event);
            let ran = start(&plugin, &row, "gate").run();
            let what = format!("{} {} {}", host.name, row.name, fault.name);
            let outcome = fault.outcome(row.event);
            match row.form(outcome) {
                Some(form) if form.refuses() => {
                    let mut reasons = Vec::new();
                    let told = without_reasons(ran.stdout_value(), &mut reasons);
                    let wanted = without_reasons(form.document.clone(), &mut Vec::new());
                    assert_eq!(told, wanted, "{what}");
                    assert_eq!(ran.code, Some(form.exit), "{what}");
                    reasons.push(ran.err());
                    if row.carries_a_reason(outcome) {
                        let is_said = reasons.iter().any(|reason| reason.contains(fault.says));
                        assert!(is_said, "{what}: {reasons:?}");
                    }
                }
                _ => assert_eq!(ran.out(), "", "{what}"),
            }
        }
    }
    println!("{counted} failures");
    assert!(counted >= say::FAULTS.len() * 8);
}

trait StdoutValue {
    fn stdout_value(&self) -> Value;
}

impl StdoutValue for Ran {
    fn stdout_value(&self) -> Value {
        if self.stdout.is_empty() {
            json!("")
        } else {
            self.json()
        }
    }
}

/// A document with its reasons taken out.
fn without_reasons(mut document: Value, reasons: &mut Vec<String>) -> Value {
    if let Some(members) = document.as_object_mut() {
        for key in [
            "reason",
            "permissionDecisionReason",
            "message",
            "stopReason",
        ] {
            if let Some(reason) = members.remove(key) {
                reasons.push(reason.as_str().unwrap_or_default().to_owned());
            }
        }
        for member in members.values_mut() {
            *member = without_reasons(member.take(), reasons);
        }
    }
    document
}
