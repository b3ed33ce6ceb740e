//! `--scope local`: a plugin that counts in one repository, for one person.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::Ran;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use serde_json::json;

use crate::Home;
use crate::home::gate;
use crate::places::SETTINGS;

pub(crate) const HOSTS: [(&str, &str); 2] = [
    ("claude-code", ".claude/settings.local.json"),
    ("copilot-cli", ".github/copilot/settings.local.json"),
];

/// Another repository beside the project.
pub(crate) fn other(places: &Places) -> PathBuf {
    let folder = places.root().join("home/other");
    git(places, ["init", "--quiet"], &folder);
    folder
}

fn git<const N: usize>(places: &Places, words: [&str; N], folder: &Path) -> String {
    fs::create_dir_all(folder).unwrap();
    let ran = places.program("git").args(words).cwd(folder).run();
    assert!(ran.exited(0), "{words:?}: {}", ran.err());
    ran.out()
}

pub(crate) fn status(places: &Places) -> String {
    git(places, ["status", "--porcelain"], &places.project())
}

pub(crate) fn install(home: &Home, plugin: &Path, repository: &Path) -> Program {
    home.install(plugin)
        .args(["--scope", "local", "--repo"])
        .arg(repository)
}

fn uninstall(home: &Home, repository: &Path) -> Ran {
    home.hookkit([
        "uninstall",
        "--yes",
        "gatekeeper",
        "--scope",
        "local",
        "--repo",
    ])
    .arg(repository)
    .run()
}

#[test]
fn every_file_is_given_back_and_every_folder_goes() {
    for (host, file) in HOSTS {
        for settings in [None].into_iter().chain(SETTINGS.map(Some)) {
            let places = Places::new();
            let home = Home::of(host, &places);
            if let Some(settings) = settings {
                let file = places.project().join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, settings).unwrap();
                fs::write(home.settings(), settings).unwrap();
            }
            let before = home.snapshot();
            let plugin = gate("1.0.0", "No.", true);
            let ran = install(&home, &plugin.path(), &places.project()).run();
            assert!(ran.exited(0), "{}", ran.err());
            let local = fs::read_to_string(places.project().join(file)).unwrap();
            assert!(local.contains("\"gatekeeper@hookkit-gatekeeper-"));
            let root = places.root().to_str().unwrap();
            assert!(
                !local.contains(root),
                "nothing absolute goes into a repository"
            );
            assert!(uninstall(&home, &places.project()).exited(0));
            assert_eq!(home.snapshot(), before, "{host} {settings:?}");
        }
    }
}

/// Our member is known by itself in the repository that one stands in.
#[test]
fn it_goes_without_a_data_folder() {
    for (host, file) in HOSTS {
        let places = Places::new();
        let home = Home::of(host, &places);
        let file = places.project().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let theirs = json!({"enabledPlugins": {"gatekeeper@theirs": false}});
        for file in [&file, &home.settings()] {
            fs::write(file, format!("{theirs:#}\n")).unwrap();
        }
        let before = home.snapshot();
        let plugin = gate("1.0.0", "No.", false);
        let ran = install(&home, &plugin.path(), &places.project()).run();
        assert!(ran.exited(0), "{}", ran.err());
        fs::remove_dir_all(home.data("")).unwrap();
        home.uninstalls("gatekeeper");
        assert_eq!(home.snapshot(), before, "{host}");
    }
}

#[test]
fn one_repository_loses_it_and_another_keeps_it() {
    for (host, file) in HOSTS {
        let places = Places::new();
        let home = Home::of(host, &places);
        let other = other(&places);
        let before = home.snapshot();
        let plugin = gate("1.0.0", "No.", true);
        let project = places.project();
        assert!(install(&home, &plugin.path(), &other).run().exited(0));
        let one = home.snapshot();
        assert!(install(&home, &plugin.path(), &project).run().exited(0));
        assert!(project.join(file).exists() && other.join(file).exists());

        let off = home
            .hookkit(["disable", "--yes", "gatekeeper", "--scope", "local"])
            .run();
        assert!(
            off.exited(3) && off.err().contains("all of them"),
            "{}",
            off.err()
        );
        assert!(uninstall(&home, &project).exited(0));
        assert_eq!(status(&places), "");
        assert!(other.join(file).exists());
        let mut kept = home.snapshot();
        let mut expected = one;
        // The receipt says when it was changed.
        for snapshot in [&mut kept, &mut expected] {
            snapshot.remove("data/hookkit/receipts/gatekeeper");
        }
        assert_eq!(kept, expected);

        for command in ["uninstall", "update", "disable", "enable"] {
            let ran = home
                .hookkit([command, "--yes", "gatekeeper", "--scope", "local"])
                .run();
            assert!(
                ran.exited(3) && ran.err().contains("not installed in"),
                "{command}: {}",
                ran.err()
            );
            let ran = home
                .hookkit([
                    command,
                    "--dry-run",
                    "gatekeeper",
                    "--scope",
                    "local",
                    "--repo",
                ])
                .arg(&other)
                .run();
            assert!(ran.exited(0), "{command}: {}", ran.err());
        }
        assert!(uninstall(&home, &other).exited(0));
        assert_eq!(home.snapshot(), before);
    }
}

