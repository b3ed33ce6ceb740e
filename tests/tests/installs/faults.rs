//! What is left when a run is ended, fails, or has company.

use std::collections::BTreeMap;
use std::thread;

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, is_long_run, steps};

use crate::Home;
use crate::home::gate;

const SETTINGS: &str = "{\n  // theirs\n  \"model\": \"opus\"\n}\n";
const CONFIG: &str = "model = \"gpt\"   # // theirs\r\n[features]\r\nweb = true";

fn settings_of(host: &str) -> &'static str {
    if host == "codex" { CONFIG } else { SETTINGS }
}

/// A command, and what it finds.
struct Case<'c> {
    host: &'static str,
    before: Option<&'c Plugin>,
    words: Vec<String>,
}

impl Case<'_> {
    fn home(&self, places: &Places) -> BTreeMap<String, String> {
        let home = Home::of(self.host, places);
        fs::write(home.settings(), settings_of(self.host)).unwrap();
        let untouched = home.snapshot();
        if let Some(plugin) = self.before {
            home.installs(plugin);
        }
        untouched
    }

    fn run(&self, places: &Places) -> Program {
        Home::of(self.host, places).hookkit([]).args(&self.words)
    }

    /// Ends, or fails, a run at each of its steps; `look` says what must be so then.
    fn at_every_step(&self, what: &str, look: impl Fn(&Ran, &Home, &str)) {
        let places = Places::new();
        self.home(&places);
        let trace = places.root().join("run/trace");
        let Some(steps) = steps::of(self.run(&places), &trace) else {
            return;
        };
        for step in steps {
            let places = Places::new();
            let untouched = self.home(&places);
            let ran = step.of(self.run(&places), what).run();
            let step = format!("{:?} {step:?}", self.words);
            let home = Home::of(self.host, &places);
            look(&ran, &home, &step);
            // Whatever happened, the next run finishes it.
            assert!(self.run(&places).run().exited(0), "{step}");
            home.uninstalls("gatekeeper");
            assert_eq!(home.snapshot(), untouched, "{step}");
        }
    }
}

fn words(words: &[&str], folder: Option<&Plugin>) -> Vec<String> {
    let folder = folder.map(|plugin| plugin.path().display().to_string());
    words
        .iter()
        .map(|word| (*word).to_owned())
        .chain(folder)
        .collect()
}

#[test]
fn an_installation_that_is_ended_is_none_or_finished_by_the_next() {
    let plugin = gate("1.0.0", "No.", true);
    for host in ["claude-code", "copilot-cli", "codex"] {
        let case = Case {
            host,
            before: None,
            words: words(&["install", "--yes", "--host", host], Some(&plugin)),
        };
        case.at_every_step("signal=KILL", |ran, home, step| {
            assert!(!ran.exited(0), "{step}: it was ended");
            let text = fs::read_to_string(home.settings()).unwrap();
            let is_whole =
                text == settings_of(host) || text.contains("gatekeeper@hookkit-gatekeeper-");
            assert!(is_whole && text.contains("// theirs"), "{step}: {text}");
        });
    }
}

#[test]
fn an_update_that_is_ended_leaves_a_version_that_works() {
    let before = gate("1.0.0", "No.", true);
    let plugin = gate("2.0.0", "Never.", true);
    for host in ["copilot-cli", "codex"] {
        let case = Case {
            host,
            before: Some(&before),
            words: words(&["install", "--yes"], Some(&plugin)),
        };
        case.at_every_step("signal=KILL", |_, home, step| {
            let receipt = home.receipt("gatekeeper");
            let version = receipt["version"].as_str().unwrap();
            let manifest = home
                .data("store/gatekeeper")
                .join(version)
                .join("hookkit.json");
            assert!(manifest.is_file(), "{step}: {version}");
        });
    }
}

#[test]
fn an_uninstallation_that_is_ended_is_finished_by_the_next() {
    let plugin = gate("1.0.0", "No.", true);
    for host in ["claude-code", "copilot-cli", "codex"] {
        let case = Case {
            host,
            before: Some(&plugin),
            words: words(&["uninstall", "--yes", "gatekeeper"], None),
        };
        case.at_every_step("signal=KILL", |_, _, _| {});
    }
}

