//! `--host auto`: what every host sends on every event, whom the dispatcher takes it for, and why its
//! reply is right where it takes it for another.

#![expect(clippy::unwrap_used, reason = "a test reports by panicking")]

use std::collections::BTreeSet;

use hookkit_dispatch::env::Env;
use hookkit_dispatch::event::Mode;
use hookkit_dispatch::host::{self, ALIKE, Alike, HOSTS, Host};
use hookkit_dispatch::payload::Fields;
use hookkit_tests::fixture::{self, Fixture};
use hookkit_tests::{Plugin, Ran, program};
use serde_json::{Value, json};

/// The dispatcher's word for a payload: the host, and who else may have sent it.
fn detected(payload: &Value) -> (&'static str, Option<&'static str>) {
    let nowhere = Env::given(Vec::new(), "/".into(), "/x".into());
    let bytes = payload.to_string();
    let fields = Fields::read(bytes.as_bytes());
    let chosen = host::choose(Some("auto"), fields.as_ref(), &nowhere).unwrap();
    assert!(chosen.shared);
    (chosen.host.name(), chosen.or.map(Host::name))
}

/// Names under which an event can be registered. Copilot has one without a PascalCase name.
fn names(host: &dyn Host) -> BTreeSet<&'static str> {
    let rows = host.contracts().iter();
    rows.flat_map(|row| [Some(row.event), row.native])
        .flatten()
        .filter(|name| *name != "UserPromptTransformed")
        .collect()
}

#[test]
fn every_event_of_every_host_has_a_payload() {
    let mut counted = 0;
    for host in HOSTS {
        let sent = fixture::all(*host);
        let known: BTreeSet<_> = sent.iter().map(|fixture| fixture.name).collect();
        assert_eq!(known, names(*host), "{}", host.name());
        for fixture in sent {
            counted += 1;
            let contract = host.contract(fixture.name).unwrap();
            // Copilot's rows have the members of its camelCase payloads.
            let is_native = contract.native.is_none_or(|name| name == fixture.name);
            let whole = fixture.whole();
            for member in contract.fields.iter().filter(|_| is_native) {
                assert!(
                    whole.get(member).is_some(),
                    "{} {} without `{member}`",
                    host.name(),
                    fixture.name
                );
            }
        }
    }
    println!("{counted} payloads");
    assert_eq!(counted, 34 + 29 + 25 + 29 + 16 + 14);
}

/// Every payload is recognised, with all its members and with those alone that are always there,
/// except those of [`ALIKE`]; and each row of that table is needed.
#[test]
fn a_payload_is_recognised_or_listed_as_alike() {
    let mut mistaken = BTreeSet::new();
    for host in HOSTS {
        for fixture in fixture::all(*host) {
            for payload in [fixture.whole(), fixture.bare()] {
                let (taken_for, or) = detected(&payload);
                if taken_for != host.name() {
                    mistaken.insert((host.name(), taken_for, fixture.event));
                    let is_certain = or != Some(host.name());
                    let told_alike = host.wire() == host::by_name(taken_for).unwrap().wire();
                    assert!(!is_certain || told_alike, "{payload}");
                }
            }
        }
    }
    let listed: BTreeSet<_> = ALIKE
        .iter()
        .flat_map(|row| {
            let events = events(row).into_iter();
            events.map(|event| (row.host, row.taken_for, event))
        })
        .collect();
    assert_eq!(mistaken, listed);
}

fn events(row: &Alike) -> Vec<&'static str> {
    if row.events.is_empty() {
        let host = host::by_name(row.host).unwrap();
        host.contracts().iter().map(|row| row.event).collect()
    } else {
        row.events.to_vec()
    }
}

/// What two hosts accept as words of theirs is written down once, by hand, in this table.
fn forms(host: &str, event: &str) -> Value {
    let table: Value = serde_json::from_str(include_str!("../data/translation.json")).unwrap();
    let rows = table["hosts"][host].as_object().unwrap();
    let is_of = |names: &&String| names.split('/').any(|name| name == event);
    let found = rows.keys().find(is_of).map(|names| rows[names].clone());
    found.unwrap_or_default()
}

/// Would this host be refused by the reply? `None` where its contract knows no refusal.
fn is_refused(host: &str, event: &str, ran: &Ran) -> Option<bool> {
    let forms = forms(host, event);
    // A prompt that aborts the request is refused, whatever the host calls it.
    let ways = match event {
        "UserPromptSubmit" => &["deny", "block", "stop"][..],
        _ => &["deny", "block"],
    };
    let ways: Vec<_> = ways.iter().filter(|way| !forms[way].is_null()).collect();
    let is_it = |way: &&&&str| {
        let form = &forms[**way];
        let has_words = match form["document"].as_str() {
            Some(_) => ran.stdout.is_empty(),
            None => !ran.stdout.is_empty() && holds(&ran.json(), &form["document"]),
        };
        has_words && ran.code.map(Value::from) == Some(form["exit"].clone())
    };
    (!ways.is_empty()).then(|| ways.iter().any(|way| is_it(&way)))
}

