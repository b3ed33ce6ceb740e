//! A repository that brings a plugin along, and somebody who has it already.

use fs_err as fs;
use serde_json::json;

use crate::{FILE, Repository, SETTINGS, gate};

#[test]
fn whoever_has_it_already_is_told_before_it_fires_twice() {
    for scope in ["user", "local"] {
        let repository = Repository::new(None);
        let plugin = gate("1.0.0", "No.");
        let own = [
            "install",
            "--yes",
            "--host",
            "claude-code",
            "--scope",
            scope,
        ];
        assert!(repository.hookkit(&own).arg(plugin.path()).run().exited(0));
        let ran = repository.install(&plugin, &["--yes"]).run();
        assert!(
            ran.exited(3) && ran.err().contains("fire twice"),
            "{}",
            ran.err()
        );
        assert!(
            repository
                .hookkit(&["uninstall", "--yes", "gatekeeper"])
                .run()
                .exited(0)
        );
        repository.installs(&plugin);
        for host in ["claude-code", "copilot-cli"] {
            let own = ["install", "--yes", "--host", host, "--scope", scope];
            let ran = repository.hookkit(&own).arg(plugin.path()).run();
            assert!(ran.exited(3), "{host}");
            assert!(
                ran.err().contains("this repository brings it along"),
                "{}",
                ran.err()
            );
        }
    }
}

#[test]
fn a_repository_that_enables_it_elsewhere_is_named() {
    let theirs = json!({"enabledPlugins": {"gatekeeper@theirs": true}});
    let repository = Repository::new(Some(&theirs.to_string()));
    let ran = repository.install(&gate("1.0.0", "No."), &["--yes"]).run();
    assert!(
        ran.exited(3) && ran.err().contains("gatekeeper@theirs"),
        "{}",
        ran.err()
    );
}

/// One's own removal takes nothing from a repository, and the other way round.
#[test]
fn the_scopes_keep_apart() {
    let repository = Repository::new(None);
    let plugin = gate("1.0.0", "No.");
    repository.installs(&plugin);
    let before = repository.snapshot();
    let ran = repository
        .hookkit(&["uninstall", "--yes", "gatekeeper"])
        .run();
    assert!(ran.exited(0) && ran.out().contains("brings it along for everybody"));
    assert_eq!(repository.snapshot(), before);
    for command in ["disable", "enable"] {
        let words = [command, "--yes", "gatekeeper", "--scope", "project"];
        let ran = repository.hookkit(&words).run();
        assert!(
            ran.exited(3) && ran.err().contains("on for everybody"),
            "{}",
            ran.err()
        );
    }
}

#[test]
fn hosts_are_told_as_they_are_named() {
    for (host, has_claude, has_copilot) in [
        ("claude-code", true, false),
        ("copilot-cli", false, true),
        ("copilot-cloud", false, true),
    ] {
        let repository = Repository::new(None);
        let plugin = gate("1.0.0", "No.");
        let words = ["--yes", "--host", host];
        assert!(repository.install(&plugin, &words).run().exited(0));
        assert_eq!(repository.join(SETTINGS).exists(), has_claude, "{host}");
        assert_eq!(repository.join(FILE).exists(), has_copilot, "{host}");
        // The next installation keeps to it.
        repository.installs(&plugin);
        assert_eq!(repository.join(SETTINGS).exists(), has_claude, "{host}");
    }
    let repository = Repository::new(None);
    let plugin = gate("1.0.0", "No.");
    // The cloud agent reads nothing but repositories.
    let ran = repository
        .hookkit(&["install", "--yes", "--host", "copilot-cloud"])
        .args(["--targets", &format!("linux-{}", std::env::consts::ARCH)])
        .arg(plugin.path())
        .run();
    assert!(ran.exited(0), "{}", ran.err());
    let text = fs::read_to_string(repository.join(FILE)).unwrap();
    assert!(text.contains("run.ps1"));
    assert!(
        repository
            .install(&plugin, &["--yes", "--bash-only"])
            .run()
            .exited(0)
    );
    assert!(!repository.read(FILE).contains("run.ps1"));
    repository.installs(&plugin);
    assert!(
        !repository.read(FILE).contains("run.ps1"),
        "once said, it holds"
    );
}