/// Where a step fails, all of it is taken back.
#[test]
fn an_installation_that_fails_leaves_nothing() {
    let plugin = gate("1.0.0", "No.", true);
    let case = Case {
        host: "copilot-cli",
        before: None,
        words: words(
            &["install", "--yes", "--host", "copilot-cli"],
            Some(&plugin),
        ),
    };
    case.at_every_step("error=ENOSPC", |ran, home, step| {
        let is_told = home.settings().with_file_name("hooks").exists();
        assert_eq!(ran.exited(0), is_told, "{step}: {}", ran.err());
        if !ran.exited(0) {
            assert!(ran.exited(1) || ran.exited(3), "{step}: {:?}", ran.code);
            assert!(!home.data("receipts/gatekeeper").exists(), "{step}");
        }
    });
}

/// They take turns: each finds what the other wrote.
#[test]
fn two_at_once_both_count() {
    let (one, two) = (
        gate("1.0.0", "No.", false),
        gate("1.0.0", "No.", false).with("name", "second".into()),
    );
    let rounds = if is_long_run() { 200 } else { 8 };
    for round in 0..rounds {
        let places = Places::new();
        let host = ["claude-code", "claude-code", "codex", "codex"][round % 4];
        let home = Home::of(host, &places);
        if round % 2 == 0 {
            fs::write(home.settings(), settings_of(host)).unwrap();
        }
        let untouched = home.snapshot();
        thread::scope(|scope| {
            for plugin in [&one, &two] {
                let run = home.install(&plugin.path());
                scope.spawn(move || assert!(run.run().exited(0)));
            }
        });
        let text = fs::read_to_string(home.settings()).unwrap();
        let both = ["gatekeeper@hookkit-", "second@hookkit-"];
        assert!(
            both.iter().all(|words| text.contains(words)),
            "{round}: {text}"
        );
        assert_eq!(text.contains("// theirs"), round % 2 == 0);
        thread::scope(|scope| {
            for name in ["gatekeeper", "second"] {
                let run = home.hookkit(["uninstall", "--yes", name]);
                scope.spawn(move || assert!(run.run().exited(0)));
            }
        });
        assert_eq!(home.snapshot(), untouched, "{round}");
    }
}

#[test]
fn a_read_only_file_is_left_alone_and_what_belongs_there_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    fs::write(home.settings(), SETTINGS).unwrap();
    fs::set_permissions(home.settings(), std::fs::Permissions::from_mode(0o444)).unwrap();
    let before = home.snapshot();
    let plugin = gate("1.0.0", "No.", true);
    let ran = home.install(&plugin.path()).run();
    assert!(ran.exited(3));
    assert!(ran.err().contains("is read-only") && ran.err().contains("\"enabledPlugins\": {"));
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_data_folder_that_is_none_is_refused() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    let before = home.snapshot();
    let file = places.root().join("run/file");
    fs::write(&file, "").unwrap();
    for (folder, why) in [
        (places.project().join("data"), "git work tree"),
        (file, "is no folder"),
        (
            places.root().join("a ${b}"),
            "characters that agents change",
        ),
    ] {
        let ran = home
            .install(&plugin.path())
            .env("HOOKKIT_HOME", &folder)
            .run();
        assert!(ran.exited(3), "{}: {:?}", folder.display(), ran.code);
        assert!(
            ran.err().contains(why),
            "{}: {}",
            folder.display(),
            ran.err()
        );
        assert!(!folder.join("receipts").exists());
    }
    let ran = home
        .install(&plugin.path())
        .env("HOOKKIT_HOME", "relative")
        .run();
    assert!(ran.exited(2) && ran.err().contains("no absolute path"));
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_home_of_somebody_else_is_refused() {
    if !rustix_is_root() {
        return;
    }
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", true);
    let theirs = places.root().join("run/theirs");
    fs::create_dir(&theirs).unwrap();
    std::os::unix::fs::chown(&theirs, Some(12345), None).unwrap();
    let ran = home.install(&plugin.path()).env("HOME", &theirs).run();
    assert!(ran.exited(3) && ran.err().contains("belongs to somebody else"));
    let by_sudo = home
        .install(&plugin.path())
        .env("SUDO_USER", "somebody")
        .run();
    assert!(by_sudo.exited(3));
}

fn rustix_is_root() -> bool {
    Program::new("id").arg("-u").run().out().trim() == "0"
}
