//! `hookkit build`: what it makes, and how it stays as it was made.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran};
use serde_json::json;

use crate::{files, hookkit, plugin};

pub(crate) fn build(plugin: &Plugin, words: &[&str]) -> Ran {
    hookkit(&plugin.path(), ["build"]).args(words).run()
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

/// A plugin with files that travel and files that do not.
fn with_files() -> Plugin {
    plugin()
        .file("README.md", "# demo\n", 0o600)
        .file("LICENSE", "MIT\n", 0o644)
        .file("hooks/lib/words.py", "WORDS = []\n", 0o755)
        .file("hooks/tests/test_gate.py", "\n", 0o644)
        .file("hooks/gate_test.py", "\n", 0o644)
        .file("hooks/__pycache__/words.pyc", "\n", 0o644)
        .file("hooks/.venv/bin/python", "\n", 0o644)
        .file("hooks/node_modules/a/index.js", "\n", 0o644)
        .file("hooks/.env", "TOKEN=1\n", 0o644)
        .file("notes.txt", "\n", 0o644)
        .file("src/deep/main.rs", "\n", 0o644)
}

#[test]
fn what_travels_is_taken_and_the_rest_is_named() {
    let plugin = with_files();
    let ran = build(&plugin, &[]);
    assert!(ran.exited(0));
    let out = ran.out();
    assert!(out.starts_with("Built demo 0.1.0 in dist/demo\n"), "{out}");
    let column = |word: &str| -> Vec<String> {
        let lines: Vec<&str> = out.lines().collect();
        let start = lines
            .iter()
            .position(|line| line.starts_with(&format!("  {word} ")));
        let listed = lines[start.expect(word)..].iter();
        listed
            .take_while(|line| !line.is_empty())
            .map(|line| line.split_whitespace().last().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        column("took"),
        [
            "LICENSE",
            "README.md",
            "hookkit.json",
            "hooks/gate.sh",
            "hooks/lib/words.py"
        ]
    );
    assert_eq!(
        column("left"),
        [
            "hooks/.env",
            "hooks/.venv/",
            "hooks/__pycache__/",
            "hooks/gate_test.py",
            "hooks/node_modules/",
            "hooks/tests/",
            "notes.txt",
            "src/"
        ]
    );
    let tree = plugin.path().join("dist/demo");
    let present: Vec<String> = files(&tree).into_keys().collect();
    for file in column("took").iter().chain(&column("wrote")) {
        assert!(present.contains(file), "{file}");
    }
    assert_eq!(present.len(), column("took").len() + column("wrote").len());
    assert!(out.contains("claude --plugin-dir dist/demo"));
}

/// Whatever the disk says: a checkout on Windows says nothing.
#[test]
fn modes_follow_from_what_a_file_is_for() {
    let plugin = with_files()
        .hook(json!({"id": "direct", "event": "Stop", "run": ["./hooks/program"]}))
        .file("hooks/program", "started by its name\n", 0o755)
        .file("hooks/script", "#!/bin/sh\n", 0o644);
    assert!(build(&plugin, &["-q"]).exited(0));
    let tree = plugin.path().join("dist/demo");
    for (file, expected) in [
        ("README.md", 0o644),
        ("hooks/lib/words.py", 0o644),
        ("hooks/gate.sh", 0o644),
        ("hooks/program", 0o755),
        ("hooks/script", 0o755),
        ("dispatch/hookkit-dispatch", 0o755),
        ("hooks/hooks.json", 0o644),
    ] {
        assert_eq!(mode(&tree.join(file)), expected, "{file}");
    }
}

#[test]
fn the_manifest_names_the_dispatcher_that_it_needs() {
    let text =
        "{ \"schema\": 1, \"name\": \"demo\",\n\t\"version\": \"1.0.0\",\n\t\"hooks\": [] }\n";
    let plugin = Plugin::new("demo").manifest_bytes(text);
    assert!(build(&plugin, &["-q"]).exited(0));
    let built = fs::read_to_string(plugin.path().join("dist/demo/hookkit.json")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = text.replace(
        "\"1.0.0\",",
        &format!("\"1.0.0\",\n\t\"dispatch\": \">={version}\","),
    );
    assert_eq!(built, expected);
    assert_eq!(
        fs::read_to_string(plugin.path().join("hookkit.json")).unwrap(),
        text
    );
}

#[test]
fn a_second_build_replaces_the_first_as_a_whole() {
    let plugin = with_files();
    assert!(build(&plugin, &["-q"]).exited(0));
    let tree = plugin.path().join("dist/demo");
    let first = files(&tree);
    fs::write(tree.join("stray"), "").unwrap();
    fs::remove_file(plugin.path().join("README.md")).unwrap();
    assert!(build(&plugin, &["-q"]).exited(0));
    let mut expected = first;
    expected.remove("README.md");
    assert_eq!(files(&tree), expected);
    let around: Vec<_> = fs::read_dir(plugin.path().join("dist")).unwrap().collect();
    assert_eq!(around.len(), 1, "nothing is left beside it: {around:?}");
}

#[test]
fn an_empty_folder_and_a_new_one_are_fine() {
    let plugin = plugin();
    fs::create_dir(plugin.project().join("empty")).unwrap();
    for out in ["empty", "some/new/folder"] {
        let out = plugin.project().join(out);
        assert!(build(&plugin, &["-q", "--out", out.to_str().unwrap()]).exited(0));
        assert!(out.join("dispatch/hookkit-dispatch").is_file());
    }
}

#[test]
fn a_link_inside_the_plugin_is_the_file_that_it_leads_to() {
    let plugin = plugin().file("common/words.py", "WORDS = []\n", 0o644);
    symlink("../common/words.py", plugin.path().join("hooks/words.py")).unwrap();
    assert!(build(&plugin, &["-q"]).exited(0));
    let copy = plugin.path().join("dist/demo/hooks/words.py");
    assert!(!copy.is_symlink());
    assert_eq!(fs::read_to_string(copy).unwrap(), "WORDS = []\n");
}

#[test]
fn check_names_every_file_that_drifted() {
    let plugin = with_files();
    let missing = build(&plugin, &["--check"]);
    assert!(missing.exited(2) && missing.err().contains("there is no tree"));
    assert!(build(&plugin, &["-q"]).exited(0));
    let same = build(&plugin, &["--check"]);
    assert!(same.exited(0) && same.out().contains("is what a build makes"));

    let tree = plugin.path().join("dist/demo");
    fs::write(tree.join("hooks/hooks.json"), "{}").unwrap();
    fs::write(tree.join("stray"), "").unwrap();
    fs::remove_file(tree.join("LICENSE")).unwrap();
    fs::remove_file(tree.join("README.md")).unwrap();
    symlink("hookkit.json", tree.join("README.md")).unwrap();
    let executable = |file: &str, mode| {
        fs::set_permissions(tree.join(file), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    executable("dispatch/hookkit-dispatch", 0o644);
    executable("hookkit.json", 0o755);
    let before = files(&tree);
    let ran = build(&plugin, &["--check"]);
    assert!(ran.exited(1));
    let out = ran.out();
    assert_eq!(
        out.lines().collect::<Vec<_>>(),
        [
            "dist/demo/LICENSE is missing",
            "dist/demo/README.md differs from what a build makes",
            "dist/demo/dispatch/hookkit-dispatch has no executable bit",
            "dist/demo/hookkit.json has an executable bit",
            "dist/demo/hooks/hooks.json differs from what a build makes",
            "dist/demo/stray is not made by a build",
        ]
    );
    assert_eq!(files(&tree), before, "--check writes nothing");
    // A change of the plugin is drift too.
    assert!(build(&plugin, &["-q"]).exited(0));
    let plugin = plugin.file("hooks/new.py", "", 0o644);
    let ran = build(&plugin, &["--check"]);
    assert!(ran.exited(1) && ran.out() == "dist/demo/hooks/new.py is missing\n");
}

/// On a disk without executable bits the index is all there is.
#[test]
fn check_looks_at_the_modes_and_attributes_of_git() {
    let plugin = plugin();
    assert!(build(&plugin, &["-q"]).exited(0));
    let git = |words: &[&str]| {
        let ran = Program::new("git").args(words).cwd(plugin.path()).run();
        assert!(ran.exited(0), "git {words:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "--force", "."]);
    assert!(build(&plugin, &["--check"]).exited(0));
    git(&[
        "update-index",
        "--chmod=-x",
        "dist/demo/dispatch/hookkit-dispatch",
    ]);
    fs::create_dir_all(plugin.path().join(".git/info")).unwrap();
    fs::write(plugin.path().join(".git/info/attributes"), "*.sh text\n").unwrap();
    let ran = build(&plugin, &["--check"]);
    assert!(ran.exited(1));
    let out = ran.out();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert!(lines[0].contains("dispatch/hookkit-dispatch has no executable bit in git"));
    assert!(lines[1].contains("hooks/gate.sh gets other line ends from git"));
}
