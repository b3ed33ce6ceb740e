//! `hookkit self update`, from a server that plays the release host and has its faults.

use std::time::Duration;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::web::Page;

use crate::scene::{LIST, NEXT, Scene};
use crate::secret_key;
use crate::served::served;

const OLDER: &str = "0.0.9";

/// Signs a list as minisign does, with a trusted comment of one's own.
fn sign(list: &std::path::Path, key: &std::path::Path, comment: &str) {
    let _ = fs::remove_file(list.with_file_name("SHA256SUMS.minisig"));
    let signed = Program::new("minisign")
        .args(["-S", "-t", comment, "-s"])
        .arg(key)
        .arg("-m")
        .arg(list)
        .run();
    assert!(signed.exited(0));
}

#[test]
fn hb_rel_16_the_newest_release_is_put_to_use_as_a_whole_and_the_one_before_stays() {
    let scene = Scene::new();
    let before = scene.everything();
    let ran = scene.update(["--check"]).run();
    assert!(ran.exited(1) && ran.out().contains(&format!("hookkit {NEXT} is there")));
    let ran = scene.update(["--check", "--json"]).run();
    let said = ran.json();
    assert_eq!(said["schema"], 1);
    assert_eq!(said["installed"], VERSION);
    assert_eq!(said["offered"], NEXT);
    assert_eq!(said["done"], false);
    assert_eq!(scene.everything(), before, "to look changes nothing");

    scene.works();
    let bin = scene.home.own().join("bin");
    let ran = scene
        .home
        .program(bin.join("hookkit-dispatch"))
        .arg("--version")
        .run();
    assert!(
        ran.out().starts_with(&format!("hookkit-dispatch {NEXT}")),
        "both are of one version"
    );
    let versions = scene.home.own().join("versions");
    assert!(
        versions.join(VERSION).join("hookkit").is_file(),
        "the one before stays"
    );
    let mut left: Vec<_> = fs::read_dir(scene.home.own())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["bin", "edit.lock", "receipt.json", "versions"]);
    let ran = scene.update([]).run();
    assert!(ran.exited(0) && ran.out().contains("is the newest"));
    assert!(scene.update(["--check"]).run().exited(0));
}

#[test]
fn either_of_the_two_keys_is_enough() {
    let scene = Scene::new();
    let other = scene.next.copy();
    other.sign("second");
    scene.offer(&other);
    scene.works();
}

#[test]
fn a_list_that_nobody_vouches_for_is_not_taken() {
    if !program::needs(&["minisign"]) {
        return;
    }
    let scene = Scene::new();
    let signature = format!("{LIST}.minisig");
    scene.web.take(&signature);
    scene.refused(
        &scene.update([]),
        3,
        &["it is not signed", "Nothing was changed"],
    );
    scene
        .web
        .put(&signature, Page::File(b"no signature".to_vec()));
    scene.refused(
        &scene.update([]),
        3,
        &["is no signature in the format of minisign"],
    );

    let strange = scene.next.copy();
    let keys = Folder::new("keys");
    let made = Program::new(program::hookkit())
        .arg("keygen")
        .env("HOME", &*keys)
        .cwd(&*keys)
        .run();
    assert!(made.exited(0));
    let list = strange.file("SHA256SUMS");
    sign(&list, &keys.join("minisign.key"), "file:SHA256SUMS");
    scene.offer(&strange);
    scene.refused(&scene.update([]), 3, &["was made with another key"]);
    sign(&list, &secret_key("first"), "file:OTHER");
    scene.offer(&strange);
    scene.refused(
        &scene.update([]),
        3,
        &["is for OTHER: the file was renamed"],
    );
    sign(&list, &secret_key("first"), "no name");
    scene.offer(&strange);
    scene.refused(&scene.update([]), 3, &["does not cover the file's name"]);

    let changed = scene.next.copy();
    let list = changed.file("SHA256SUMS");
    let text = fs::read_to_string(&list)
        .unwrap()
        .replacen(NEXT, "9.9.9", 1);
    fs::write(&list, text).unwrap();
    scene.offer(&changed);
    scene.refused(
        &scene.update([]),
        3,
        &["the file, or the signature, was changed"],
    );
    scene.offer(&scene.next);
    scene.works();
}

#[test]
fn an_archive_that_the_list_does_not_name_is_not_unpacked() {
    let scene = Scene::new();
    let good = fs::read(scene.next.archive(NEXT)).unwrap();
    let mut bytes = good.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let words = ["the signed list says", "Nothing was changed"];
    scene.archive_is(Page::File(bytes));
    scene.refused(&scene.update([]), 3, &words);
    // Of another version, or for another machine, under this name.
    let now = Published::of(VERSION);
    scene.archive_is(Page::File(fs::read(now.archive(VERSION)).unwrap()));
    scene.refused(&scene.update([]), 3, &words);
    // None for this machine.
    let lacking = scene.next.copy();
    fs::remove_file(lacking.archive(NEXT)).unwrap();
    lacking.list();
    lacking.sign("first");
    scene.offer(&lacking);
    scene.refused(&scene.update([]), 3, &["there is none for this machine"]);
    scene.offer(&scene.next);
    scene.works();
}

