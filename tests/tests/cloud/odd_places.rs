//! Folders with odd names, and environments with odd values.

use std::os::unix::fs::PermissionsExt;

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::program;

use crate::{
    FOLDER, Repository, denied_by_the_gate, denied_by_the_script, dispatcher, plugin, refused,
};

#[test]
fn any_name_of_the_repository_will_do() {
    for name in [
        "with blanks in it",
        "n\u{e9} \u{4e2d}\u{1f600}",
        "it's \"quoted\"",
        "$HOME `id` $(id)",
        "a;b&c|d",
        "star * [x] ?",
        "back\\slash",
        "-n",
        "two\nlines",
    ] {
        let repository = Repository::new(name).with(&plugin());
        let refuses = || denied_by_the_gate(&repository.fire("preToolUse", refused()).run());
        assert!(refuses(), "{name}");
        let file = repository.join(&dispatcher());
        fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(refuses(), "{name}, from a copy");
        fs::remove_file(file).unwrap();
        let ran = repository.fire("preToolUse", refused()).run();
        assert!(denied_by_the_script(&ran, "holds no dispatcher"), "{name}");
    }
}

#[test]
fn any_folder_of_the_repository_will_do() {
    let repository = Repository::guarded();
    fs::create_dir_all(repository.join("a/b")).unwrap();
    let absolute = repository.join(FOLDER).join("run.sh");
    let arguments = [
        "--host",
        "auto",
        "--event",
        "PreToolUse",
        "--if-missing",
        "deny",
    ];
    let from = |folder: &str, script: &str| {
        repository
            .program("bash")
            .cwd(repository.join(folder))
            .arg(script)
            .args(arguments)
            .stdin(refused())
            .run()
    };
    for (folder, script) in [
        ("a/b", absolute.to_str().unwrap()),
        ("a/b", "../../.github/hookkit/demo/run.sh"),
        (FOLDER, "./run.sh"),
        (".github", "hookkit/demo/run.sh"),
    ] {
        assert!(
            denied_by_the_gate(&from(folder, script)),
            "{folder} {script}"
        );
    }
}

#[test]
fn the_environment_changes_nothing() {
    let repository = Repository::guarded();
    fs::create_dir_all(repository.join("cd/.github/hookkit/demo")).unwrap();
    let elsewhere = repository.join("cd");
    let say = "() { echo hijacked; }";
    for (name, value) in [
        ("CDPATH", elsewhere.to_str().unwrap()),
        ("IFS", "./"),
        ("POSIXLY_CORRECT", "1"),
        ("SHELLOPTS", "noglob"),
        ("BASHOPTS", "extglob:nullglob"),
        ("BASH_COMPAT", "3.2"),
        ("HOOKKIT_PLUGIN_ROOT", "/nowhere"),
        ("PLUGIN_ROOT", "/nowhere"),
        ("LC_ALL", "C"),
        ("BASH_FUNC_test%%", say),
        ("BASH_FUNC_exec%%", say),
        ("BASH_FUNC_command%%", say),
        ("BASH_FUNC_cd%%", say),
        ("BASH_FUNC_read%%", say),
        ("BASH_FUNC_digest%%", say),
    ] {
        let fire = repository.fire("preToolUse", refused());
        let ran = fire.env(name, value).run();
        assert!(denied_by_the_gate(&ran), "{name}");
    }
}

#[test]
fn bash_may_be_as_posix_wants_it() {
    let repository = Repository::guarded();
    for option in ["--posix", "-u", "-e", "-f"] {
        let script = format!("{FOLDER}/run.sh");
        let ran = repository
            .program("bash")
            .args([option, &script, "--host", "auto", "--event", "PreToolUse"])
            .stdin(refused())
            .run();
        assert!(denied_by_the_gate(&ran), "{option}");
    }
}

/// Programs of the repository are not started in the place of the system's.
#[test]
fn nothing_on_the_path_that_lies_in_the_repository_is_started() {
    let repository = Repository::guarded();
    repository.change_script("/proc/sys/kernel/arch", "/nowhere");
    let bin = repository.join("bin");
    fs::create_dir(&bin).unwrap();
    let log = repository.folder.join("sprung");
    for name in [
        "sha256sum",
        "shasum",
        "openssl",
        "uname",
        "cp",
        "mv",
        "chmod",
        "mkdir",
        "cat",
        "hookkit-dispatch",
    ] {
        let trap = format!("#!/bin/sh\necho {name} >>'{}'\n", log.display());
        fs::write(bin.join(name), trap).unwrap();
        let mode = std::fs::Permissions::from_mode(0o755);
        fs::set_permissions(bin.join(name), mode).unwrap();
    }
    let file = repository.join(&dispatcher());
    fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let given = program::search_path();
    for first in [bin.to_str().unwrap(), "bin", "./bin", ""] {
        let path = format!("{first}:/nowhere:{first}:{given}");
        let cwd = if first.is_empty() {
            &bin
        } else {
            &repository.path
        };
        let ran = repository
            .program("bash")
            .cwd(cwd)
            .arg(repository.join(FOLDER).join("run.sh"))
            .args([
                "--host",
                "auto",
                "--event",
                "PreToolUse",
                "--if-missing",
                "deny",
            ])
            .env("PATH", path)
            .stdin(refused())
            .run();
        assert!(denied_by_the_gate(&ran), "{first}");
        assert!(
            !log.exists(),
            "{first}: {}",
            fs::read_to_string(&log).unwrap()
        );
    }
}

/// As the cloud agent gets it, and as somebody on Windows would: git changes no byte of it.
#[test]
fn a_clone_with_line_ends_of_windows_works() {
    let repository = Repository::guarded();
    let git = |arguments: &[&str]| {
        let ran = Program::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(arguments)
            .cwd(&repository.path)
            .env("HOME", repository.folder.join("home"))
            .run();
        assert!(ran.exited(0));
    };
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "Guard"]);
    git(&[
        "-c",
        "core.autocrlf=true",
        "clone",
        "--quiet",
        ".",
        "../clone",
    ]);
    let clone = repository.folder.join("clone");
    let registered = fs::read_to_string(clone.join(crate::FILE)).unwrap();
    assert!(registered.contains("\r\n"), "git does what it was told");
    let ran = repository.fire("preToolUse", refused()).cwd(clone).run();
    assert!(denied_by_the_gate(&ran));
}

#[test]
fn the_script_is_clean() {
    if program::needs(&["shellcheck"]) {
        let repository = Repository::guarded();
        let script = repository.join(FOLDER).join("run.sh");
        let ran = Program::new("shellcheck")
            .args(["-s", "bash"])
            .arg(script)
            .run();
        assert!(ran.exited(0));
    }
}
