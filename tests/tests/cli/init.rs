//! `hookkit init`.

use fs_err as fs;
use hookkit_tests::folder::Folder;

use crate::{files, hookkit};

const FILES: [&str; 5] = [
    ".gitattributes",
    "LICENSE",
    "README.md",
    "hookkit.json",
    "hooks/no_force_push.sh",
];

#[test]
fn what_it_makes_passes_every_other_command() {
    let folder = Folder::new("init");
    let made = hookkit(&folder, ["init", "My Guard"]).run();
    assert!(made.exited(0));
    let out = made.out();
    assert!(out.starts_with("Made the plugin my-guard in My Guard\n"));
    assert!(out.contains("hookkit test  My Guard"));
    let plugin = folder.join("My Guard");
    assert_eq!(files(&plugin).into_keys().collect::<Vec<_>>(), FILES);
    let checked = hookkit(&plugin, ["check"]).run();
    assert!(checked.exited(0));
    assert!(checked.out().contains("my-guard 0.1.0 is sound: 1 hook"));
    assert!(!checked.out().contains("warning"));
    let tested = hookkit(&plugin, ["test", "--all-hosts"]).run();
    assert!(tested.exited(0));
    assert!(tested.out().contains("no problems"));
    // The hook does what its README says: of the two built-in calls it denies one.
    assert!(
        tested
            .out()
            .contains("Force pushes overwrite the work of others.")
    );
    assert!(tested.out().contains("told nothing"));
    assert!(hookkit(&plugin, ["build", "-q"]).run().exited(0));
}

#[test]
fn the_folder_may_be_there_and_hold_other_things() {
    let folder = Folder::new("init");
    fs::write(folder.join("notes"), "mine").unwrap();
    assert!(hookkit(&folder, ["init"]).run().exited(0));
    assert_eq!(fs::read_to_string(folder.join("notes")).unwrap(), "mine");
    assert!(folder.join("hookkit.json").is_file());
}

#[test]
fn nothing_is_overwritten_and_nothing_half_made() {
    for present in FILES {
        let folder = Folder::new("init");
        let file = folder.join(present);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "mine").unwrap();
        let before = files(&folder);
        let ran = hookkit(&folder, ["init", "."]).run();
        assert!(ran.exited(3), "{present}");
        assert!(ran.err().contains(present), "{present}");
        assert_eq!(files(&folder), before, "{present}");
    }
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new("init");
    // A file where a folder must be.
    fs::write(folder.join("hooks"), "mine").unwrap();
    let before = files(&folder);
    let ran = hookkit(&folder, ["init"]).run();
    assert!(ran.exited(1));
    assert!(ran.err().contains("nothing was left behind"));
    assert_eq!(files(&folder), before);
}
