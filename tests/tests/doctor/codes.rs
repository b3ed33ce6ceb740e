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

/// Found by what is still to come: sessions that live, hosts that are asked, hooks that are tried.
const TO_COME: [&str; 6] = ["HK107", "HK108", "HK213", "HK811", "HK812", "HK821"];

/// Each code stands in a test of this folder, or in that of the part that finds it.
#[test]
fn every_code_is_shown_by_a_scene() {
    let folder = program::repository().join("tests/tests/doctor");
    let mut shown = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let text = fs::read_to_string(entry.path()).unwrap();
        for (at, _) in text.match_indices("\"HK") {
            shown.insert(text[at + 1..].chars().take(5).collect::<String>());
        }
    }
    let missing: Vec<String> = all(&Scene::new())
        .iter()
        .map(|code| code["id"].as_str().unwrap().to_owned())
        .filter(|code| !shown.contains(code) && !TO_COME.contains(&code.as_str()))
        .collect();
    assert!(missing.is_empty(), "no scene shows {missing:?}");
}
