//! What a gate decides is what happens, and the model is told why.

use hookkit_tests::client::{Client, Permission};
use hookkit_tests::receipt::{Receipt, Refused};
use hookkit_tests::{Plugin, Turn};
use serde_json::json;

use crate::each_client;

each_client!(
    a_denied_call_does_not_run_and_an_allowed_one_does,
    a_rewrite_reaches_the_tool,
    an_ask_is_refused_where_nobody_is;
    but Codex CLI:
    the_tree_loads_from_a_folder_too,
    a_rewrite_reaches_a_tool_with_arguments_of_other_names,
    a_rewrite_is_asked_about_where_the_call_would_have_been,
    an_allow_needs_nobody,
);

fn gate() -> Plugin {
    Plugin::new("gatekeeper").sh(
        json!({"id": "no-markers", "event": "PreToolUse", "matcher": "Bash"}),
        r#"
case $(cat) in
*forbidden-by-code*) echo "Markers are not made here: ask first." >&2; exit 2 ;;
*forbidden-by-json*) printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Markers are not made here: ask twice."}}' ;;
esac
"#,
    )
}

fn some_forbidden_calls(client: &dyn Client) -> [Turn; 4] {
    [
        client.shell("touch forbidden-by-code"),
        client.shell("touch forbidden-by-json"),
        client.shell("touch allowed"),
        Turn::text("done"),
    ]
}

fn a_denied_call_does_not_run_and_an_allowed_one_does(client: &dyn Client) {
    let tree = gate().build();
    assert_eq!(client.faults_in(&tree), [""; 0]);
    let seen = client
        .session()
        .plugin(&tree)
        .turns(some_forbidden_calls(client))
        .run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 4);
    assert!(!seen.made("forbidden-by-code") && !seen.made("forbidden-by-json"));
    assert!(seen.made("allowed"));
    let results = seen.model.results();
    assert!(results[0].contains("Markers are not made here: ask first."));
    assert!(results[1].contains("Markers are not made here: ask twice."));
    let refused = Refused::new("touch forbidden-by-code", &results[0]);
    Receipt::check(client, "gatekeeper", "PreToolUse", "touch allowed", refused);

    let control = client.session().turns(some_forbidden_calls(client)).run();
    assert!(control.made("forbidden-by-code") && control.made("forbidden-by-json"));
}

fn the_tree_loads_from_a_folder_too(client: &dyn Client) {
    let tree = gate().build();
    let seen = client
        .session()
        .plugin_dir(&tree)
        .turns(some_forbidden_calls(client))
        .run();
    assert!(!seen.made("forbidden-by-code") && !seen.made("forbidden-by-json"));
    assert!(seen.made("allowed"));
}

fn rewriter() -> Plugin {
    Plugin::new("rewriter").python(
        json!({"id": "elsewhere", "event": "PreToolUse", "matcher": "Bash|Write"}),
        r#"
import json, sys
call = json.load(sys.stdin)
given = call["tool_input"]
changed = {name: value.replace("original", "rewritten") if isinstance(value, str) and name != "file_path" else value
           for name, value in given.items()}
answer = {"hookEventName": "PreToolUse", "updatedInput": changed}
if "by-consent" in json.dumps(given):
    answer["permissionDecision"] = "allow"
print(json.dumps({"hookSpecificOutput": answer}))
"#,
    )
}

fn a_rewrite_reaches_the_tool(client: &dyn Client) {
    let seen = client
        .session()
        .plugin(&rewriter().build())
        .turns([client.shell("touch original")])
        .run();
    assert!(seen.made("rewritten") && !seen.made("original"));
}

fn a_rewrite_reaches_a_tool_with_arguments_of_other_names(client: &dyn Client) {
    let session = client.session().plugin(&rewriter().build());
    let file = session.project("note.txt");
    let seen = session
        .turns([client.write(&file, "an original text\n")])
        .run();
    assert_eq!(seen.content("note.txt"), "an rewritten text\n");
}

fn a_rewrite_is_asked_about_where_the_call_would_have_been(client: &dyn Client) {
    let session = |tree| client.session().permission(Permission::Ask).plugin(tree);
    let tree = rewriter().build();
    let seen = session(&tree).turns([client.shell("touch original")]).run();
    assert!(!seen.made("rewritten") && !seen.made("original"));

    let consented = session(&tree)
        .turns([client.shell("touch original-by-consent")])
        .run();
    assert!(consented.made("rewritten-by-consent"));
}

fn decider(decision: &str) -> Plugin {
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": decision,
        "permissionDecisionReason": "The decider has spoken.",
    }});
    Plugin::new("decider").sh(
        json!({"id": "decide", "event": "PreToolUse", "matcher": "Bash"}),
        &format!("printf '%s' '{answer}'"),
    )
}

fn an_allow_needs_nobody(client: &dyn Client) {
    let session = || {
        client
            .session()
            .permission(Permission::Ask)
            .turns([client.shell("touch marker")])
    };
    assert!(
        session()
            .plugin(&decider("allow").build())
            .run()
            .made("marker")
    );
    assert!(!session().run().made("marker"));
}

fn an_ask_is_refused_where_nobody_is(client: &dyn Client) {
    let seen = client
        .session()
        .plugin(&decider("ask").build())
        .turns([client.shell("touch marker")])
        .run();
    assert!(!seen.made("marker"));
    assert!(seen.model.told("The decider has spoken."));
}
