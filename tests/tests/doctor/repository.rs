//! The hooks of a repository, as others and the cloud agent have them.

use hookkit_tests::process::Program;
use serde_json::json;

use crate::Scene;
use crate::scene::{claude, copilot, trusted};

const HOOKS: &str = "project/.github/hooks/a.json";

fn git(scene: &Scene, words: &[&str]) {
    let ran = Program::new("git")
        .arg("-C")
        .arg(scene.places.project())
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(words)
        .run();
    assert!(ran.exited(0), "git {words:?}");
}

fn guarded() -> Scene {
    let entry = copilot("preToolUse", json!({"bash": "true"}));
    Scene::with(&[trusted(), (HOOKS, entry)])
}

#[test]
fn what_git_does_not_track_is_found() {
    let scene = guarded();
    assert_eq!(scene.of("HK704").len(), 1);
    git(&scene, &["add", "."]);
    assert!(scene.of("HK704").is_empty());
}

#[test]
fn what_is_on_another_branch_is_found() {
    let scene = guarded();
    git(&scene, &["add", "."]);
    git(&scene, &["commit", "--quiet", "-m", "x"]);
    git(&scene, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    git(
        &scene,
        &[
            "symbolic-ref",
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
        ],
    );
    let found = || -> Vec<(String, String)> {
        let found = scene.of("HK701");
        let of = |one: &serde_json::Value| {
            let file = one["file"].as_str().unwrap().rsplit('/').next().unwrap();
            (file.to_owned(), one["what"].as_str().unwrap().to_owned())
        };
        found.iter().map(of).collect()
    };
    assert_eq!(found(), [], "on the default branch");
    git(&scene, &["checkout", "--quiet", "-b", "feature"]);
    assert_eq!(found(), [], "a branch with the same files");
    scene.file("project/README.md", "another");
    let file = copilot("preToolUse", json!({"bash": "true"})).replace('\n', "\r\n");
    scene.file(HOOKS, &file);
    assert_eq!(found(), [], "lines that end in another way");

    scene.file(HOOKS, &copilot("preToolUse", json!({"bash": "false"})));
    scene.file("project/.github/hookkit/guard/hook.py", "pass");
    scene.file(
        "project/.github/workflows/copilot-setup-steps.yml",
        "on: push",
    );
    scene.file("project/.github/workflows/other.yml", "on: push");
    let now = found();
    let names: Vec<&str> = now.iter().map(|(file, _)| &**file).collect();
    assert_eq!(names, ["hook.py", "a.json", "copilot-setup-steps.yml"]);
    assert!(now[1].1.contains("is another on `main`"), "{now:?}");
    assert!(now[0].1.contains("is not on `main`"), "{now:?}");
    fs_err::remove_file(scene.path(HOOKS)).unwrap();
    assert!(
        found()
            .iter()
            .any(|(file, what)| file == "a.json" && what.contains("is gone here"))
    );
}

#[test]
fn what_the_cloud_cannot_run_is_found() {
    let scene = guarded();
    assert!(scene.of("HK702").is_empty());
    scene.file(HOOKS, &copilot("preToolUse", json!({"exec": "/bin/true"})));
    assert_eq!(scene.of("HK702").len(), 1);
}

#[test]
fn hooks_files_in_subfolders_are_found() {
    let scene = guarded();
    assert!(scene.of("HK703").is_empty());
    let entry = copilot("preToolUse", json!({"bash": "true"}));
    scene.file("project/.github/hooks/old/b.json", &entry);
    let found = scene.of("HK703");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0]["file"].as_str().unwrap().ends_with("old/b.json"));
}

#[test]
fn a_path_of_one_person_in_a_file_for_all_is_found() {
    let scene = Scene::new();
    scene.file(
        "project/.claude/settings.json",
        &claude("Stop", "/home/ann/bin/hk run"),
    );
    let found = scene.of("HK705");
    assert_eq!(found.len(), 1);
    assert!(found[0]["what"].as_str().unwrap().contains("/home/ann"));
    let scene = Scene::new();
    scene.file(
        "project/.claude/settings.local.json",
        &claude("Stop", "/home/ann/bin/hk run"),
    );
    assert!(scene.of("HK705").is_empty(), "a person's own file");
}
