//! The dispatcher as a process against what hosts accept: each row of `data/translation.json`, and
//! each way in which a hook can fail on each event.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

#[path = "conformance/host.rs"]
mod host;
#[path = "conformance/rows.rs"]
mod rows;
#[path = "conformance/say.rs"]
mod say;

use hookkit_tests::{Plugin, Ran, process::Program};
use host::HOSTS;
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
    plugin
        .dispatch(arguments)
        .stdin(row.host.payload(row.event, row.name))
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

#[test]
fn every_outcome_is_written_in_the_hosts_own_form() {
    let mut counted = 0;
    let mut unsayable = Vec::new();
    for host in HOSTS {
        for row in rows::of(host) {
            for outcome in OUTCOMES {
                counted += 1;
                let mode = if row.is_direct() { "direct" } else { "gate" };
                let expected = row.expected(outcome);
                let said = if row.is_direct() {
                    Said::as_told(&expected)
                } else if let Some(said) = say::outcome(row.event, outcome, row.has_context()) {
                    said
                } else {
                    unsayable.push(format!("{} {} {outcome}", host.name, row.name));
                    continue;
                };
                let plugin = plugin(row.event, mode, &said);
                let what = format!("{} {} {outcome}", host.name, row.name);
                assert_told(&start(&plugin, &row, mode).run(), &expected, &what);
            }
        }
    }
    println!(
        "{counted} rows, {} of them cannot be said by a hook: {unsayable:#?}",
        unsayable.len()
    );
    // 34 events of Claude Code; 15 of Copilot CLI in 28 spellings. A lost row fails here.
    assert_eq!(counted, 8 * (34 + 27));
}

#[test]
fn a_hook_that_says_nothing_is_told_as_nothing() {
    for host in HOSTS {
        for row in rows::of(host) {
            let plugin = plugin(row.event, "gate", &Said::nothing());
            let ran = start(&plugin, &row, "gate").run();
            assert_eq!(ran.out(), "", "{} {}", host.name, row.name);
            assert_eq!(ran.code, Some(0), "{} {}", host.name, row.name);
        }
    }
}

#[test]
fn a_gate_that_fails_denies_where_the_event_can_be_denied() {
    let mut counted = 0;
    for host in HOSTS {
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
                            assert!(
                                reasons.iter().any(|reason| reason.contains(fault.says)),
                                "{what}: {reasons:?}"
                            );
                        }
                    }
                    _ => assert_eq!(ran.out(), "", "{what}"),
                }
            }
        }
    }
    println!("{counted} failures");
    assert_eq!(counted, say::FAULTS.len() * (32 + 26));
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
        for key in ["reason", "permissionDecisionReason", "message"] {
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
