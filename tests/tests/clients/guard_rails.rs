//! The plugin of `examples/guard-rails`, as somebody would install it.

use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::receipt::{Receipt, Refused};
use hookkit_tests::{Tree, Turn, program};

use crate::each_client;

each_client!(
    the_tree_loads,
    what_it_guards_stays_as_it_is,
    git_is_started_without_a_pager,
    tests_are_asked_for_once,
);

fn guard_rails() -> Tree {
    Tree::build(&program::repository().join("examples/guard-rails"))
}

fn the_tree_loads(client: &dyn Client) {
    assert_eq!(client.faults_in(&guard_rails()), [""; 0]);
}

/// A session in a repository with a secret, settings, a lock file and a commit.
fn session(client: &dyn Client) -> Session<'_> {
    let session = client
        .session()
        .file(".env", "TOKEN=very-secret\n")
        .file("README", "hello\n")
        .file(".claude/README", "Copilot makes no folders.\n")
        .file("Cargo.lock", "version = 4\n");
    let git = |arguments: &[&str]| {
        let ran = session.places().program("git").args(arguments).run();
        assert!(ran.exited(0));
    };
    git(&["add", "README"]);
    git(&[
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@localhost",
        "commit",
        "--quiet",
        "--message=first commit",
    ]);
    session
}

fn what_it_guards_stays_as_it_is(client: &dyn Client) {
    let run = |session: Session<'_>| -> Seen {
        let settings = session.project(".claude/settings.local.json");
        let (secret, lock) = (session.project(".env"), session.project("Cargo.lock"));
        session
            .turns([
                client.shell("git push --force origin main; touch pushed"),
                client.read(&secret),
                client.write(&settings, "{}"),
                client.read(&lock),
                client.edit(&lock, "version = 4", "version = 5"),
                client.shell("touch allowed"),
                Turn::text("done"),
            ])
            .run()
    };
    let seen = run(session(client).plugin(&guard_rails()));
    let results = seen.model.results();
    assert!(!seen.made("pushed") && results[0].contains("force-push"));
    assert!(!seen.model.told("very-secret") && results[1].contains(".env"));
    assert!(
        !seen.made(".claude/settings.local.json") && results[2].contains("settings.local.json")
    );
    assert!(seen.content("Cargo.lock").contains('5') && seen.model.told("is a lock file"));
    assert!(seen.made("allowed"));
    let refused = Refused::new("git push --force origin main; touch pushed", &results[0]);
    Receipt::check(
        client,
        "guard-rails",
        "PreToolUse",
        "touch allowed",
        refused,
    );

    let control = run(session(client));
    assert!(control.made("pushed") && control.model.told("very-secret"));
    assert!(control.made(".claude/settings.local.json") && !control.model.told("is a lock file"));
}

fn git_is_started_without_a_pager(client: &dyn Client) {
    let run = |session: Session<'_>| -> (Seen, String) {
        let trace = session.places().root().join("trace");
        let seen = session
            .env("GIT_TRACE2_EVENT", trace.to_str().unwrap())
            .turns([client.shell("git log --oneline")])
            .run();
        assert!(seen.model.results()[0].contains("first commit"));
        let trace = std::fs::read_to_string(trace).unwrap();
        (seen, trace)
    };
    let (_seen, trace) = run(session(client).plugin(&guard_rails()));
    assert!(trace.contains(r#"["git","--no-pager","log","--oneline"]"#));
    let (_seen, trace) = run(session(client));
    assert!(trace.contains(r#"["git","log","--oneline"]"#) && !trace.contains("--no-pager"));
}

fn tests_are_asked_for_once(client: &dyn Client) {
    let session = || {
        let session = session(client).file("Cargo.toml", "[package]\n");
        session.turns([
            client.shell("touch changed"),
            Turn::text("done"),
            Turn::text("there are none"),
            Turn::text("?"),
        ])
    };
    let seen = session().plugin(&guard_rails()).run();
    assert_eq!(seen.model.calls(), 3);
    assert!(seen.model.told("run the tests"));
    assert_eq!(session().run().model.calls(), 2);
}
