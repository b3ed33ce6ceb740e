//! Programs, interpreters and scripts as they lie on the disk.

use std::os::unix::fs::symlink;

use fs_err as fs;
use hookkit_tests::process::Program;
use serde_json::json;

use crate::scene::{CLAUDE, COPILOT, claude, claude_entry, copilot, plugin};
use crate::{Case, Scene};

/// A hook that is started by itself.
fn alone(program: &str) -> String {
    claude_entry(
        "PreToolUse",
        json!({"type": "command", "command": program, "args": []}),
    )
}

const SCRIPT: &str = "#!/bin/sh\ncat >/dev/null\n";

/// The head of a program for Linux on another processor.
const OTHER: &str = "\u{7f}ELF\u{2}\u{1}\u{1}\0\0\0\0\0\0\0\0\0\u{2}\0\u{28}\0\0\0\0\0";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let script = |content: &str| content.to_owned();
    vec![
        Case::new(
            "HK201",
            [(CLAUDE, alone("@ROOT/x"))],
            [(CLAUDE, alone("@ROOT/x")), ("x", script(SCRIPT))],
        ),
        Case::new(
            "HK201",
            [(CLAUDE, claude("Stop", "@ROOT/x run"))],
            [(CLAUDE, claude("Stop", "[ -x @ROOT/x ] && @ROOT/x run"))],
        ),
        Case::new(
            "HK202",
            [(CLAUDE, alone("@ROOT/x")), ("!x", script(SCRIPT))],
            [(CLAUDE, alone("@ROOT/x")), ("x", script(SCRIPT))],
        ),
        // Copilot gives shell entries their bit, and programs that start by themselves none.
        Case::new(
            "HK202",
            [
                (COPILOT, copilot("preToolUse", json!({"exec": "@ROOT/x"}))),
                ("!x", script(SCRIPT)),
            ],
            [
                (COPILOT, copilot("preToolUse", json!({"bash": "@ROOT/x"}))),
                ("!x", script(SCRIPT)),
            ],
        ),
        Case::new(
            "HK204",
            [
                (CLAUDE, alone("@ROOT/x")),
                ("x", script("#!/bin/sh\r\ntrue\r\n")),
            ],
            [(CLAUDE, alone("@ROOT/x")), ("x", script(SCRIPT))],
        ),
        Case::new(
            "HK205",
            [
                (CLAUDE, alone("@ROOT/x")),
                ("x", script("\u{feff}#!/bin/sh\n")),
            ],
            [(CLAUDE, alone("@ROOT/x")), ("x", script(SCRIPT))],
        ),
        Case::new(
            "HK206",
            [(CLAUDE, alone("@ROOT/x")), ("x", script(OTHER))],
            [(CLAUDE, alone("/bin/true"))],
        ),
        Case::new(
            "HK211",
            [
                (CLAUDE, alone("@ROOT/Cellar/hk/1.0.0/bin/hk")),
                ("Cellar/hk/1.0.0/bin/hk", script(SCRIPT)),
            ],
            [(CLAUDE, alone("@ROOT/bin/hk")), ("bin/hk", script(SCRIPT))],
        ),
        Case::new(
            "HK212",
            [(CLAUDE, alone("@ROOT/x")), ("x", script("set -e\n"))],
            [
                (CLAUDE, claude("Stop", "@ROOT/x")),
                ("x", script("set -e\n")),
            ],
        ),
        Case::new(
            "HK301",
            [(CLAUDE, claude("Stop", "python9 x.py"))],
            [(CLAUDE, claude("Stop", "command -v python9 && python9 x.py"))],
        ),
        Case::new(
            "HK306",
            [(CLAUDE, claude("Stop", "sh @ROOT/x.sh"))],
            [
                (CLAUDE, claude("Stop", "sh @ROOT/x.sh")),
                ("x.sh", script(SCRIPT)),
            ],
        ),
        Case::new(
            "HK307",
            [
                (CLAUDE, claude("Stop", "sh @ROOT/x.sh")),
                ("x.sh", script("#!/bin/sh\r\ntrue\r\n")),
            ],
            [
                (CLAUDE, claude("Stop", "sh @ROOT/x.sh")),
                ("x.sh", script(SCRIPT)),
            ],
        ),
        Case::new(
            "HK308",
            [
                (CLAUDE, claude("Stop", "sh @ROOT/x.sh")),
                ("x.sh", script("\u{feff}#!/bin/sh\n")),
            ],
            [
                (CLAUDE, claude("Stop", "sh @ROOT/x.sh")),
                ("x.sh", script(SCRIPT)),
            ],
        ),
    ]
}

