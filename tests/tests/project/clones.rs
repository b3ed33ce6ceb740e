//! A fresh clone, in a folder with a blank in its name, by somebody else who has another home, with the
//! real clients.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::process::Program;
use hookkit_tests::{Turn, program};

use crate::repository::git_in;
use crate::{FOLDER, Repository, gate};

/// Gives a folder to a user who owns nothing else, and runs the rest as that one.
const AS_ANOTHER: [&str; 3] = [
    "sh",
    "-ec",
    "chown -hR 65534:65534 \"$0\"\n\
     exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"",
];

const CLONE: &str = "a clone of mine";

macro_rules! each_client {
    ($($test:ident),* $(,)?) => {
        mod claude_code {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(claude)); })*
        }
        mod copilot_cli {
            $(#[test] fn $test() { super::$test(hookkit_tests::client_or_skip!(copilot)); })*
        }
    };
}
each_client!(
    a_fresh_clone_is_guarded,
    a_subfolder_is_what_the_report_says,
);

/// A repository with the plugin committed in it.
fn upstream() -> Repository {
    let repository = Repository::new(Some("{\n  \"permissions\": {}\n}\n"));
    repository.installs(&gate("1.0.0", "the gate says no"));
    repository.commit();
    repository
}

/// A session of somebody else in a clone of it. `None`, loudly, where nobody else can be played.
fn session<'c>(client: &'c dyn Client, upstream: &Repository) -> Option<Session<'c>> {
    let session = client.session().keep_settings().works_in(CLONE);
    let root = session.places().root().to_owned();
    let bundle = root.join("run/bundle");
    let bundled = bundle.to_str().unwrap();
    upstream.git(&["bundle", "create", "--quiet", bundled, "HEAD", "main"]);
    git_in(
        session.places(),
        &root,
        &["clone", "--quiet", bundled, CLONE],
    );
    let folder = root.to_str().unwrap();
    let reaches = |file: &Path| {
        let [shell, words, script] = AS_ANOTHER;
        Program::new(shell)
            .args([words, script, folder, "test", "-x"])
            .arg(file)
            .run()
            .exited(0)
    };
    let client_file = client.program(session.places()).file().to_owned();
    let can = reaches(&client_file) && reaches(&root.join(CLONE));
    if !program::can(
        can,
        "another user can only be played by root, where that one can go",
    ) {
        return None;
    }
    Some(session.under(AS_ANOTHER.into_iter().chain([folder])))
}

fn refused_and_allowed(client: &dyn Client, session: Session<'_>) -> Seen {
    session
        .turns([
            client.shell("touch DENYME"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run()
}

fn a_fresh_clone_is_guarded(client: &dyn Client) {
    let upstream = upstream();
    let Some(guarded) = session(client, &upstream) else {
        return;
    };
    let seen = refused_and_allowed(client, guarded);
    assert!(!seen.made("DENYME") && seen.made("allowed"));
    assert!(seen.model.results()[0].contains("the gate says no"));
    assert_eq!(seen.content("starts"), "start\nstart\n", "each call once");
    let home = seen.places().root().join("home");
    let left: Vec<_> = fs::read_dir(&home).unwrap().collect();
    assert!(!home.join(".local/share/hookkit").exists(), "{left:?}");

    // The control: the same clone without the plugin in it.
    upstream.uninstalls("gatekeeper");
    upstream.commit();
    let unguarded = session(client, &upstream).expect("as before");
    assert!(!unguarded.project(FOLDER).exists());
    assert!(refused_and_allowed(client, unguarded).made("DENYME"));
}

/// Claude Code reads the settings of the folder that it starts in; Copilot those of the root.
fn a_subfolder_is_what_the_report_says(client: &dyn Client) {
    let upstream = upstream();
    upstream.write("inner/file", "x\n");
    upstream.commit();
    let session = client.session().keep_settings().works_in("clone/inner");
    let root = session.places().root().to_owned();
    let from = upstream.root();
    let words = ["clone", "--quiet", from.to_str().unwrap(), "clone"];
    git_in(session.places(), &root, &words);
    let is_guarded = client.host() != "claude-code";
    let seen = refused_and_allowed(client, session);
    assert_eq!(seen.made("DENYME"), !is_guarded);
    assert!(seen.made("allowed"));
}
