//! It reads and writes nothing: every file and folder is afterwards what it was, times included.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::client::Places;
use serde_json::json;

use crate::machine::Machine;

/// Every name below a folder: mode, size, the time of its last change and of its last change of state,
/// and what is in it. Not the time of the last reading, which is the system's to keep.
fn everything(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = fs::symlink_metadata(&path).unwrap();
        let content = if about.is_dir() {
            everything(&path, found);
            String::new()
        } else {
            format!("{:?}", fs::read(&path).unwrap_or_default())
        };
        let times = [
            about.mtime(),
            about.mtime_nsec(),
            about.ctime(),
            about.ctime_nsec(),
        ];
        let said = format!("{:o} {} {times:?} {content}", about.mode(), about.ino());
        found.insert(path.display().to_string(), said);
    }
}

fn snapshot(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    everything(folder, &mut found);
    found
}

#[test]
fn nothing_is_written() {
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    let hooks = json!({"hooks": {"preToolUse": [{"bash": "touch made"}]}});
    machine.json("config/hooks/a.json", hooks.clone());
    machine.json("project/.github/hooks/a.json", hooks);
    machine.market("ark", "ant", &[("plugin.json", "{}".to_owned())]);
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", true)]),
    );
    machine.put("home/.config/Code/User/settings.json", "{}");
    let before = snapshot(places.root());
    for words in [
        &[][..],
        &["--json"],
        &["--event", "PreToolUse"],
        &["--problems"],
    ] {
        machine.told_to_people(words.iter().copied());
    }
    let after = snapshot(places.root());
    assert_eq!(before, after);
    machine.json("config/hooks/a.json", json!({}));
    assert_ne!(before, snapshot(places.root()), "a change would be seen");
}
