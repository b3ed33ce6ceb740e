//! The whole way of somebody who hears of hookkit: the one line, a plugin, a session in which a call
//! is refused, newer releases good and bad, and away with all of it.

use std::collections::BTreeMap;

use fs_err as fs;
use hookkit_tests::client::{Client, Places, Session};
use hookkit_tests::folder::snapshot;
use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::{Turn, program};

use crate::served::served;

#[test]
fn from_dash_to_claude_code() {
    whole_way(hookkit_tests::client_or_skip!(claude), &["dash"]);
}

#[test]
fn from_bash_to_copilot_cli() {
    whole_way(hookkit_tests::client_or_skip!(copilot), &["bash"]);
}

#[test]
fn from_busybox_to_claude_code() {
    whole_way(hookkit_tests::client_or_skip!(claude), &["busybox", "sh"]);
}

/// What somebody could miss: of what the client writes by itself only its settings.
fn belongings(places: &Places) -> BTreeMap<String, String> {
    let mut all = snapshot(places.root(), &["home", "data", "config"]);
    all.retain(|name, _| {
        let is_ours = name == "config/settings.json" || name.starts_with("config/hooks");
        !name.starts_with("config/") || is_ours
    });
    all
}

fn hookkit(client: &dyn Client, places: &Places) -> Program {
    let variable = match client.host() {
        "claude-code" => "CLAUDE_CONFIG_DIR",
        _ => "COPILOT_HOME",
    };
    let program = places.root().join("data/hookkit/self/bin/hookkit");
    places.program(program).env(variable, places.config())
}

fn does(program: Program, words: &[&str]) {
    let ran = program.args(words).run();
    assert!(ran.exited(0), "{words:?}");
}

fn is_of(client: &dyn Client, places: &Places, version: &str) {
    let ran = hookkit(client, places).arg("--version").run();
    assert_eq!(ran.out(), format!("hookkit {version}\n"));
}

fn whole_way(client: &dyn Client, shell: &[&str]) {
    if !program::needs(&[shell[0], "curl", "python3", "node"]) {
        return;
    }
    let session: Session<'_> = client.session().keep_settings();
    let places = session.places();
    fs::write(places.root().join("home/.profile"), "# mine\n").unwrap();
    fs::write(places.root().join("home/.bashrc"), "# mine").unwrap();
    let before = belongings(places);

    let web = served(&Published::of(VERSION), VERSION);
    let address = web.at("/latest/download/install.sh");
    let line = format!("curl -fsSL {address} | {}", shell.join(" "));
    let sh = places.program("sh").env("HOOKKIT_BASE_URL", web.at(""));
    does(sh, &["-c", &line]);
    is_of(client, places, VERSION);

    let plugin = program::repository().join("examples/guard-rails");
    let install = ["install", "--yes", "--host", client.host()];
    does(
        hookkit(client, places).args(install),
        &[plugin.to_str().unwrap()],
    );
    let seen = session
        .turns([
            client.shell("git push --force origin main; touch pushed"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run();
    assert!(seen.ran.exited(0) && seen.made("allowed") && !seen.made("pushed"));
    assert!(seen.model.results()[0].contains("force-push"));

    let places = seen.places();
    does(
        hookkit(client, places),
        &["uninstall", "--yes", "guard-rails"],
    );
    does(hookkit(client, places), &["self", "uninstall", "--yes"]);
    assert_eq!(belongings(places), before);
}