/// A repository that somebody removed is not made again, and keeps nothing from going on.
#[test]
fn a_repository_that_is_gone_is_let_go() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let other = other(&places);
    let plugin = gate("1.0.0", "No.", true);
    assert!(install(&home, &plugin.path(), &other).run().exited(0));
    fs::remove_dir_all(&other).unwrap();
    let ran = home.hookkit(["update", "--yes", "gatekeeper"]).run();
    assert!(
        ran.exited(3) && ran.err().contains("which is gone"),
        "{}",
        ran.err()
    );
    assert!(
        install(&home, &plugin.path(), &places.project())
            .run()
            .exited(0)
    );
    assert_eq!(
        home.receipt("gatekeeper")["repositories"],
        json!([places.project()])
    );
    home.uninstalls("gatekeeper");
    assert!(!other.exists() && !home.data("").exists() && !home.settings().exists());
}

/// Told for every folder and for one repository, it would count twice.
#[test]
fn the_two_scopes_of_a_plugin_are_refused_or_replaced() {
    for (host, file) in HOSTS {
        for is_required in [false, true] {
            let places = Places::new();
            let home = Home::of(host, &places);
            fs::write(home.settings(), SETTINGS[6]).unwrap();
            let before = home.snapshot();
            let plugin = gate("1.0.0", "No.", is_required);
            let project = places.project();
            home.installs(&plugin);
            let everywhere = home.snapshot();
            let ran = install(&home, &plugin.path(), &project).run();
            assert!(
                ran.exited(3) && ran.err().contains("say --replace"),
                "{}",
                ran.err()
            );
            assert_eq!(home.snapshot(), everywhere);
            let replace = |program: Program| program.arg("--replace").run();
            assert!(replace(install(&home, &plugin.path(), &project)).exited(0));
            assert!(project.join(file).exists());
            let settings = fs::read_to_string(home.settings()).unwrap();
            assert!(!settings.contains("enabledPlugins"), "{settings}");
            assert!(!places.config().join("hooks").exists());

            let ran = home.install(&plugin.path()).run();
            assert!(ran.exited(3) && ran.err().contains("say --replace"));
            assert!(replace(home.install(&plugin.path())).exited(0));
            assert_eq!(status(&places), "");
            home.uninstalls("gatekeeper");
            assert_eq!(home.snapshot(), before, "{host} {is_required}");
        }
    }
}

#[test]
fn a_file_that_others_would_come_to_see_is_named() {
    for (host, file) in HOSTS {
        let places = Places::new();
        let home = Home::of(host, &places);
        let project = places.project();
        let plugin = gate("1.0.0", "No.", false);
        let said = || {
            let program = install(&home, &plugin.path(), &project);
            program.run().out()
        };
        assert!(said().contains("git does not ignore"));
        fs::write(project.join(".git/info/exclude"), "settings.local.json\n").unwrap();
        assert!(!said().contains("careful: git"));
        git(&places, ["add", "--force", file], &project);
        assert!(said().contains("careful: git tracks"));
    }
}

/// A repository cannot have its reader's files written by a link.
#[test]
fn a_link_in_the_repository_is_refused() {
    for (host, file) in HOSTS {
        let places = Places::new();
        let home = Home::of(host, &places);
        let file = places.project().join(file);
        let theirs = places.root().join("home/theirs.json");
        fs::write(&theirs, "{}\n").unwrap();
        let plugin = gate("1.0.0", "No.", false);
        let folder = file.parent().unwrap().to_owned();
        for (link, to) in [(&file, &theirs), (&folder, &places.root().join("home"))] {
            if folder.exists() {
                fs::remove_dir_all(&folder).unwrap();
            }
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(to, link).unwrap();
            let before = home.snapshot();
            let ran = install(&home, &plugin.path(), &places.project()).run();
            assert!(
                ran.exited(3) && ran.err().contains("is a link"),
                "{}",
                ran.err()
            );
            assert_eq!(home.snapshot(), before);
        }
    }
}

#[test]
fn a_folder_in_no_repository_is_refused() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let plugin = gate("1.0.0", "No.", false);
    let before = home.snapshot();
    let ran = install(&home, &plugin.path(), &places.config()).run();
    assert!(ran.exited(3) && ran.err().contains("is in no git repository"));
    let ran = home
        .install(&plugin.path())
        .args(["--scope", "user", "--repo", "."])
        .run();
    assert!(ran.exited(2) && ran.err().contains("--repo is for --scope local"));
    assert_eq!(home.snapshot(), before);
}
