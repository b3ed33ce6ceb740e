//! The way back, with what a receipt keeps.

use std::fs;

use hookkit::edit::{Document, Undo};
use serde_json::json;

use crate::{Home, added, listing, take_back};

/// As a receipt keeps it.
fn kept(undo: &Undo) -> Undo {
    serde_json::from_str(&serde_json::to_string(undo).unwrap()).unwrap()
}

#[test]
fn every_file_comes_back_as_it_was() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "{}",
        "{ }",
        "{\n}",
        "{\"hooks\": {  }}",
        "{\"hooks\": {\"Stop\": [\n]}}",
        "{\"hooks\": {\"Stop\": [1]}, \"x\": \"\\ud800\"} // c",
        "{\r\n\t\"a\": 1e400\r\n}\r\n",
    ] {
        let home = Home::with(text);
        let before = listing(&home.path("home"));
        let change = home.change().unwrap();
        home.write(&change).unwrap();
        assert_ne!(home.text(), text);
        let undone = kept(&change.undo())
            .change(|_| panic!("the record is enough"))
            .unwrap();
        home.write(&undone).unwrap();
        assert_eq!(listing(&home.path("home")), before, "{text:?}");
    }
}

#[test]
fn a_file_that_was_made_goes_with_the_folders_made_for_it() {
    let home = Home::new();
    let before = listing(&home.path("home"));
    let file = home.path("home/.copilot/hooks/a.json");
    let change = added(&file).unwrap();
    home.write(&change).unwrap();
    home.write(&kept(&change.undo()).change(take_back).unwrap())
        .unwrap();
    assert_eq!(listing(&home.path("home")), before);

    // A folder in which somebody put something stays.
    let change = added(&file).unwrap();
    home.write(&change).unwrap();
    fs::write(home.path("home/.copilot/theirs"), "").unwrap();
    home.write(&change.undo().change(take_back).unwrap())
        .unwrap();
    assert!(home.path("home/.copilot/theirs").exists());
    assert!(!home.path("home/.copilot/hooks").exists());
}

#[test]
fn in_a_file_that_changed_since_only_our_entries_go() {
    let home = Home::with("{\n  \"a\": 1\n}\n");
    let change = home.change().unwrap();
    home.write(&change).unwrap();
    let changed = home.text().replace("\"a\": 1", "\"a\": 2 /* mine */");
    fs::write(home.settings(), changed).unwrap();
    home.write(&change.undo().change(take_back).unwrap())
        .unwrap();
    assert_eq!(home.text(), "{\n  \"a\": 2 /* mine */\n}\n");
}

#[test]
fn a_file_that_was_made_and_changed_since_goes_only_when_nothing_is_left() {
    let home = Home::new();
    let change = home.change().unwrap();
    home.write(&change).unwrap();
    let mut document = Document::open(&home.settings()).unwrap();
    document.set(&["theirs"], json!(1)).unwrap();
    home.write(&document.change()).unwrap();
    home.write(&change.undo().change(take_back).unwrap())
        .unwrap();
    assert_eq!(home.text(), "{\n  \"theirs\": 1\n}\n");

    // Theirs went as well; what remains is what we had made.
    fs::write(home.settings(), "{ \"hooks\": {\"Stop\": []} }").unwrap();
    let gone = change
        .undo()
        .change(|document| document.remove(&["hooks", "Stop"], 1));
    home.write(&gone.unwrap()).unwrap();
    assert!(!home.settings().exists());

    // A comment is somebody's.
    fs::write(home.settings(), "{ /* mine */ }").unwrap();
    let stays = change.undo().change(take_back).unwrap();
    assert!(stays.is_empty());
}

#[test]
fn what_is_gone_already_needs_nothing() {
    let home = Home::new();
    let change = home.change().unwrap();
    let undone = change.undo().change(take_back).unwrap();
    assert!(undone.is_empty());
    home.write(&undone).unwrap();
    assert!(!home.settings().exists());
}

#[test]
fn the_record_holds_nothing_of_what_stays() {
    let home = Home::with("{\"env\": {\"KEY\": \"sk-secret\"}, \"x\": {}}");
    let mut document = Document::open(&home.settings()).unwrap();
    document.set(&["x", "ours"], json!(1)).unwrap();
    document.push(&["hooks"], json!(1)).unwrap();
    let undo = document.change().undo();
    let record = serde_json::to_string(&undo).unwrap();
    assert!(record.len() < 600, "{record}");
    // Base64 of it, at any of the three offsets.
    for part in ["sk-secret", "c2stc2VjcmV0", "zay1zZWNyZX", "Nrc2VjcmV0"] {
        assert!(!record.contains(part), "{record}");
    }
}