/// Does a document have all members of another, whatever its reasons?
fn holds(told: &Value, form: &Value) -> bool {
    match form {
        Value::Object(members) => members
            .iter()
            .all(|(key, value)| holds(&told[key.as_str()], value)),
        Value::String(text) if text == "R" => !told.as_str().unwrap_or_default().is_empty(),
        form => told == form,
    }
}

fn answered(fixture: &Fixture, payload: Value, arguments: &[&str], script: &str) -> Ran {
    let entry = json!({"id": "gate", "event": fixture.event, "mode": "gate"});
    Plugin::new("demo")
        .sh(entry, script)
        .dispatch(arguments)
        .args(["--event", fixture.name])
        .stdin(payload)
        .run()
}

const REFUSES: &str = "cat >/dev/null; echo 'not this one' >&2; exit 2";

/// A gate that refuses, one that crashes: what is said refuses by the contract of every host that may
/// have sent the payload. Where an event is refused by none, nothing is claimed.
#[test]
fn a_refusal_refuses_on_both_hosts_of_a_pair() {
    let mut refused = 0;
    for row in ALIKE {
        let host = host::by_name(row.host).unwrap();
        for fixture in fixture::all(host) {
            let is_direct = Mode::default_for(fixture.event) == Mode::Direct;
            if is_direct || !events(row).contains(&fixture.event) {
                continue;
            }
            for payload in [fixture.whole(), fixture.bare()] {
                let (taken_for, or) = detected(&payload);
                let readers = [Some(row.host), Some(taken_for), or];
                for script in [REFUSES, "kill -SEGV $$"] {
                    let ran = answered(&fixture, payload.clone(), &["--host", "auto"], script);
                    for reader in readers.into_iter().flatten() {
                        let told = is_refused(reader, fixture.event, &ran);
                        assert_ne!(told, Some(false), "{reader} {}", fixture.name);
                        refused += usize::from(told == Some(true));
                    }
                }
            }
        }
    }
    println!("{refused} refusals");
    assert!(refused > 150);
}

/// The control: the reply in Copilot's form alone, which it gets by name, would not be heard by VS
/// Code, and the other way round.
#[test]
fn a_prompt_is_refused_in_one_form_where_the_registration_names_its_host() {
    let local = host::by_name("vscode-local").unwrap();
    let sent = fixture::named(local, "UserPromptSubmit");
    for (host, other) in [
        ("copilot-cli", "vscode-local"),
        ("vscode-local", "copilot-cli"),
    ] {
        let ran = answered(&sent, sent.bare(), &["--host", host], REFUSES);
        let heard = |reader| is_refused(reader, "UserPromptSubmit", &ran);
        // Claude's file is also VS Code's; the payload decides between these two.
        assert_eq!((heard(host), heard(other)), (Some(true), Some(false)));
    }
    let both = answered(&sent, sent.bare(), &["--host", "auto"], REFUSES);
    assert_eq!(
        both.out(),
        "{\"decision\":\"block\",\"reason\":\"not this one\",\"continue\":false,\
         \"stopReason\":\"not this one\"}\n"
    );
    let context =
        json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "T"}});
    let start = fixture::named(local, "SessionStart");
    let script = format!("cat >/dev/null; printf '%s' '{context}'");
    let told = answered(&start, start.bare(), &["--host", "auto"], &script).json();
    let mut expected = context.clone();
    expected["additionalContext"] = json!("T");
    assert_eq!(told, expected);
}

/// Codex voids a document with a member that it does not know, so what it is told at the start of a
/// session that is taken for Claude Code's has to be what it is told by name.
#[test]
fn codex_is_told_the_same_where_it_is_taken_for_claude_code() {
    let codex = host::by_name("codex").unwrap();
    for name in ["SessionStart", "SessionEnd"] {
        let sent = fixture::named(codex, name);
        for document in [
            json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": "T"}}),
            json!({"continue": false, "stopReason": "R"}),
            json!({"systemMessage": "N"}),
            json!({"decision": "block", "reason": "R"}),
        ] {
            let script = format!("cat >/dev/null; printf '%s' '{document}'");
            let told = |host| answered(&sent, sent.whole(), &["--host", host], &script);
            let (auto, named) = (told("auto"), told("codex"));
            // At its end Codex reads nothing at all.
            if name == "SessionStart" {
                assert_eq!(auto.out(), named.out(), "{document}");
            }
            assert!(auto.exited(0) && named.exited(0));
        }
    }
}

#[test]
fn the_page_has_the_table_of_what_is_alike() {
    let page = program::repository().join("docs/host-detection.md");
    let page = std::fs::read_to_string(page).unwrap();
    for row in ALIKE {
        let events = if row.events.is_empty() {
            "all".to_owned()
        } else {
            row.events.join(", ")
        };
        let line = format!(
            "| `{}` | `{}` | {events} | {} |",
            row.host, row.taken_for, row.why
        );
        assert!(page.lines().any(|present| present == line), "{line}");
    }
    let (_, table) = page.split_once("| sent by |").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(rows.count(), ALIKE.len());
}
