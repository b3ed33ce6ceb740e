//! What hooks say without deciding, and the end of a turn.

use hookkit_tests::client::Client;
use hookkit_tests::{Plugin, Turn};
use serde_json::json;

use crate::each_client;

each_client!(
    what_a_hook_says_after_a_call_reaches_the_model,
    what_a_hook_took_out_of_a_result_stays_out_when_another_has_something_to_say,
    what_an_observer_says_at_the_start_reaches_the_model,
    a_stop_gate_makes_one_more_turn_and_no_more,
);

/// A hook that says this on its event, as JSON.
fn speaker(event: &str, mode: &str, words: &str) -> Plugin {
    let answer =
        json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": words}});
    let entry = json!({"id": "speak", "event": event, "mode": mode});
    Plugin::new("speaker").sh(entry, &format!("printf '%s' '{answer}'"))
}

fn what_a_hook_says_after_a_call_reaches_the_model(client: &dyn Client) {
    let tree = speaker("PostToolUse", "observe", "The marker wants watering.").build();
    let session = || {
        client
            .session()
            .turns([client.shell("touch marker"), Turn::text("done")])
    };
    let seen = session().plugin(&tree).run();
    assert!(seen.made("marker"));
    assert!(seen.model.told("The marker wants watering."));
    assert!(!session().run().model.told("The marker wants watering."));
}

fn what_a_hook_took_out_of_a_result_stays_out_when_another_has_something_to_say(
    client: &dyn Client,
) {
    let result = json!({"stdout": "nothing", "stderr": "", "interrupted": false, "isImage": false});
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "PostToolUse", "updatedToolOutput": result,
    }});
    let takes_out = |plugin: Plugin| {
        let entry = json!({"id": "takes-out", "event": "PostToolUse"});
        plugin.sh(entry, &format!("printf '%s' '{answer}'"))
    };
    let speaks = |plugin: Plugin| {
        let entry = json!({"id": "speaks", "event": "PostToolUse"});
        plugin.sh(entry, "echo 'Water it.' >&2; exit 2")
    };
    let session = || {
        let call = client.shell("echo the secret");
        client.session().turns([call, Turn::text("done")])
    };
    let both = speaks(takes_out(Plugin::new("speaker"))).build();
    let seen = session().plugin(&both).run();
    assert!(!seen.model.told("the secret") && seen.model.told("Water it."));

    assert!(session().run().model.told("the secret"));
}

fn what_an_observer_says_at_the_start_reaches_the_model(client: &dyn Client) {
    let say = |mode| {
        let tree = speaker("SessionStart", mode, "Here be dragons.").build();
        client
            .session()
            .plugin(&tree)
            .turns([Turn::text("done")])
            .run()
    };
    assert!(say("observe").model.told("Here be dragons."));
    assert!(!say("silent").model.told("Here be dragons."));
}

fn a_stop_gate_makes_one_more_turn_and_no_more(client: &dyn Client) {
    let plugin = Plugin::new("once-more").sh(
        json!({"id": "once-more", "event": "Stop"}),
        r#"case $(cat) in
*'"stop_hook_active":false'*) echo "Water the marker before you stop." >&2; exit 2 ;;
esac"#,
    );
    let turns = || {
        [
            client.shell("touch marker"),
            Turn::text("done"),
            Turn::text("watered"),
            Turn::text("too much"),
        ]
    };
    let seen = client
        .session()
        .plugin(&plugin.build())
        .turns(turns())
        .run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 3);
    assert!(seen.model.told("Water the marker before you stop."));

    assert_eq!(client.session().turns(turns()).run().model.calls(), 2);
}
