//! Data folders and homes on disks that are full, or from which nothing starts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::disk::Disk;
use hookkit_tests::{Ran, program};

use crate::Home;
use crate::home::gate;

const SETTINGS: &str = "{\n  // theirs\n  \"model\": \"opus\"\n}\n";

fn folder(places: &Places) -> PathBuf {
    let folder = places.root().join("run/disk");
    fs::create_dir(&folder).unwrap();
    folder
}

fn install_into(home: &Home, data: &Path) -> Ran {
    let plugin = gate("1.0.0", "No.", true);
    home.install(&plugin.path()).env("HOOKKIT_HOME", data).run()
}

#[test]
fn a_data_folder_from_which_nothing_starts_is_refused() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let folder = folder(&places);
    let before = home.snapshot();
    {
        let Some(_disk) = Disk::at(&folder, "size=32m,noexec") else {
            return;
        };
        // Refused is also one that is still to be made there.
        for data in [folder.clone(), folder.join("data")] {
            let ran = install_into(&home, &data);
            assert!(ran.exited(3) && ran.err().contains("(noexec)"));
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
    assert_eq!(home.snapshot(), before);
    let _disk = Disk::at(&folder, "size=32m");
    assert!(install_into(&home, &folder).exited(0), "the control");
}

#[test]
fn a_data_folder_that_cannot_be_written_is_refused() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let folder = folder(&places);
    let before = home.snapshot();
    // For root only a mount is read-only.
    let Some(disk) = Disk::at(&folder, "size=32m") else {
        return;
    };
    disk.is_read_only();
    for data in [folder.clone(), folder.join("data")] {
        let ran = install_into(&home, &data);
        assert!(ran.exited(3) && ran.err().contains("cannot be written"));
    }
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_data_folder_of_somebody_else_is_refused() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    let folder = folder(&places);
    let before = home.snapshot();
    let given = std::os::unix::fs::chown(&folder, Some(12345), None);
    if !program::can(given.is_ok(), "only root can give a folder away") {
        return;
    }
    let ran = install_into(&home, &folder);
    assert!(ran.exited(3) && ran.err().contains("belongs to somebody else"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    assert_eq!(home.snapshot(), before);
    std::os::unix::fs::chown(&folder, Some(0), None).unwrap();
    assert!(install_into(&home, &folder).exited(0), "the control");
}

/// So much room that it ends at this and that step, and at last is enough.
fn rooms() -> Vec<usize> {
    let dispatcher = fs::metadata(program::dispatcher()).unwrap().len();
    let pages = usize::try_from(dispatcher / 4096).unwrap();
    vec![0, 1, 4, pages / 2, pages + 2, pages + 6, pages * 2 + 200]
}

fn size() -> String {
    let dispatcher = fs::metadata(program::dispatcher()).unwrap().len();
    format!("size={}", dispatcher * 6 + 4 * 1024 * 1024)
}

#[test]
fn a_full_data_folder_takes_nothing_from_anybody() {
    let mut failed = 0;
    let rooms = rooms();
    for pages in &rooms {
        let places = Places::new();
        let home = Home::of("claude-code", &places);
        fs::write(home.settings(), SETTINGS).unwrap();
        let before = home.snapshot();
        let data = folder(&places);
        let Some(disk) = Disk::at(&data, &size()) else {
            return;
        };
        disk.leaves(*pages);
        let ran = install_into(&home, &data);
        if ran.exited(0) {
            disk.is_empty_again();
        } else {
            failed += 1;
            assert!(ran.exited(1) || ran.exited(2), "{pages}: {:?}", ran.code);
            assert_eq!(home.snapshot(), before, "{pages}");
            assert!(!data.join("receipts/gatekeeper").exists(), "{pages}");
            disk.is_empty_again();
            assert!(install_into(&home, &data).exited(0), "{pages}");
        }
        let gone = home
            .hookkit(["uninstall", "--yes", "gatekeeper"])
            .env("HOOKKIT_HOME", &data)
            .run();
        assert!(gone.exited(0));
        assert_eq!(home.snapshot(), before, "{pages}");
        assert_eq!(fs::read_dir(&data).unwrap().count(), 0, "{pages}");
    }
    assert!(0 < failed && failed < rooms.len(), "{failed} did not work");
}

#[test]
fn an_update_into_a_full_data_folder_leaves_the_version_before() {
    let mut failed = 0;
    let tried = [0, 1, 2, 8, 60];
    for pages in tried {
        let places = Places::new();
        let home = Home::of("claude-code", &places);
        fs::write(home.settings(), SETTINGS).unwrap();
        let before = home.snapshot();
        let data = folder(&places);
        let Some(disk) = Disk::at(&data, &size()) else {
            return;
        };
        assert!(install_into(&home, &data).exited(0));
        let installed = (home.snapshot(), held(&data));
        disk.leaves(pages);
        let next = gate("2.0.0", "Never.", true);
        let update = || home.install(&next.path()).env("HOOKKIT_HOME", &data).run();
        let ran = update();
        disk.is_empty_again();
        if !ran.exited(0) {
            failed += 1;
            assert_eq!((home.snapshot(), held(&data)), installed, "{pages}");
            assert!(update().exited(0), "{pages}");
        }
        assert!(data.join("store/gatekeeper/2.0.0/hookkit.json").is_file());
        let gone = home
            .hookkit(["uninstall", "--yes", "gatekeeper"])
            .env("HOOKKIT_HOME", &data)
            .run();
        assert!(gone.exited(0));
        assert_eq!(home.snapshot(), before, "{pages}");
    }
    assert!(0 < failed && failed < tried.len(), "{failed} did not work");
}

#[test]
fn full_settings_folders_take_nothing_from_anybody() {
    for host in ["claude-code", "copilot-cli"] {
        for pages in [0, 8] {
            let places = Places::new();
            let home = Home::of(host, &places);
            let Some(disk) = Disk::at(&places.config(), "size=256k") else {
                return;
            };
            fs::write(home.settings(), SETTINGS).unwrap();
            let before = home.snapshot();
            disk.leaves(pages);
            let plugin = gate("1.0.0", "No.", true);
            let ran = home.install(&plugin.path()).run();
            disk.is_empty_again();
            assert_eq!(ran.exited(0), pages > 0, "{host}: the room decides");
            if pages == 0 {
                assert!(ran.exited(1));
                assert_eq!(home.snapshot(), before, "{host}");
                home.installs(&plugin);
            }
            home.uninstalls("gatekeeper");
            assert_eq!(home.snapshot(), before, "{host}");
        }
    }
}

/// The files of a data folder that count: what is in it, but for the lock and the ballast.
fn held(data: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut held = BTreeMap::new();
    let mut rest: Vec<PathBuf> = ["bin", "market", "receipts", "store"]
        .map(|room| data.join(room))
        .into();
    while let Some(path) = rest.pop() {
        if path.is_dir() {
            rest.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else {
            held.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    held
}
