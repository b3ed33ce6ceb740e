//! `hookkit self uninstall`: the home is as it was.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::program;
use hookkit_tests::published::{Published, VERSION};
use serde_json::json;

use crate::home::Home;

fn install(home: &Home) {
    let released = Published::of(VERSION);
    let ran = home
        .shell(&["dash"], &released.file("install.sh"))
        .arg("--archive")
        .arg(released.archive(VERSION))
        .run();
    assert!(ran.exited(0));
}

#[test]
fn a_home_is_given_back_byte_for_byte() {
    let layouts: [&[(&str, &str)]; 4] = [
        &[],
        &[
            (".profile", ""),
            (".bash_profile", "x\r\ny\r\n"),
            (".bashrc", "\n\n"),
        ],
        &[(".zshrc", "no end"), (".config/fish/config.fish", "# f\n")],
        &[
            (".local/share/hookkit/store/x", "somebody's\n"),
            (".local/bin/x", ""),
        ],
    ];
    for files in layouts {
        let home = Home::new();
        for (file, text) in files {
            home.write(file, text);
        }
        let before = home.everything();
        install(&home);
        assert_ne!(home.everything(), before);
        assert!(home.hookkit(["self", "uninstall", "--yes"]).run().exited(0));
        assert_eq!(home.everything(), before, "{files:?}");
    }
    let home = Home::new();
    fs::remove_file(home.path().join(".profile")).unwrap();
    fs::remove_file(home.path().join(".bashrc")).unwrap();
    install(&home);
    assert!(home.path().join(".profile").exists());
    assert!(home.hookkit(["self", "uninstall", "--yes"]).run().exited(0));
    assert!(home.everything().is_empty());
}

#[test]
fn what_was_written_since_stays() {
    let home = Home::new();
    install(&home);
    let text = home.read(".profile");
    home.write(".profile", &format!("# first\n{text}\n# last\n"));
    fs::remove_file(home.path().join(".bashrc")).unwrap();
    assert!(home.hookkit(["self", "uninstall", "--yes"]).run().exited(0));
    let mine = Home::new().read(".profile");
    assert_eq!(home.read(".profile"), format!("# first\n{mine}\n# last\n"));
    assert!(!home.path().join(".bashrc").exists() && !home.path().join(".local").exists());
}

#[test]
fn nothing_goes_before_somebody_said_so() {
    let home = Home::new();
    install(&home);
    let before = home.everything();
    let asked = home.hookkit(["self", "uninstall"]).run();
    assert!(asked.exited(3) && asked.err().contains("--yes"));
    let shown = home.hookkit(["self", "uninstall", "--dry-run"]).run();
    assert!(shown.exited(0) && shown.out().contains(".profile"));
    assert_eq!(home.everything(), before);
}

#[test]
fn plugins_are_not_left_behind_unasked() {
    let home = Home::new();
    install(&home);
    let plugin = hookkit_tests::Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash"}),
        "exit 2",
    );
    fs::create_dir(home.path().join(".claude")).unwrap();
    let installed = home
        .hookkit(["install", "--yes", "--host", "claude-code"])
        .arg(plugin.path())
        .run();
    assert!(installed.exited(0));
    let before = home.everything();
    let refused = home.hookkit(["self", "uninstall", "--yes"]).run();
    assert!(refused.exited(3) && refused.err().contains("hookkit uninstall demo"));
    let named: Vec<_> = before.keys().collect();
    assert_eq!(home.everything().keys().collect::<Vec<_>>(), named);
    let keep = ["self", "uninstall", "--yes", "--keep-plugins"];
    assert!(home.hookkit(keep).run().exited(0));
    let data = home.path().join(".local/share/hookkit");
    assert!(data.join("bin/hookkit-dispatch").is_file() && !data.join("self").exists());
}

/// A session goes on starting what it read when it started.
#[test]
fn what_a_live_session_still_starts_is_named() {
    let home = Home::new();
    fs::create_dir(home.path().join(".claude")).unwrap();
    let before = home.everything();
    install(&home);
    let plugin = hookkit_tests::Plugin::new("demo").sh(
        json!({"id": "gate", "event": "PreToolUse", "matcher": "Bash"}),
        "exit 2",
    );
    let done = |words: &[&str]| {
        let ran = home
            .program(home.own().join("bin/hookkit"))
            .args(words)
            .run();
        assert!(ran.exited(0), "{words:?}");
        ran.out()
    };
    let folder = Folder::new("client");
    let client = folder.join("claude");
    copy(&program::found("sleep").unwrap(), &client);
    let place = plugin.path();
    let installed = [
        "install",
        "--yes",
        "--host",
        "claude-code",
        place.to_str().unwrap(),
    ];
    let uninstalled = ["uninstall", "--yes", "demo"];
    let gone = ["self", "uninstall", "--yes"];

    done(&installed);
    let session = home.program(&client).arg("600").start();
    assert!(done(&uninstalled).contains("claude-code (process "));
    assert!(done(&gone).contains("until claude-code (process "));
    let data = home.path().join(".local/share/hookkit");
    assert!(data.join("bin/hookkit-dispatch").is_file() && !data.join("self").exists());
    fs::remove_dir_all(home.path().join(".local")).unwrap();

    install(&home);
    done(&installed);
    done(&uninstalled);
    drop(session);
    assert!(!done(&gone).contains("claude-code"));
    assert_eq!(home.everything(), before, "nothing is left for nobody");
}

#[test]
fn what_somebody_else_put_there_is_left_to_them() {
    let home = Home::new();
    for (place, words) in [
        (".cargo/bin", "cargo uninstall hookkit"),
        ("Cellar/hookkit/0.1.0/bin", "brew uninstall hookkit"),
        ("tools", "by hand"),
    ] {
        let program = home.path().join(place).join("hookkit");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        copy(&program::hookkit(), &program);
        let ran = home
            .program(&program)
            .args(["self", "uninstall", "--yes"])
            .run();
        assert!(ran.exited(3) && ran.err().contains(words), "{place}");
        assert!(program.is_file());
        let ran = home.program(&program).args(["self", "setup"]).run();
        assert!(ran.exited(3) && ran.err().contains("install.sh"), "{place}");
    }
}

/// A copy that is no other name of the file: a program is known by where it lies.
fn copy(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}
