//! Which versions of hookkit stay beside the one in use, and that one is of one piece.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};

use crate::scene::{NEXT, Scene};

const THIRD: &str = "0.3.0";
const FOURTH: &str = "0.9.0";

fn folder(scene: &Scene, version: &str) -> PathBuf {
    scene.home.own().join("versions").join(version)
}

/// As if nothing had been changed in a version's folder for so many days.
fn age(scene: &Scene, version: &str, days: u64) {
    let then = SystemTime::now() - Duration::from_hours(days * 24);
    let folder = fs::File::open(folder(scene, version)).unwrap();
    folder.set_modified(then).unwrap();
}

fn bring(scene: &Scene, version: &str) {
    scene.offer_as(version, &Published::of(version));
    assert!(scene.update([]).run().exited(0), "{version} is brought");
    assert_eq!(scene.home.version(), format!("hookkit {version}"));
}

fn versions(scene: &Scene) -> Vec<String> {
    let all = fs::read_dir(scene.home.own().join("versions")).unwrap();
    let mut all: Vec<_> = all
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    all.sort();
    all
}

#[test]
fn hb_rel_16_a_version_goes_two_weeks_after_it_was_last_in_use() {
    let scene = Scene::new();
    // Long in use is not long out of use.
    age(&scene, VERSION, 15);
    bring(&scene, NEXT);
    bring(&scene, THIRD);
    assert_eq!(versions(&scene), [VERSION, NEXT, THIRD]);
    for version in [VERSION, NEXT] {
        let hookkit = scene.home.program(folder(&scene, version).join("hookkit"));
        let ran = hookkit.arg("--version").run();
        assert_eq!(ran.out(), format!("hookkit {version}\n"), "it works");
    }
    age(&scene, VERSION, 15);
    age(&scene, NEXT, 13);
    // The one before stays, however old it is.
    age(&scene, THIRD, 15);
    bring(&scene, FOURTH);
    assert_eq!(versions(&scene), [NEXT, THIRD, FOURTH]);
}

/// An update, or a script, that was ended in the middle leaves what it had unpacked.
#[test]
fn what_an_ended_update_left_goes_two_weeks_later() {
    let scene = Scene::new();
    let left = |name: &str, days: u64| {
        let folder = scene.home.own().join(name);
        fs::create_dir_all(folder.join("unpacked")).unwrap();
        let then = SystemTime::now() - Duration::from_hours(days * 24);
        fs::File::open(&folder).unwrap().set_modified(then).unwrap();
        folder
    };
    let (old, young) = (left(".new-a", 15), left(".new-b", 13));
    bring(&scene, NEXT);
    assert!(!old.exists() && young.is_dir());
}

/// Signed by mistake: nobody who changes an archive gets past the list.
#[test]
fn programs_of_two_versions_are_not_put_to_use() {
    let scene = Scene::new();
    for name in ["hookkit", "hookkit-dispatch"] {
        let mixed = repacked(&scene.next, |files| {
            fs::copy(folder(&scene, VERSION).join(name), files.join(name)).unwrap();
        });
        scene.offer(&mixed);
        let words = [
            format!("{name} {NEXT} says that it is `{name} {VERSION}"),
            format!("hookkit {VERSION} is in use as before"),
        ];
        scene.refused(&scene.update([]), 1, &words.each_ref().map(String::as_str));
    }
    scene.offer(&repacked(&scene.next, |_| ()));
    scene.works();
}

/// A release whose archive was changed before it was signed.
fn repacked(release: &Published, change: impl FnOnce(&Path)) -> Published {
    let (changed, unpacked) = (release.copy(), Folder::new("unpacked"));
    let stem = format!("hookkit-{NEXT}-x86_64-unknown-linux-musl");
    let archive = changed.archive(NEXT);
    let tar = || Program::new("tar").arg("-C").arg(&*unpacked);
    assert!(tar().arg("-xzf").arg(&archive).run().exited(0));
    change(&unpacked.join(&stem));
    assert!(tar().arg("-czf").arg(&archive).arg(&stem).run().exited(0));
    changed.list();
    changed.sign("first");
    changed
}
