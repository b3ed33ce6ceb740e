//! Reported faults of other installers, each as the file that it damaged. The id of a case is the
//! first part of its test's name.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use hookkit::edit::Document;
use serde_json::json;

use crate::{Home, listing, take_back};

/// Adds and takes back, on the disk, without what the receipt knows.
#[track_caller]
fn there_and_back(text: &str, after: &str) {
    let home = Home::with(text);
    home.write(&home.change().unwrap()).unwrap();
    assert_eq!(home.text(), after);
    let mut document = Document::open(&home.settings()).unwrap();
    take_back(&mut document).unwrap();
    home.write(&document.change()).unwrap();
    assert_eq!(home.text(), text);
}

#[test]
fn hb_inst_02_comments_order_and_layout_stay() {
    there_and_back(
        "{\n  // keep me\n  \"zeta\": 1,\n  \"alpha\": {\"b\": 2, \"a\": 1},\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": [ {\"type\": \"command\", \"command\": \"true && echo 'a' > b\"} ]} ] /* mine */\n  }\n}\n",
        "{\n  // keep me\n  \"zeta\": 1,\n  \"alpha\": {\"b\": 2, \"a\": 1},\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": [ {\"type\": \"command\", \"command\": \"true && echo 'a' > b\"} ]}, {\"command\": \"/ours/stop\"} ] /* mine */\n  }\n}\n",
    );
}

#[test]
fn hb_inst_03_keys_stay_in_their_order() {
    there_and_back(
        "{\"zebra\":1,\"hooks\":{\"Stop\":[9]},\"alpha\":{\"z\":12345678901234567890123,\"a\":2}}\n",
        "{\"zebra\":1,\"hooks\":{\"Stop\":[9,{\"command\":\"/ours/stop\"}]},\"alpha\":{\"z\":12345678901234567890123,\"a\":2}}\n",
    );
}

#[test]
fn hb_inst_05_a_link_stays_a_link_and_its_target_is_edited() {
    let home = Home::new();
    let target = home.path("dot/settings.json");
    fs::create_dir(home.path("dot")).unwrap();
    fs::write(&target, "{\"theme\":\"dark\"}\n").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../../dot/settings.json", home.settings()).unwrap();
    let change = home.change().unwrap();
    assert_eq!(change.target(), target);
    home.write(&change).unwrap();
    assert!(home.settings().is_symlink());
    assert_eq!(
        fs::read_to_string(&target).unwrap(),
        "{\"theme\":\"dark\",\"hooks\":{\"Stop\":[{\"command\":\"/ours/stop\"}]}}\n"
    );
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o640);
    home.write(&change.undo().change(take_back).unwrap())
        .unwrap();
    assert!(home.settings().is_symlink());
    assert_eq!(
        fs::read_to_string(&target).unwrap(),
        "{\"theme\":\"dark\"}\n"
    );
}

#[test]
fn hb_inst_06_a_link_into_a_read_only_store_is_refused() {
    let home = Home::new();
    fs::create_dir(home.path("store")).unwrap();
    fs::write(home.path("store/settings.json"), "{\"theme\":\"dark\"}\n").unwrap();
    symlink("../../store/settings.json", home.settings()).unwrap();
    let store = home.path("store");
    let mode = |path: &std::path::Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(&store.join("settings.json"), 0o444);
    mode(&store, 0o555);
    home.refuses("is read-only, as files are that another program makes");
    mode(&store, 0o755);
}

#[test]
fn hb_inst_09_a_key_that_stands_twice_is_named_with_both_places() {
    let text = "{\"hooks\": {\n  \"Stop\": [{\"command\": \"guard-a\"}],\n  \"Stop\": [{\"command\": \"guard-b\"}]\n}}\n";
    let home = Home::with(text);
    home.refuses("has the key \"Stop\" twice, in lines 2 and 3");
    assert_eq!(home.change().unwrap_err().line, Some(2));
    // Other places of that file can be edited; both blocks stay.
    let mut document = Document::open(&home.settings()).unwrap();
    document.set(&["hooks", "Other"], json!([])).unwrap();
    home.write(&document.change()).unwrap();
    assert_eq!(home.text(), text.replace("\n}}", ",\n  \"Other\": []\n}}"));
}

#[test]
fn hb_inst_14_entries_are_known_without_a_mark_of_ours() {
    let home = Home::with("{\"hooks\": {\"Stop\": [{\"command\": \"theirs\"}]}}");
    home.write(&home.change().unwrap()).unwrap();
    // A host reprints the file, and drops what it does not know.
    let value: serde_json::Value = serde_json::from_str(&home.text()).unwrap();
    fs::write(
        home.settings(),
        serde_json::to_string_pretty(&value).unwrap(),
    )
    .unwrap();
    let mut document = Document::open(&home.settings()).unwrap();
    take_back(&mut document).unwrap();
    home.write(&document.change()).unwrap();
    assert_eq!(
        home.text(),
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"command\": \"theirs\"\n      }\n    ]\n  }\n}"
    );
}

#[test]
fn a_file_that_does_not_parse_is_left_as_it_is() {
    for broken in [
        "{\"a\": 1",
        "[]",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": \"\u{0}\"",
        "nothing",
    ] {
        let home = Home::with(broken);
        let before = listing(&home.folder);
        let refused = home.change().unwrap_err();
        assert_eq!(refused.line, Some(1));
        assert_eq!(listing(&home.folder), before);
    }
}
