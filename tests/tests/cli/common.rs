//! What all commands have in common.

use std::path::Path;

use hookkit_tests::process::Program;
use hookkit_tests::program;

use crate::{hookkit, plugin};

#[test]
fn help_says_what_there_is_and_how_it_ends() {
    let here = Path::new("/");
    let short = hookkit(here, ["--help"]).run();
    assert!(short.exited(0));
    for word in ["init", "check", "test", "build", "Exit codes:"] {
        assert!(short.out().contains(word), "{word}");
    }
    for command in ["init", "check", "test", "build"] {
        let long = hookkit(here, [command, "--help"]).run();
        assert!(long.exited(0), "{command}");
        for word in ["Examples:", "Exit codes:", "--quiet", "--color"] {
            assert!(long.out().contains(word), "{command} {word}");
        }
        let width = long.out().lines().map(|line| line.chars().count()).max();
        assert!(width <= Some(100), "{command} is {width:?} wide");
    }
    assert!(
        hookkit(here, ["--version"])
            .run()
            .out()
            .starts_with("hookkit ")
    );
}

#[test]
fn wrong_use_is_told_apart_from_problems() {
    let here = Path::new("/");
    for words in [
        &[][..],
        &["unheard-of"],
        &["build", "--targets"],
        &["test", "--host", "netscape"],
        &["test", "--event", "OnClick"],
        &["test", "--repeat", "0"],
        &["test", "--all-hosts", "--host", "claude-code"],
        &["check", "/nonexistent"],
        &["test", "/nonexistent"],
        &["build", "/nonexistent"],
    ] {
        let ran = hookkit(here, words).run();
        assert!(ran.exited(2), "{words:?}");
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{words:?}");
    }
    let missing = hookkit(here, ["check", "/nonexistent"]).run();
    let said = missing.err();
    assert!(said.contains("/nonexistent has no hookkit.json") && said.contains("hookkit init"));
}

#[test]
fn a_manifest_may_be_named_in_place_of_its_folder() {
    let plugin = plugin();
    for named in [plugin.path(), plugin.path().join("hookkit.json")] {
        let check = hookkit(Path::new("/"), ["check", "-q"]).arg(named).run();
        assert!(check.exited(0));
    }
    assert!(hookkit(&plugin.path(), ["check", "-q"]).run().exited(0));
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let plugin = plugin();
    let escapes = |program: Program| {
        let ran = program.run();
        assert!(ran.exited(0));
        ran.out().contains('\u{1b}')
    };
    for command in ["check", "test"] {
        let run = |words: &[&str]| hookkit(&plugin.path(), [command]).args(words);
        assert!(!escapes(run(&[])), "no terminal");
        assert!(!escapes(run(&["--color", "never"])));
        assert!(escapes(run(&["--color", "always"])));
        assert!(
            !escapes(run(&["--json", "--color", "always"])),
            "a document has no colours"
        );
    }
    let silent = run_with_no_color(&plugin.path());
    assert!(!silent.contains('\u{1b}'));
}

fn run_with_no_color(plugin: &Path) -> String {
    hookkit(plugin, ["check"]).env("NO_COLOR", "1").run().out()
}

#[test]
fn quiet_says_nothing_where_nothing_is_wrong() {
    let plugin = plugin();
    for command in ["check", "test", "build"] {
        let ran = hookkit(&plugin.path(), [command, "-q"]).run();
        assert!(ran.exited(0), "{command}");
        assert!(ran.stdout.is_empty() && ran.stderr.is_empty(), "{command}");
    }
}

/// Nothing is written to the home, and nothing is looked for there.
#[test]
fn the_home_is_left_alone() {
    let plugin = plugin();
    let home = hookkit_tests::folder::Folder::new("home");
    for command in ["check", "test", "build"] {
        let ran = Program::new(program::hookkit())
            .args([command, "-q"])
            .cwd(plugin.path())
            .env("HOME", &*home)
            .run();
        assert!(ran.exited(0), "{command}");
    }
    assert!(crate::files(&home).is_empty());
}
