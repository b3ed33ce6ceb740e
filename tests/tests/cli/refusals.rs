//! What `hookkit build` does not do. Each time nothing is written.

use std::os::unix::fs::symlink;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::{Plugin, Ran};
use serde_json::json;

use crate::build::build;
use crate::{files, hookkit, plugin};

/// Refused: exit code 3, the file is named, nothing is there.
fn assert_refused(plugin: &Plugin, ran: &Ran, names: &[&str]) {
    assert!(ran.exited(3));
    assert!(ran.stdout.is_empty());
    for name in names {
        assert!(ran.err().contains(name), "{name} is named");
    }
    assert!(!plugin.path().join("dist").exists(), "nothing is written");
}

#[test]
fn files_of_keys_and_passwords_do_not_travel() {
    let secrets = [
        ".env",
        "hooks/.env.production",
        "hooks/server.pem",
        "hooks/Server.KEY",
        "hooks/id_ed25519",
        ".npmrc",
    ];
    let harmless = [".env.example", "hooks/id_ed25519.pub", "hooks/keys.py"];
    let mut plugin = plugin().with("files", json!(["**"]));
    for file in secrets.iter().chain(&harmless) {
        plugin = plugin.file(file, "x\n", 0o644);
    }
    // A key is a key under any name.
    plugin = plugin.file(
        "hooks/innocent.txt",
        "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n",
        0o644,
    );
    let ran = build(&plugin, &[]);
    assert_refused(&plugin, &ran, &secrets);
    assert!(
        ran.err()
            .contains("hooks/innocent.txt looks like a file of keys")
    );
    for file in harmless {
        assert!(!ran.err().contains(&format!("  {file} ")), "{file}");
    }
    for file in secrets.iter().chain(&["hooks/innocent.txt"]) {
        fs::remove_file(plugin.path().join(file)).unwrap();
    }
    assert!(build(&plugin, &["-q"]).exited(0));
}

#[test]
fn links_that_lead_out_or_nowhere_do_not_travel() {
    for target in [
        "/etc/hostname",
        "../../project/secret",
        "nowhere",
        "/etc",
        "..",
    ] {
        let plugin = plugin();
        fs::write(plugin.project().join("secret"), "").unwrap();
        symlink(target, plugin.path().join("hooks/link")).unwrap();
        assert_refused(&plugin, &build(&plugin, &[]), &["hooks/link"]);
    }
    // Outside what travels a link is nobody's business.
    let plugin = plugin();
    symlink("/etc/hostname", plugin.path().join("link")).unwrap();
    assert!(build(&plugin, &["-q"]).exited(0));
}

#[test]
fn what_the_build_itself_writes_is_not_overwritten() {
    for file in ["hooks/hooks.json", "hooks/COPILOT.json"] {
        let plugin = plugin().file(file, "{}", 0o644);
        assert_refused(&plugin, &build(&plugin, &[]), &[file]);
    }
    let plugin = plugin()
        .with("files", json!(["hooks/**", "plugin.json"]))
        .file("plugin.json", "{}", 0o644);
    let ran = build(&plugin, &[]);
    assert_refused(&plugin, &ran, &["plugin.json would be read by copilot-cli"]);
}

#[test]
fn a_hook_whose_file_stays_behind_is_not_built() {
    let plugin = plugin()
        .hook(json!({"id": "far", "event": "Stop", "run": ["sh", "./scripts/far.sh"]}))
        .file("scripts/far.sh", ":", 0o644);
    assert_refused(
        &plugin,
        &build(&plugin, &[]),
        &["`far`", "./scripts/far.sh"],
    );
    let plugin = plugin.with("files", json!(["hooks/**", "scripts/**"]));
    assert!(build(&plugin, &["-q"]).exited(0));
}

#[test]
fn names_that_other_systems_cannot_have_do_not_travel() {
    for file in ["hooks/a:b", "hooks/aux.py", "hooks/dot."] {
        let plugin = plugin().file(file, "", 0o644);
        assert_refused(&plugin, &build(&plugin, &[]), &[file]);
    }
    let plugin = plugin()
        .file("hooks/Words.py", "", 0o644)
        .file("hooks/words.py", "", 0o644);
    if files(&plugin.path()).contains_key("hooks/Words.py") {
        assert_refused(&plugin, &build(&plugin, &[]), &["hooks/words.py"]);
    }
}