#[test]
fn what_does_not_start_is_found() {
    cases().iter().for_each(Case::check);
}

fn git(scene: &Scene, words: &[&str]) {
    let ran = Program::new("git")
        .arg("-C")
        .arg(scene.places.project())
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(words)
        .run();
    assert!(ran.exited(0), "git {words:?}");
}

#[test]
fn a_program_whose_bit_git_does_not_hold_is_found() {
    let scene = Scene::with(&[
        (CLAUDE, alone("@ROOT/project/x")),
        ("project/x", SCRIPT.into()),
    ]);
    git(&scene, &["add", "x"]);
    git(&scene, &["update-index", "--chmod=-x", "x"]);
    let found = scene.of("HK203");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0]["fix"].as_str().unwrap().contains("--chmod=+x x"));
    git(&scene, &["update-index", "--chmod=+x", "x"]);
    assert!(scene.of("HK203").is_empty());
}

#[test]
fn a_link_that_git_wrote_as_a_file_is_found() {
    let scene = Scene::with(&[
        (CLAUDE, claude("Stop", "sh @ROOT/project/x.sh")),
        ("project/y.sh", SCRIPT.into()),
    ]);
    symlink("y.sh", scene.path("project/x.sh")).unwrap();
    git(&scene, &["add", "x.sh", "y.sh"]);
    assert!(scene.of("HK309").is_empty());
    fs::remove_file(scene.path("project/x.sh")).unwrap();
    fs::write(scene.path("project/x.sh"), "y.sh").unwrap();
    assert_eq!(scene.of("HK309").len(), 1);
}

#[test]
fn links_that_lead_nowhere_or_out_are_found() {
    let entry = json!({"type": "command", "command": "sh \"${CLAUDE_PLUGIN_ROOT}/x.sh\""});
    let scene = Scene::with(&plugin(&json!({"hooks": {"Stop": [{"hooks": [entry]}]}})));
    let link = scene.path("tools/guard/x.sh");
    let lead_to = |target: &str| {
        let _ = fs::remove_file(&link);
        symlink(target, &link).unwrap();
        let codes = ["HK310", "HK311"].map(|code| !scene.of(code).is_empty());
        (codes[0], codes[1])
    };
    assert_eq!(lead_to("gone.sh"), (true, false));
    scene.file("outside.sh", SCRIPT);
    assert_eq!(lead_to("../../outside.sh"), (false, true));
    scene.file("tools/guard/y.sh", SCRIPT);
    assert_eq!(lead_to("y.sh"), (false, false));
}

/// Programs of a scene's own are first on the PATH.
fn codes_with_path(scene: &Scene, folder: &str) -> Vec<String> {
    let path = format!("{}:/usr/bin:/bin", scene.path(folder).display());
    let ran = scene.hookkit(["doctor", "--json"]).env("PATH", path).run();
    let document = ran.json();
    let findings = document["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn interpreters_are_known_by_where_they_lie() {
    let python = [
        (CLAUDE, claude("Stop", "python3 @ROOT/h.py")),
        ("h.py", String::new()),
    ];
    let bash = [
        (CLAUDE, claude("Stop", "bash @ROOT/h.sh")),
        ("h.sh", SCRIPT.into()),
    ];
    for (code, files, folder, name) in [
        ("HK302", &python, "WindowsApps", "python3"),
        ("HK303", &bash, "System32", "bash"),
        ("HK305", &python, "home/.pyenv/shims", "python3"),
    ] {
        let scene = Scene::with(files);
        assert!(
            !codes_with_path(&scene, folder).contains(&code.to_owned()),
            "{code}"
        );
        scene.file(&format!("{folder}/{name}"), "#!/bin/sh\nexit 49\n");
        assert!(
            codes_with_path(&scene, folder).contains(&code.to_owned()),
            "{code}"
        );
        // The same program elsewhere is one like any other.
        scene.file(&format!("other/{name}"), "#!/bin/sh\nexit 49\n");
        assert!(
            !codes_with_path(&scene, "other").contains(&code.to_owned()),
            "{code}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_with_the_mark_of_a_download_is_found() {
    let scene = Scene::with(&[(CLAUDE, alone("@ROOT/x")), ("x", SCRIPT.into())]);
    assert!(scene.of("HK210").is_empty());
    let set = rustix::fs::setxattr(
        scene.path("x"),
        "user.com.apple.quarantine",
        b"0081",
        rustix::fs::XattrFlags::empty(),
    );
    if let Err(error) = set {
        eprintln!("skipped: this file system keeps no such marks ({error})");
        return;
    }
    assert_eq!(scene.of("HK210").len(), 1);
}