/// A list that was signed over the wrong archive: what is in it tells.
#[test]
fn an_archive_of_another_version_is_not_put_to_use() {
    let scene = Scene::new();
    let mixed = scene.next.copy();
    let now = Published::of(VERSION);
    fs::copy(now.archive(VERSION), mixed.archive(NEXT)).unwrap();
    mixed.list();
    mixed.sign("first");
    scene.offer(&mixed);
    let words = [
        "does not belong into it",
        &format!("hookkit {VERSION} is in use as before"),
    ];
    scene.refused(&scene.update([]), 1, &words);
}

#[test]
fn an_older_release_is_not_taken_for_a_newer_one() {
    let scene = Scene::new();
    let older = Published::of(OLDER);
    scene.offer(&older);
    let words = [
        "what is offered is 0.0.9, which is older",
        "--allow-downgrade",
    ];
    scene.refused(&scene.update([]), 3, &words);
    scene.refused(&scene.update(["--check"]), 3, &words);
    // The older list, with its signature, in the place of a newer one.
    let words = ["it is the list of 0.0.9, and 0.2.0 was asked for"];
    scene.refused(&scene.update(["--version", NEXT]), 3, &words);
    scene.refused(
        &scene.update(["--version", NEXT, "--allow-downgrade"]),
        3,
        &words,
    );
    scene.refused(&scene.update(["--version", "../x"]), 2, &["../x"]);

    scene
        .web
        .put_folder(&format!("/download/v{OLDER}"), older.path());
    scene.refused(&scene.update(["--version", OLDER]), 3, &["which is older"]);
    let ran = scene
        .update(["--version", OLDER, "--allow-downgrade"])
        .run();
    assert!(ran.exited(0));
    assert_eq!(scene.home.version(), format!("hookkit {OLDER}"));
    scene.offer(&scene.next);
    let ran = scene.update(["--version", &format!("v{NEXT}")]).run();
    assert!(ran.exited(0));
    assert_eq!(scene.home.version(), format!("hookkit {NEXT}"));
}

#[test]
fn a_server_with_faults_changes_nothing() {
    let scene = Scene::new();
    let bytes = fs::read(scene.next.archive(NEXT)).unwrap();
    let half = bytes.len() / 2;
    let elsewhere = served(&scene.next, NEXT);
    let pages = [
        (Page::Cut(bytes.clone(), half), 2, "try again"),
        (Page::Length(bytes.clone(), half), 3, "the signed list says"),
        (Page::Length(bytes.clone(), bytes.len() + 1), 2, "try again"),
        (Page::Status(404), 2, "is not there"),
        (Page::Status(500), 2, "the server says 500"),
        (Page::Redirect(scene.archive()), 2, "more than 5 times"),
        (
            Page::Redirect(elsewhere.at(&scene.archive())),
            3,
            "another server",
        ),
        (Page::Silent, 2, "has sent nothing for 1 s"),
        (
            Page::Slow(bytes.clone(), 10, Duration::from_millis(200)),
            2,
            "too slowly",
        ),
        (Page::Endless, 2, "too much"),
    ];
    for (page, code, words) in pages {
        scene.archive_is(page);
        scene.refused(&scene.update([]), code, &[words, &scene.web.at("")]);
    }
    assert!(elsewhere.asked().is_empty());
    for (page, words) in [
        (Page::Status(500), "the server says 500"),
        (Page::Endless, "too much"),
        (Page::Silent, "has sent nothing"),
    ] {
        scene.web.put(LIST, page);
        scene.refused(&scene.update([]), 2, &[words, "SHA256SUMS"]);
    }
    scene.offer(&scene.next);
    scene.refused(&scene.update(["--offline"]), 3, &["--offline"]);
    let other = scene
        .update([])
        .env("HOOKKIT_BASE_URL", "https://example.org/releases");
    scene.refused(&other, 3, &["was built from source"]);
    scene.works();
}

#[test]
fn what_a_package_manager_installed_is_left_to_it() {
    let root = Folder::new("managers");
    for (place, words) in [
        (
            "opt/homebrew/Cellar/hookkit/0.1.0/bin",
            "brew upgrade hookkit",
        ),
        ("home/.cargo/bin", "cargo install hookkit"),
        ("p/node_modules/@hookkit/linux-x64", "npm update hookkit"),
        ("tools", "was not put there by install.sh"),
    ] {
        let folder = root.join(place);
        fs::create_dir_all(&folder).unwrap();
        let hookkit = folder.join("hookkit");
        fs::copy(program::hookkit(), &hookkit).unwrap();
        let home = root.join("home");
        fs::create_dir_all(&home).unwrap();
        let ran = Program::new(&hookkit)
            .args(["self", "update"])
            .env("HOME", &home)
            .run();
        assert!(ran.exited(3) && ran.err().contains(words), "{place}");
        assert_eq!(
            fs::read(&hookkit).unwrap(),
            fs::read(program::hookkit()).unwrap()
        );
    }
}
