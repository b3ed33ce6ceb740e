//! The real Copilot CLI, in a repository that it trusts.

use fs_err as fs;
use hookkit_tests::client::Session;
use hookkit_tests::{Plugin, Turn, client_or_skip};
use serde_json::json;

use crate::{FOLDER, dispatcher, install, plugin};

/// A session in a repository with this plugin.
pub(crate) fn guarded<'c>(session: Session<'c>, plugin: &Plugin) -> Session<'c> {
    assert!(install(plugin, &session.places().project(), &[]).exited(0));
    session
}

#[test]
fn a_call_is_denied_another_is_not_and_each_starts_it_once() {
    let client = client_or_skip!(copilot);
    let seen = guarded(client.session(), &plugin())
        .turns([
            client.shell("touch DENYME"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run();
    assert!(!seen.made("DENYME") && seen.made("allowed"));
    assert!(seen.model.results()[0].contains("the gate says no"));
    assert_eq!(seen.content("starts"), "start\nstart\n");
}

/// Tools have names of their own there, which the registration knows.
#[test]
fn a_matcher_means_the_clients_own_tools() {
    let client = client_or_skip!(copilot);
    let session = guarded(client.session(), &plugin());
    let (denied, other) = (session.project("DENYME"), session.project("other"));
    let seen = session
        .file("read-me", "DENYME")
        .turns([
            client.write(&denied, "x"),
            client.read(&denied.with_file_name("read-me")),
            client.write(&other, "x"),
            Turn::text("done"),
        ])
        .run();
    assert!(!seen.made("DENYME") && seen.made("other"));
    assert_eq!(
        seen.content("starts"),
        "start\nstart\n",
        "not for the reading"
    );
}

/// The client reads every JSON file below .github/hooks, but nothing of the plugin's own lies there.
#[test]
fn json_files_of_the_plugin_and_of_others_are_no_trouble() {
    let client = client_or_skip!(copilot);
    let noting = |file: &str| {
        let entry = json!({"type": "command", "bash": format!("cat >/dev/null; echo x >> {file}")});
        json!({"version": 1, "hooks": {"preToolUse": [entry]}}).to_string()
    };
    let plugin = plugin().file("hooks/hooks.json", noting("of-the-plugin"), 0o644);
    let seen = guarded(client.session(), &plugin)
        .file(".github/hooks/folder/theirs.json", noting("of-others"))
        .turns([
            client.shell("touch DENYME"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run();
    assert!(!seen.made("DENYME") && seen.made("allowed"));
    assert_eq!(seen.content("starts"), "start\nstart\n");
    assert!(seen.made("of-others") && !seen.made("of-the-plugin"));
}

#[test]
fn without_a_dispatcher_the_model_is_told_why() {
    let client = client_or_skip!(copilot);
    let session = guarded(client.session(), &plugin());
    fs::remove_file(session.project(&dispatcher())).unwrap();
    let seen = session
        .turns([client.shell("touch allowed"), Turn::text("done")])
        .run();
    assert!(!seen.made("allowed"));
    let result = &seen.model.results()[0];
    assert!(result.contains("A required plugin (demo) of this repository cannot be loaded"));
    assert!(result.contains("hookkit install --scope project"));
}

/// A damaged script exits with a code that the client takes for a failure, which denies.
#[test]
fn a_damaged_script_denies() {
    let client = client_or_skip!(copilot);
    let session = guarded(client.session(), &plugin());
    let script = session.project(FOLDER).join("run.sh");
    let text = fs::read_to_string(&script).unwrap();
    fs::write(&script, text.replace('\n', "\r\n")).unwrap();
    let seen = session
        .turns([client.shell("touch allowed"), Turn::text("done")])
        .run();
    assert!(!seen.made("allowed"));
}

/// The control: in the same repository without the plugin both calls run.
#[test]
fn without_the_plugin_everything_runs() {
    let client = client_or_skip!(copilot);
    let seen = client
        .session()
        .turns([client.shell("touch DENYME"), Turn::text("done")])
        .run();
    assert!(seen.made("DENYME"));
}
