//! The whole way of somebody who hears of hookkit: the one line, a plugin, a session in which a call
//! is refused, newer releases good and bad, and away with all of it.

use std::collections::BTreeMap;

use fs_err as fs;
use hookkit_tests::client::{Client, Places, Seen, Session};
use hookkit_tests::folder::snapshot;
use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::web::{Page, Web};
use hookkit_tests::{Turn, program};

use crate::served::served;

const NEXT: &str = "0.9.0";
const OLDER: &str = "0.0.9";

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

/// Somebody on the way, after a session in which the call was refused.
struct Guarded<'c> {
    client: &'c dyn Client,
    web: &'c Web,
    seen: Seen,
}

impl<'c> Guarded<'c> {
    /// The call is refused in this session, and another one runs. No hook waits for the server.
    fn by(session: Session<'c>, web: &'c Web) -> Self {
        let (client, asked) = (session.client(), web.asked());
        let seen = session
            .turns([
                client.shell("git push --force origin main; touch pushed"),
                client.shell("touch allowed"),
                Turn::text("done"),
            ])
            .run();
        assert!(seen.ran.exited(0) && seen.made("allowed") && !seen.made("pushed"));
        assert!(seen.model.results()[0].contains("force-push"));
        fs::remove_file(seen.project("allowed")).unwrap();
        assert_eq!(web.asked(), asked);
        Self { client, web, seen }
    }

    fn again(&self) -> Self {
        let session = self.client.session().keep_settings();
        Self::by(session.in_folders_of(&self.seen), self.web)
    }

    fn hookkit(&self) -> Program {
        hookkit(self.client, self.seen.places())
    }

    /// The update is refused in these words, and nothing is changed by it.
    fn refuses(&self, words: &[&str], because: &str) {
        let places = self.seen.places();
        let before = belongings(places);
        let ran = self.hookkit().args(["self", "update"]).args(words).run();
        let said = ran.err().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.exited(3) && said.contains(because), "{because}: {said}");
        assert_eq!(belongings(places), before, "{because}");
        is_of(self.client, places, VERSION);
    }

    /// Releases that nobody should get. `update.rs` and `kept.rs` have the rest of them.
    fn refuses_bad_ones(&self, next: &Published) {
        let latest = |release: &Published| {
            let path = release.path();
            self.web.put_folder("/latest/download", path);
            self.web.put_folder(&format!("/download/v{NEXT}"), path);
        };
        let tampered = next.copy();
        let archive = tampered.archive(NEXT);
        let mut bytes = fs::read(&archive).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(archive, bytes).unwrap();
        latest(&tampered);
        self.refuses(&[], "the signed list says");
        // With a list that fits, which nobody signed.
        tampered.list();
        latest(&tampered);
        self.web.take("/latest/download/SHA256SUMS.minisig");
        self.refuses(&[], "it is not signed");
        let signature = fs::read(next.file("SHA256SUMS.minisig")).unwrap();
        self.web
            .put("/latest/download/SHA256SUMS.minisig", Page::File(signature));
        self.refuses(&[], "the file, or the signature, was changed");
        // As it was signed once, as the newest and under the name of the newest.
        latest(&Published::of(OLDER));
        self.refuses(&[], "which is older");
        self.refuses(
            &["--version", NEXT],
            &format!("it is the list of {OLDER}, and {NEXT} was asked for"),
        );
        latest(next);
    }
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

fn installs(client: &dyn Client, places: &Places) {
    let plugin = program::repository().join("examples/guard-rails");
    let install = ["install", "--yes", "--host", client.host()];
    let install = hookkit(client, places).args(install);
    does(install, &[plugin.to_str().unwrap()]);
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
    installs(client, places);
    let guarded = Guarded::by(session, &web);

    guarded.refuses_bad_ones(&Published::of(NEXT));
    let guarded = guarded.again();
    does(guarded.hookkit(), &["self", "update"]);
    let places = guarded.seen.places();
    is_of(client, places, NEXT);
    let uninstall = ["uninstall", "--yes", "guard-rails"];
    does(guarded.hookkit(), &uninstall);
    installs(client, places);
    let guarded = guarded.again();

    does(guarded.hookkit(), &uninstall);
    does(guarded.hookkit(), &["self", "uninstall", "--yes"]);
    assert_eq!(belongings(places), before);
}
