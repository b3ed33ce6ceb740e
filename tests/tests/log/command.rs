//! `hookkit log`, and `hookkit install --log`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, payload, program};
use serde_json::{Value, json};

/// A home in which a plugin is installed for Claude Code.
struct Home {
    places: Places,
    hookkit: PathBuf,
    plugin: Plugin,
}

impl Home {
    fn new(words: &[&str]) -> Self {
        let places = Places::new();
        let hookkit = program::hookkit_beside_dispatcher(&places.root().join("run"));
        let gate = json!({"id": "gate", "event": "PreToolUse"});
        let home = Self {
            plugin: Plugin::new("demo").sh(gate, "echo No. >&2; exit 2"),
            hookkit,
            places,
        };
        let plugin = home.plugin.path();
        let install = [
            "install",
            plugin.to_str().unwrap(),
            "--yes",
            "--host",
            "claude-code",
        ];
        assert!(home.run(&[&install, words].concat()).exited(0));
        home
    }

    fn hookkit(&self, words: &[&str]) -> Program {
        self.places
            .program(&self.hookkit)
            .env("CLAUDE_CONFIG_DIR", self.places.config())
            .args(words)
    }

    fn run(&self, words: &[&str]) -> Ran {
        self.hookkit(words).run()
    }

    fn data(&self, name: &str) -> PathBuf {
        self.places.root().join("data/hookkit").join(name)
    }

    fn calls(&self) {
        let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        call["cwd"] = json!(self.places.project());
        Program::new(self.data("market/demo/dispatch/hookkit-dispatch"))
            .args([
                "--host",
                "claude-code",
                "--event",
                "PreToolUse",
                "--plugin",
                "demo",
            ])
            .stdin(call)
            .run()
            .assert_denies("No.");
    }

    fn shown(&self) -> Vec<Value> {
        let told = self.run(&["log", "--json"]).json();
        assert_eq!(told["schema"], 1);
        told["entries"].as_array().unwrap().clone()
    }
}

#[test]
fn the_log_is_off_until_somebody_wants_it() {
    let home = Home::new(&[]);
    home.calls();
    let ran = home.run(&["log"]);
    assert!(ran.exited(0) && ran.out().is_empty() && ran.err().contains("the log is off"));
    assert!(
        home.run(&["log", "on", "demo"]).exited(3),
        "nobody said yes"
    );
    home.calls();
    assert!(home.run(&["log", "on", "demo", "--yes"]).exited(0));
    home.calls();
    assert_eq!(home.shown().len(), 1);
    assert!(home.run(&["log", "off", "--yes"]).exited(0));
    home.calls();
    assert_eq!(home.shown().len(), 1, "what is written stays");
    assert!(home.run(&["log", "on", "nobody", "--yes"]).exited(3));
}

#[test]
fn an_installation_can_log_from_its_start_and_an_update_goes_on() {
    let home = Home::new(&["--log"]);
    home.calls();
    assert!(home.run(&["update", "--yes"]).exited(0));
    let gate = json!({"id": "gate", "event": "PreToolUse"});
    let next = Plugin::new("demo")
        .with("version", json!("9.0.0"))
        .sh(gate, "echo No. >&2; exit 2");
    fs::copy(
        next.path().join("hookkit.json"),
        home.plugin.path().join("hookkit.json"),
    )
    .unwrap();
    assert!(home.run(&["update", "--yes"]).exited(0));
    home.calls();
    assert_eq!(home.shown().len(), 2);
    let told = home.run(&["log", "--json"]).json();
    assert_eq!(
        told["on"],
        json!([{"plugin": "demo", "file": home.data("log.jsonl")}])
    );
}

