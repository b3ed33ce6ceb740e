//! What the real clients make of an installation, and of what happens to it while they run.

use fs_err as fs;
use hookkit_tests::Turn;
use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::is_long_run;

use crate::each_client;
use crate::home::{Home, gate, session};

each_client!(
    an_installed_gate_is_enforced,
    an_update_counts_from_the_next_call_on,
    a_session_goes_on_after_an_uninstallation,
    a_session_goes_on_without_the_folder_that_it_loaded,
);

const WORDS: &str = "Markers are not made here.";

fn home<'s>(session: &'s Session) -> Home<'s> {
    Home::of(host_of(session.client()), session.places())
}

fn host_of(client: &dyn Client) -> &'static str {
    match client.host() {
        "claude-code" => "claude-code",
        _ => "copilot-cli",
    }
}

/// Whether gates are required, where that changes how this client is told of them.
fn kinds(client: &dyn Client) -> &'static [bool] {
    if client.host() == "claude-code" && !is_long_run() {
        &[true]
    } else {
        &[false, true]
    }
}

fn is_refused(seen: &Seen, call: usize, words: &str) -> bool {
    seen.model.results()[call].contains(words)
}

fn an_installed_gate_is_enforced(client: &dyn Client) {
    for is_required in [false, true] {
        let session = session(client);
        home(&session).installs(&gate("1.0.0", WORDS, is_required));
        let seen = session
            .turns([
                client.shell("touch forbidden"),
                client.shell("touch allowed"),
                Turn::text("done"),
            ])
            .run();
        assert!(seen.ran.exited(0));
        assert!(is_refused(&seen, 0, WORDS) && !seen.made("forbidden") && seen.made("allowed"));
        // Copilot CLI is told of required gates in a hooks file of the user's, not as a plugin.
        let is_plugin = !is_required || client.host() == "claude-code";
        assert_eq!(
            listed(client, &seen).contains("gatekeeper@hookkit-gatekeeper-"),
            is_plugin
        );
        let home = Home::of(host_of(client), seen.places());
        home.uninstalls("gatekeeper");
        assert_eq!(left(&home), [""; 0]);
        assert!(
            fs::metadata(home.settings()).is_err(),
            "there were none before"
        );
    }
    let control = client
        .session()
        .turns([client.shell("touch forbidden"), Turn::text("done")])
        .run();
    assert!(control.made("forbidden"));
}

/// What is left of the plugin, but for what the client writes down of every session.
fn left(home: &Home) -> Vec<String> {
    let is_a_record = |name: &str| {
        ["/projects/", ".log", ".claude.json"]
            .iter()
            .any(|part| name.contains(part))
    };
    home.snapshot()
        .into_iter()
        .filter(|(name, _)| !is_a_record(name))
        .filter(|(name, content)| {
            name.contains("hookkit") || content.contains("hookkit-gatekeeper")
        })
        .map(|(name, content)| format!("{name}: {content}"))
        .collect()
}

/// The plugins that the client says it has. `claude plugin list` names only what its own `plugin
/// install` noted down, but each session says what it loaded.
fn listed(client: &dyn Client, seen: &Seen) -> String {
    if client.host() == "claude-code" {
        let mut events = seen.events().into_iter();
        let started = events.find(|event| event["subtype"] == "init").unwrap();
        return started["plugins"].to_string();
    }
    client
        .program(seen.places())
        .args(["plugin", "list"])
        .run()
        .out()
}

/// A call that runs hookkit in the session's own shell. It is a script, for the client asks about a
/// command that names files outside the project. After that a folder of the data folder goes.
fn by_hand<'c>(session: Session<'c>, words: &str, gone: Option<&str>) -> (Session<'c>, Turn) {
    let variable = match session.client().host() {
        "claude-code" => "CLAUDE_CONFIG_DIR",
        _ => "COPILOT_HOME",
    };
    let gone = gone.map(|folder| home(&session).data(folder));
    let remove = gone.map(|folder| format!("rm -rf {}\n", folder.display()));
    let script = format!(
        "{variable}={} {} {words} >said 2>&1\n{}",
        session.places().config().display(),
        home(&session).program().display(),
        remove.unwrap_or_default(),
    );
    let session = session.file("by-hand.sh", script);
    let turn = session.client().shell("sh ./by-hand.sh");
    (session, turn)
}

fn an_update_counts_from_the_next_call_on(client: &dyn Client) {
    for &is_required in kinds(client) {
        let session = session(client);
        home(&session).installs(&gate("1.0.0", WORDS, is_required));
        let next = gate("2.0.0", "Nor are they any more.", is_required);
        let words = format!("install --yes {}", next.path().display());
        let (session, by_hand) = by_hand(session, &words, None);
        let turns = [
            client.shell("touch forbidden"),
            by_hand,
            client.shell("touch forbidden"),
            Turn::text("done"),
        ];
        let seen = session.turns(turns).run();
        assert!(is_refused(&seen, 0, WORDS), "the version before");
        assert!(
            is_refused(&seen, 2, "Nor are they any more."),
            "{}",
            seen.content("said")
        );
        let said = seen.content("said");
        let named = format!("careful: {} (process ", client.host());
        assert!(said.contains(&named), "the live session is named: {said}");
    }
}

fn a_session_goes_on_after_an_uninstallation(client: &dyn Client) {
    for &is_required in kinds(client) {
        let session = session(client);
        home(&session).installs(&gate("1.0.0", WORDS, is_required));
        let (session, by_hand) = by_hand(session, "uninstall --yes gatekeeper", Some("store"));
        let turns = [
            client.shell("touch forbidden"),
            by_hand,
            client.shell("touch forbidden-no-more"),
            Turn::text("done"),
        ];
        let seen = session.turns(turns).run();
        assert!(is_refused(&seen, 0, WORDS));
        assert!(seen.made("forbidden-no-more"), "{}", seen.content("said"));
        assert!(
            seen.content("said")
                .contains("stays and says nothing until")
        );
        let home = Home::of(host_of(client), seen.places());
        assert_eq!(home.receipt("gatekeeper")["state"], "removed");
        // The session has ended: the next run takes away what had to stay for it.
        home.uninstalls("gatekeeper");
        assert!(!home.data("").exists());
    }
}

fn a_session_goes_on_without_the_folder_that_it_loaded(client: &dyn Client) {
    // Claude Code itself refuses every call of a plugin whose folder is gone where a gate is required.
    for (is_required, gone) in [
        (false, "market"),
        (true, "market"),
        (false, "store"),
        (true, "store"),
    ] {
        if client.host() == "claude-code" && gone == "market" {
            continue;
        }
        let session = session(client);
        home(&session).installs(&gate("1.0.0", WORDS, is_required));
        let gone = home(&session).data(gone);
        let session = session.file("remove.sh", format!("rm -r {}", gone.display()));
        let turns = [
            client.shell("touch forbidden"),
            client.shell("sh ./remove.sh"),
            client.shell("touch afterwards"),
            Turn::text("done"),
        ];
        let seen = session.turns(turns).run();
        assert!(is_refused(&seen, 0, WORDS));
        let is_guarded = gone.ends_with("store") && is_required;
        assert_eq!(seen.made("afterwards"), !is_guarded);
        if gone.ends_with("store") && !is_guarded {
            // It is said where the client keeps what hooks say.
            assert!(seen.log().contains("has no hookkit.json"));
        }
        if is_guarded {
            assert!(is_refused(
                &seen,
                2,
                "A required plugin `gatekeeper` cannot be loaded"
            ));
        }
    }
}
