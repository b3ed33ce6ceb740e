//! The table of codes: every one is explained, and shown by a scene.

use std::collections::BTreeSet;

use fs_err as fs;
use hookkit_tests::program;

use crate::Scene;

fn all(scene: &Scene) -> Vec<serde_json::Value> {
    let ran = scene
        .hookkit(["doctor", "--explain", "all", "--json"])
        .run();
    ran.json()["codes"].as_array().unwrap().clone()
}

#[test]
fn a_code_is_explained_to_people_and_programs() {
    let scene = Scene::new();
    let out = scene.hookkit(["doctor", "--explain", "hk404"]).run();
    assert!(out.exited(0));
    for word in ["HK404", "means", "known from", "2.1.332", "to do"] {
        assert!(out.out().contains(word), "{word}");
    }
    let list = scene.hookkit(["doctor", "--explain", "all"]).run();
    let one = scene
        .hookkit(["doctor", "--explain", "HK404", "--json"])
        .run()
        .json();
    assert_eq!(one["codes"][0]["id"], "HK404");
    let codes = all(&scene);
    assert!(codes.len() > 80);
    for code in codes {
        assert!(list.out().contains(code["id"].as_str().unwrap()));
    }
    let unknown = scene.hookkit(["doctor", "--explain", "HK999"]).run();
    assert!(unknown.exited(2) && unknown.err().contains("--explain all"));
}

/// Each code stands in a test of this folder, or where real clients run: sessions that live, hosts
/// that are asked.
#[test]
fn every_code_is_shown_by_a_scene() {
    let tests = program::repository().join("tests/tests");
    let mut shown = BTreeSet::new();
    let files = ["doctor", "listing"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(tests.join(folder)).unwrap());
    for entry in files.map(Result::unwrap) {
        let text = fs::read_to_string(entry.path()).unwrap();
        for (at, _) in text.match_indices("\"HK") {
            shown.insert(text[at + 1..].chars().take(5).collect::<String>());
        }
    }
    let missing: Vec<String> = all(&Scene::new())
        .iter()
        .map(|code| code["id"].as_str().unwrap().to_owned())
        .filter(|code| !shown.contains(code))
        .collect();
    assert!(missing.is_empty(), "no scene shows {missing:?}");
}
