//! What is left when a run is ended, fails, or has company.

use std::thread;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, is_long_run, steps};
use serde_json::json;

use crate::{RECORD, Repository, SETTINGS, gate};

const THEIRS: &str = "{\n  // theirs\n  \"model\": \"opus\"\n}\n";

/// Ends, or fails, a command at each of its steps; `look` says what must be so then.
fn at_every_step(
    before: Option<&Plugin>,
    command: &dyn Fn(&Repository) -> Program,
    what: &str,
    look: &dyn Fn(&Ran, &Repository, &str),
) {
    let fresh = || {
        let repository = Repository::new(Some(THEIRS));
        let untouched = repository.snapshot();
        if let Some(plugin) = before {
            repository.installs(plugin);
        }
        (repository, untouched)
    };
    let (traced, _) = fresh();
    let trace = traced.places.root().join("run/trace");
    let Some(steps) = steps::of(command(&traced), &trace) else {
        return;
    };
    for step in steps {
        let (repository, untouched) = fresh();
        let ran = step.of(command(&repository), what).run();
        let step = format!("{step:?}");
        assert!(repository.read(SETTINGS).contains("// theirs"), "{step}");
        look(&ran, &repository, &step);
        // Whatever happened, the next run finishes it.
        assert!(command(&repository).run().exited(0), "{step}");
        repository.uninstalls("gatekeeper");
        assert_eq!(repository.snapshot(), untouched, "{step}");
    }
}

#[test]
fn an_installation_that_is_ended_is_none_or_finished_by_the_next() {
    let plugin = gate("1.0.0", "No.");
    let install = |repository: &Repository| repository.install(&plugin, &["--yes"]);
    at_every_step(None, &install, "signal=KILL", &|ran, repository, step| {
        assert!(!ran.exited(0), "{step}: it was ended");
        let text = repository.read(SETTINGS);
        let is_told = text.contains("CLAUDE_PROJECT_DIR");
        assert!(text == THEIRS || is_told, "{step}: {text}");
        assert!(!is_told || repository.join(RECORD).exists(), "{step}");
    });
}

#[test]
fn an_update_that_is_ended_leaves_a_version_that_works() {
    let (before, next) = (gate("1.0.0", "No."), gate("2.0.0", "Never."));
    let update = |repository: &Repository| repository.install(&next, &["--yes"]);
    at_every_step(
        Some(&before),
        &update,
        "signal=KILL",
        &|_, repository, step| {
            let sums = Program::new("sha256sum")
                .args(["--check", "--strict", "--quiet", "SHA256SUMS"])
                .cwd(repository.join(crate::FOLDER))
                .run();
            assert!(sums.exited(0), "{step}: the tree is whole");
        },
    );
}

#[test]
fn an_uninstallation_that_is_ended_is_finished_by_the_next() {
    let plugin = gate("1.0.0", "No.");
    let uninstall = |repository: &Repository| repository.uninstall("gatekeeper");
    at_every_step(Some(&plugin), &uninstall, "signal=KILL", &|_, _, _| {});
}

/// Where a step fails, all of it is taken back.
#[test]
fn an_installation_that_fails_leaves_nothing() {
    let plugin = gate("1.0.0", "No.");
    let install = |repository: &Repository| repository.install(&plugin, &["--yes"]);
    at_every_step(None, &install, "error=ENOSPC", &|ran, repository, step| {
        if !ran.exited(0) {
            assert!(ran.exited(1) || ran.exited(3), "{step}: {:?}", ran.code);
            assert_eq!(repository.status(), "", "{step}");
        }
    });
}

/// They take turns: each finds what the other wrote.
#[test]
fn two_at_once_both_count() {
    let one = gate("1.0.0", "No.");
    let two = gate("1.0.0", "No.").with("name", json!("second"));
    let rounds = if is_long_run() { 200 } else { 6 };
    for round in 0..rounds {
        let repository = Repository::new((round % 2 == 0).then_some(THEIRS));
        let untouched = repository.snapshot();
        thread::scope(|scope| {
            for plugin in [&one, &two] {
                let run = repository.install(plugin, &["--yes"]);
                scope.spawn(move || assert!(run.run().exited(0)));
            }
        });
        let text = repository.read(SETTINGS);
        let both = ["/gatekeeper/", "/second/"];
        assert!(
            both.iter().all(|name| text.contains(name)),
            "{round}: {text}"
        );
        thread::scope(|scope| {
            for name in ["gatekeeper", "second"] {
                let run = repository.uninstall(name);
                scope.spawn(move || assert!(run.run().exited(0)));
            }
        });
        assert_eq!(repository.snapshot(), untouched, "{round}");
    }
}
