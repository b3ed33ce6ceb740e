//! What the real clients make of a plugin that is installed in one repository.

use fs_err as fs;
use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::{Plugin, Turn, client_or_skip};
use serde_json::{Value, json};

use crate::each_client;
use crate::home::{Home, gate, session};
use crate::local::{HOSTS, install, other, status};

each_client!(
    it_is_enforced_in_its_repository_alone,
    the_settings_of_the_repository_do_not_switch_it_off,
);

/// A session in the project, in which something forbidden is tried.
fn tried(client: &dyn Client, session: Session) -> Seen {
    session
        .turns([client.shell("touch forbidden"), Turn::text("done")])
        .run()
}

fn host_of(client: &dyn Client) -> (&'static str, &'static str) {
    *HOSTS
        .iter()
        .find(|(host, _)| *host == client.host())
        .unwrap()
}

fn it_is_enforced_in_its_repository_alone(client: &dyn Client) {
    let (host, _) = host_of(client);
    for is_required in [false, true] {
        for is_here in [true, false] {
            let session = session(client);
            let home = Home::of(host, session.places());
            let other = other(session.places());
            let repository = if is_here {
                session.places().project()
            } else {
                other
            };
            let user = fs::read(home.settings()).ok();
            let plugin = gate("1.0.0", "No markers here.", is_required);
            assert!(install(&home, &plugin.path(), &repository).run().exited(0));
            let seen = tried(client, session);
            assert_eq!(
                seen.made("forbidden"),
                !is_here,
                "the control is another repository"
            );
            if is_here {
                let home = Home::of(host, seen.places());
                home.uninstalls("gatekeeper");
                assert_eq!(status(seen.places()), "");
                assert_eq!(fs::read(home.settings()).ok(), user);
                assert!(!home.data("").exists());
            }
        }
    }
}

/// What the repository itself says of the plugin counts for less than one's own file there.
fn the_settings_of_the_repository_do_not_switch_it_off(client: &dyn Client) {
    let (host, own) = host_of(client);
    let shared = [".claude/settings.json", ".github/copilot/settings.json"];
    for file in shared.into_iter().chain([own]) {
        let seen = tried_with(
            client,
            host,
            file,
            |id| json!({"enabledPlugins": {id: false}}),
        );
        assert_eq!(
            seen.made("forbidden"),
            file == own,
            "{file}: the control is one's own file"
        );
    }
}

fn tried_with(
    client: &dyn Client,
    host: &'static str,
    file: &str,
    settings: impl Fn(&str) -> Value,
) -> Seen {
    let session = session(client);
    let home = Home::of(host, session.places());
    let plugin = gate("1.0.0", "No markers here.", true);
    let project = session.places().project();
    assert!(install(&home, &plugin.path(), &project).run().exited(0));
    let id = home.receipt("gatekeeper")["id"].clone();
    let settings = settings(id.as_str().unwrap()).to_string();
    tried(client, session.file(file, settings))
}

/// Copilot CLI reads Claude Code's file in a repository beside its own.
#[test]
fn copilot_cli_starts_a_hook_once_though_two_files_enable_its_plugin() {
    let client = client_or_skip!(copilot);
    let session = session(client);
    let home = Home::of("copilot-cli", session.places());
    let witness = session.project("witness");
    let plugin = Plugin::new("gatekeeper").sh(
        json!({"id": "counts", "event": "PreToolUse", "matcher": "Bash"}),
        &format!("cat >/dev/null; echo once >>'{}'\n", witness.display()),
    );
    let ran = install(&home, &plugin.path(), &session.places().project())
        .args(["--host", "claude-code"])
        .run();
    assert!(ran.exited(0), "{}", ran.err());
    for (_, file) in HOSTS {
        assert!(session.project(file).exists());
    }
    let seen = tried(client, session);
    assert_eq!(seen.content("witness"), "once\n");
}