#[test]
fn a_collectors_file_must_be_one_that_can_be_written() {
    let home = Home::new(&[]);
    let collected = home.places.root().join("run/collected.jsonl");
    let to = |file: &Path| home.run(&["log", "on", "--yes", "--to", file.to_str().unwrap()]);
    for wrong in [
        "relative.jsonl",
        "/nowhere/at/all.jsonl",
        "/dev/null",
        "/tmp",
    ] {
        let ran = to(Path::new(wrong));
        assert!(
            ran.exited(3) && ran.err().contains("no log can be written"),
            "{wrong}"
        );
    }
    assert!(to(&collected).exited(0));
    home.calls();
    assert_eq!(crate::lines(&collected).len(), 1);
    assert_eq!(home.shown().len(), 1);
    let plugin = home.plugin.path();
    let again = ["install", "--yes", plugin.to_str().unwrap()];
    assert!(home.run(&again).exited(0));
    home.calls();
    assert_eq!(
        crate::lines(&collected).len(),
        2,
        "installing again keeps it"
    );
    assert!(home.run(&[&again[..], &["--log"]].concat()).exited(0));
    home.calls();
    assert_eq!(crate::lines(&collected).len(), 2);
    assert_eq!(crate::lines(&home.data("log.jsonl")).len(), 1);
}

#[test]
fn uninstalling_takes_the_log_away() {
    let home = Home::new(&["--log"]);
    home.calls();
    assert!(home.data("log.jsonl").exists());
    fs::write(home.data("log.jsonl.1"), "").unwrap();
    assert!(home.run(&["uninstall", "demo", "--yes"]).exited(0));
    assert!(!home.data("").exists());
}

#[test]
fn a_summary_counts_outcomes_and_spreads_times() {
    let home = Home::new(&["--log"]);
    home.calls();
    let line = |hook: &str, outcome: &str, ms: u32| {
        let entry = json!({
            "schema": 1, "time": "2026-01-01T00:00:00.000Z", "plugin": "demo",
            "host": "codex", "event": "PreToolUse", "hook": hook, "mode": "gate",
            "outcome": outcome, "exit": 0, "ms": ms,
        });
        format!("{entry}\n")
    };
    let mut text = fs::read_to_string(home.data("log.jsonl")).unwrap();
    text.extend((1..=20).map(|ms| line("slow", "none", ms)));
    text.push_str("{\"schema\":1,\"time\":\"2026\n");
    fs::write(home.data("log.jsonl"), text).unwrap();
    let ran = home.run(&["log", "--summary"]);
    assert!(ran.err().contains("1 line cannot be read"), "{}", ran.err());
    let out = ran.out();
    let row = out.lines().find(|line| line.contains("demo/slow")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        words,
        [
            "codex",
            "demo/slow",
            "20",
            "10",
            "ms",
            "19",
            "ms",
            "none",
            "20"
        ]
    );
    let told = home
        .run(&["log", "--summary", "--json", "--host", "codex"])
        .json();
    assert_eq!(told["summary"].as_array().unwrap().len(), 1);
    assert_eq!(
        told["summary"][0]["milliseconds"],
        json!({"p50": 10.0, "p95": 19.0})
    );
    let all = home.run(&["log"]).out();
    assert!(all.lines().count() == 21 && all.lines().next().unwrap().contains("2026-01-01"));
    let last = home.run(&["log", "-n", "1"]).out();
    assert!(last.lines().count() == 1 && last.contains("demo/gate") && last.contains("exit 2"));
}

#[test]
fn following_shows_lines_as_they_come_and_over_a_file_that_was_full() {
    let home = Home::new(&["--log"]);
    home.calls();
    let follower = home
        .hookkit(&["log", "--follow", "--json"])
        .limit(Duration::from_secs(3));
    let ran = std::thread::scope(|scope| {
        let following = scope.spawn(|| follower.run());
        std::thread::sleep(Duration::from_millis(600));
        home.calls();
        std::thread::sleep(Duration::from_millis(500));
        home.calls();
        fs::rename(home.data("log.jsonl"), home.data("log.jsonl.1")).unwrap();
        home.calls();
        following.join().unwrap()
    });
    assert!(ran.timed_out, "it goes on until it is ended");
    assert_eq!(ran.out().lines().count(), 4, "{}", ran.out());
}

/// What is no log of ours is not read, and never waited for.
#[test]
fn a_log_that_is_no_file_is_said() {
    let home = Home::new(&["--log"]);
    assert!(
        Program::new("mkfifo")
            .arg(home.data("log.jsonl"))
            .run()
            .exited(0)
    );
    let ran = home.hookkit(&["log"]).limit(Duration::from_secs(10)).run();
    assert!(ran.exited(1) && ran.err().contains("is no plain file"));
}
