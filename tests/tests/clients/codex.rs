//! What only Codex CLI does: it waits for the user's trust, edits by patches, drops a refused prompt
//! without a word, and lets the end of a turn be blocked without end.

use std::time::Duration;

use hookkit_tests::client::{Seen, Session, patch};
use hookkit_tests::{Plugin, Tree, Turn, client_or_skip, program};
use serde_json::json;

fn gatekeeper() -> Plugin {
    Plugin::new("gatekeeper").sh(
        json!({"id": "no-markers", "event": "PreToolUse", "matcher": "Bash"}),
        "cat > /dev/null; echo 'Markers are not made here.' >&2; exit 2",
    )
}

/// Nothing says so, which is why `hookkit check` and the notes of the host do.
#[test]
fn a_hook_that_nobody_has_trusted_does_not_run() {
    let client = client_or_skip!(codex);
    let tree = gatekeeper().build();
    let session = || {
        client
            .session()
            .plugin(&tree)
            .turns([client.shell("touch marker")])
    };
    let seen = session().untrusted().run();
    assert!(seen.ran.exited(0));
    assert!(seen.made("marker"));
    let said = seen.ran.out() + &seen.ran.err();
    assert!(!said.to_lowercase().contains("trust"), "{said}");

    let seen = session().run();
    assert!(!seen.made("marker"));
    assert!(seen.model.results()[0].contains("Markers are not made here."));
}

/// A patch of two files of which one holds secrets.
fn patched(session: Session<'_>) -> Seen {
    let files =
        "*** Add File: note.txt\n+hello\n*** Update File: .env\n@@\n-TOKEN=old\n+TOKEN=new\n";
    let turns = [
        patch(files),
        patch("*** Add File: other.txt\n+hello\n"),
        Turn::text("done"),
    ];
    session.file(".env", "TOKEN=old\n").turns(turns).run()
}

#[test]
fn a_patch_is_refused_for_one_of_its_files() {
    let client = client_or_skip!(codex);
    let guard_rails = Tree::build(&program::repository().join("examples/guard-rails"));
    let seen = patched(client.session().plugin(&guard_rails));
    assert!(!seen.made("note.txt") && seen.content(".env") == "TOKEN=old\n");
    assert!(seen.model.results()[0].contains(".env"));
    assert!(seen.made("other.txt"));

    let control = patched(client.session());
    assert!(control.made("note.txt") && control.content(".env") == "TOKEN=new\n");
}

/// The client itself goes on without end; hookkit gives up after eight times.
#[test]
fn a_stop_gate_that_always_blocks_comes_to_an_end() {
    let client = client_or_skip!(codex);
    let plugin = Plugin::new("never").sh(
        json!({"id": "never-enough", "event": "Stop"}),
        "cat > /dev/null; echo 'Water the marker.' >&2; exit 2",
    );
    let seen = client
        .session()
        .plugin(&plugin.build())
        .limit(Duration::from_mins(2))
        .run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 1 + 8);
    assert!(seen.model.told("Water the marker."));
}

/// Nobody is told why: neither the person nor the exit code says that there was no turn.
#[test]
fn a_refused_prompt_reaches_no_model() {
    let client = client_or_skip!(codex);
    let plugin = Plugin::new("watchman").sh(
        json!({"id": "watch", "event": "UserPromptSubmit", "mode": "gate"}),
        "case $(cat) in *launch*) echo 'No such words.' >&2; exit 2 ;; esac",
    );
    let tree = plugin.build();
    let session = || client.session().prompt("Please launch.");
    let seen = session().plugin(&tree).run();
    assert!(seen.ran.exited(0));
    assert_eq!(seen.model.calls(), 0);

    let harmless = client.session().plugin(&tree).prompt("Please land.").run();
    assert_eq!(harmless.model.calls(), 1);
    assert_eq!(session().run().model.calls(), 1);
}

/// The client takes one patch or none: what a gate would change in one file of it is refused.
#[test]
fn a_rewrite_of_a_patch_is_refused() {
    let client = client_or_skip!(codex);
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow",
        "updatedInput": {"file_path": "note.txt", "content": "rewritten"},
    }});
    let plugin = Plugin::new("rewriter").sh(
        json!({"id": "elsewhere", "event": "PreToolUse", "matcher": "Write"}),
        &format!("cat > /dev/null; printf '%s' '{answer}'"),
    );
    let turns = [
        patch("*** Add File: note.txt\n+hello\n"),
        Turn::text("done"),
    ];
    let seen = client.session().plugin(&plugin.build()).turns(turns).run();
    assert!(!seen.made("note.txt"));
    assert!(seen.model.results()[0].contains("elsewhere"));
}
