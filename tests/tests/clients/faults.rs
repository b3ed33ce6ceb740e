//! A gate that fails refuses; an observer that fails changes nothing; a broken Stop gate does not
//! loop.

use hookkit_tests::client::Client;
use hookkit_tests::{Plugin, Turn};
use serde_json::json;

use crate::each_client;

each_client!(
    a_gate_that_fails_in_any_way_denies,
    an_observer_that_fails_changes_nothing,
    a_stop_gate_that_fails_blocks_once,
);

/// Fails in the way that the command names.
const BROKEN: &str = r#"
case $(cat) in
*by-signal*) kill -s SEGV $$ ;;
*by-code*) exit 1 ;;
*by-hanging*) sleep 60 ;;
*by-two-documents*) printf '{"decision":"approve"}\n{"decision":"approve"}\n' ;;
*by-noise*) printf 'debug: hello\n{"decision":"approve"}\n' ;;
*by-wrong-shape*) printf '{"decision":"allow"}' ;;
*by-half-a-document*) printf '{"decision":"approve"' ;;
*healthy*) printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"It was watched."}}' ;;
esac
"#;

const WAYS: [&str; 7] = [
    "by-signal",
    "by-code",
    "by-hanging",
    "by-two-documents",
    "by-noise",
    "by-wrong-shape",
    "by-half-a-document",
];

fn broken(mode: &str) -> Plugin {
    let entry = json!({"id": "broken-one", "event": "PreToolUse", "matcher": "Bash", "mode": mode, "timeout": 2});
    Plugin::new("broken").sh(entry, BROKEN)
}

fn calls(client: &dyn Client) -> impl Iterator<Item = Turn> {
    let ways = WAYS.into_iter().chain(["healthy"]);
    ways.map(|way| client.shell(&format!("touch {way}")))
        .chain([Turn::text("done")])
}

fn a_gate_that_fails_in_any_way_denies(client: &dyn Client) {
    let seen = client
        .session()
        .plugin(&broken("gate").build())
        .turns(calls(client))
        .run();
    assert!(seen.made("healthy"));
    for (way, result) in WAYS.iter().zip(seen.model.results()) {
        assert!(!seen.made(way), "{way} does not run");
        assert!(
            result.contains("broken-one"),
            "{way} is denied in the hook's name: {result}"
        );
    }
    assert_eq!(seen.model.results().len(), WAYS.len() + 1);

    let control = client.session().turns(calls(client)).run();
    assert!(WAYS.iter().all(|way| control.made(way)));
}

fn an_observer_that_fails_changes_nothing(client: &dyn Client) {
    let seen = client
        .session()
        .plugin(&broken("observe").build())
        .turns(calls(client))
        .run();
    assert!(WAYS.iter().all(|way| seen.made(way)));
    assert!(seen.model.told("It was watched."));
}

fn a_stop_gate_that_fails_blocks_once(client: &dyn Client) {
    let plugin = Plugin::new("broken").sh(json!({"id": "broken-stop", "event": "Stop"}), "exit 1");
    let turns = [
        client.shell("echo hello"),
        Turn::text("done"),
        Turn::text("still done"),
    ];
    let seen = client.session().plugin(&plugin.build()).turns(turns).run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 3);
    assert!(seen.model.told("broken-stop"));
}
