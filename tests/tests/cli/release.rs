//! `hookkit build` with the dispatchers of a release, held to the release's list.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};

use crate::{hookkit, plugin};

/// Where each machine's dispatcher stands, and the first bytes of a program for it.
const PLACES: [(&str, &[u8]); 4] = [
    ("dispatch/linux-x86_64/hookkit-dispatch", &elf(62)),
    ("dispatch/linux-aarch64/hookkit-dispatch", &elf(183)),
    ("dispatch/macos/hookkit-dispatch", b"\xca\xfe\xba\xbe"),
    ("dispatch/hookkit-dispatch.exe", b"MZ"),
];

const fn elf(machine: u8) -> [u8; 20] {
    let mut bytes = *b"\x7fELF\x02\x01              ";
    bytes[18] = machine;
    bytes[19] = 0;
    bytes
}

/// A folder as a release has it, in which only this machine's dispatcher can do anything.
fn release() -> Folder {
    let folder = Folder::new("release");
    for (place, bytes) in PLACES {
        let file = folder.join(place);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        if place.contains(&here()) {
            program::dispatcher_at(&file);
        } else {
            fs::write(file, bytes).unwrap();
        }
    }
    write_list(&folder, env!("CARGO_PKG_VERSION"));
    folder
}

fn here() -> String {
    match std::env::consts::OS {
        "macos" => "macos/".to_owned(),
        system => format!("{system}-{}/", std::env::consts::ARCH),
    }
}

/// As a release's own list is made.
fn write_list(folder: &Path, version: &str) {
    let places = PLACES.map(|(place, _)| place);
    let sums = Program::new("sha256sum").args(places).cwd(folder).run();
    assert!(sums.exited(0));
    let list = format!("hookkit {version} 0123456789ab\n{}", sums.out());
    fs::write(folder.join("SHA256SUMS"), list).unwrap();
}

fn build(plugin: &Plugin, release: &Path) -> Ran {
    let words = ["build", "-q", "--targets", "all", "--dispatcher"];
    hookkit(&plugin.path(), words).arg(release).run()
}

#[test]
fn a_whole_release_is_taken_into_the_tree() {
    let (plugin, release) = (plugin(), release());
    assert!(build(&plugin, &release).exited(0));
    for (place, _) in PLACES {
        assert_eq!(
            fs::read(plugin.path().join("dist/demo").join(place)).unwrap(),
            fs::read(release.join(place)).unwrap(),
            "{place}"
        );
    }
}

/// As a release is unpacked: `hookkit` with everything else around it.
#[test]
fn beside_hookkit_nothing_has_to_be_named() {
    let (plugin, release) = (plugin(), release());
    let own = release.join("hookkit");
    fs::copy(program::hookkit(), &own).unwrap();
    let run = || {
        // By a process of its own: what another test forks just now may hold the copy open.
        Program::new("sh")
            .args(["-c", "cp -p \"$0\" \"$0-copy\" && exec \"$0-copy\" \"$@\""])
            .arg(&own)
            .args(["build", "-q", "--targets", "all"])
            .cwd(plugin.path())
            .env("HOME", "/nonexistent/home")
            .run()
    };
    assert!(run().exited(0));
    assert!(
        plugin
            .path()
            .join("dist/demo/dispatch/macos/hookkit-dispatch")
            .is_file()
    );
    fs::write(release.join(PLACES[2].0), b"\xca\xfe\xba\xbeother").unwrap();
    let ran = run();
    assert!(ran.exited(2) && ran.err().contains("dispatch/macos/hookkit-dispatch"));
}

#[test]
fn hb_rel_02_a_dispatcher_with_other_bytes_is_refused_by_name() {
    for (place, bytes) in PLACES {
        let (plugin, release) = (plugin(), release());
        let file = release.join(place);
        if place.contains(&here()) {
            // Still a program that says the right version.
            let ran = Program::new("sh")
                .args(["-c", "printf x >>\"$0\""])
                .arg(&file)
                .run();
            assert!(ran.exited(0));
        } else {
            fs::write(&file, [bytes, b"other"].concat()).unwrap();
        }
        let ran = build(&plugin, &release);
        assert!(ran.exited(2), "{place}");
        let said = ran.err();
        assert!(said.contains(place), "{place}: {said}");
        assert!(said.contains("is not the one that SHA256SUMS"), "{said}");
        assert!(!plugin.path().join("dist").exists(), "{place}");
        // The control: without the list nobody knows.
        fs::remove_file(release.join("SHA256SUMS")).unwrap();
        assert!(build(&plugin, &release).exited(0), "{place}");
    }
}

#[test]
fn hb_rel_02_a_dispatcher_that_the_list_leaves_out_is_refused() {
    let (plugin, release) = (plugin(), release());
    let list = fs::read_to_string(release.join("SHA256SUMS")).unwrap();
    let shorter: Vec<&str> = list
        .lines()
        .filter(|line| !line.contains("aarch64"))
        .collect();
    fs::write(release.join("SHA256SUMS"), shorter.join("\n")).unwrap();
    let ran = build(&plugin, &release);
    assert!(
        ran.exited(2)
            && ran
                .err()
                .contains("dispatch/linux-aarch64/hookkit-dispatch")
    );
}

/// The dispatchers of other machines cannot be asked for theirs.
#[test]
fn a_release_of_another_version_is_refused() {
    let (plugin, release) = (plugin(), release());
    write_list(&release, "99.1.0");
    let ran = build(&plugin, &release);
    assert!(ran.exited(2));
    assert!(ran.err().contains("SHA256SUMS is version 99.1.0"));
}

/// A list of something else says nothing about dispatchers.
#[test]
fn a_list_of_other_files_is_no_release() {
    let (plugin, release) = (plugin(), release());
    fs::write(release.join("SHA256SUMS"), "0123  a.iso\n").unwrap();
    assert!(build(&plugin, &release).exited(0));
}