#[test]
fn a_folder_of_somebody_else_is_not_replaced() {
    let plugin = plugin();
    let theirs = plugin.project().join("theirs");
    fs::create_dir(&theirs).unwrap();
    fs::write(theirs.join("precious"), "data").unwrap();
    let ran = build(&plugin, &["--out", theirs.to_str().unwrap()]);
    assert_refused(
        &plugin,
        &ran,
        &["theirs", "was not made by `hookkit build`"],
    );
    assert_eq!(files(&theirs).into_keys().collect::<Vec<_>>(), ["precious"]);
    // A file, a link to a folder, the plugin itself and what holds it.
    let file = plugin.project().join("file");
    fs::write(&file, "data").unwrap();
    symlink(&theirs, plugin.project().join("link")).unwrap();
    for out in [
        file.as_path(),
        &plugin.project().join("link"),
        Path::new("."),
        Path::new(".."),
        Path::new("/"),
    ] {
        let before = files(&plugin.path());
        let ran = build(&plugin, &["--out", out.to_str().unwrap()]);
        assert!(ran.exited(3), "{}", out.display());
        assert_eq!(files(&plugin.path()), before, "{}", out.display());
    }
}

#[test]
fn a_dispatcher_that_does_not_fit_is_not_taken() {
    let plugin = plugin();
    let script = plugin.project().join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    let script = script.to_str().unwrap();
    let dispatcher = hookkit_tests::program::dispatcher();
    let dispatcher = dispatcher.to_str().unwrap();
    let empty = plugin.project();
    for (words, why) in [
        (&["--dispatcher", script][..], "is no program for"),
        (
            &["--dispatcher", empty.to_str().unwrap()],
            "there is no dispatcher for",
        ),
        (
            &["--dispatcher", dispatcher, "--targets", "windows"],
            "is no program for windows",
        ),
        (
            &["--dispatcher", dispatcher, "--targets", "all"],
            "there are several targets",
        ),
        (&["--targets", "all"], "there is no dispatcher for"),
        (&["--targets", "beos"], "`beos` is none of"),
    ] {
        let ran = build(&plugin, words);
        assert!(ran.exited(2), "{words:?}");
        assert!(ran.err().contains(why), "{words:?}: {}", ran.err());
        assert!(!plugin.path().join("dist").exists(), "{words:?}");
    }
}

#[test]
fn a_tree_is_not_built_from_a_tree_nor_taken_into_one() {
    let tree = plugin().build();
    let ran = hookkit(&tree.path(), ["build"]).run();
    assert!(ran.exited(3) && ran.err().contains("was itself made by `hookkit build`"));
    // An older tree lies in the plugin, and everything travels.
    let plugin = plugin().with("files", json!(["**"]));
    let old = plugin.path().join("old");
    assert!(build(&plugin, &["-q", "--out", old.to_str().unwrap()]).exited(0));
    let ran = build(&plugin, &[]);
    assert!(ran.exited(0) && ran.out().contains("old/\n"));
    assert!(!plugin.path().join("dist/demo/old").exists());
}

/// What root makes by sudo would belong to root.
#[test]
fn by_sudo_nothing_is_made() {
    let plugin = plugin();
    let is_root = rustix::process::geteuid().is_root();
    let code = if is_root { 3 } else { 0 };
    let by_sudo = |words: &[&str]| {
        hookkit(&plugin.path(), words)
            .env("SUDO_USER", "somebody")
            .run()
    };
    assert!(by_sudo(&["build", "-q"]).exited(code));
    assert!(by_sudo(&["init", "-q", "fresh"]).exited(code));
    assert!(by_sudo(&["check", "-q"]).exited(0));
    assert!(by_sudo(&["test", "-q"]).exited(0));
    assert_eq!(plugin.path().join("dist").exists(), !is_root);
    assert_eq!(plugin.path().join("fresh").exists(), !is_root);
}
