//! The commands of `docs/verify.md`, typed as they stand there.

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use hookkit_tests::published::{Published, VERSION};

/// What is in the page between the lines that begin and end a piece of `sh`.
fn commands() -> Vec<String> {
    let page = fs::read_to_string(program::repository().join("docs/verify.md")).unwrap();
    let pieces = page.split("```sh\n").skip(1);
    pieces
        .map(|piece| piece.split("```").next().unwrap().to_owned())
        .collect()
}

/// Which of the page's commands succeed, and what the second one says.
fn verified(release: &Published) -> ([bool; 3], String) {
    let keys = program::repository().join("installer/keys/test.txt");
    fs::copy(keys, release.file("keys.txt")).unwrap();
    let ran: Vec<_> = commands()
        .iter()
        .map(|command| {
            Program::new("sh")
                .args(["-c", command])
                .cwd(release.path())
                .run()
        })
        .collect();
    let [signed, version, sums] = &ran[..] else {
        panic!("the page has {} commands", ran.len());
    };
    let succeeded = [signed, version, sums].map(|ran| ran.exited(0));
    (succeeded, version.out())
}

#[test]
fn a_release_is_verified_by_hand() {
    if !program::needs(&["minisign", "sha256sum"]) {
        return;
    }
    let release = Published::of(VERSION).copy();
    let (succeeded, version) = verified(&release);
    assert_eq!(succeeded, [true; 3]);
    assert!(version.starts_with(&format!("hookkit {VERSION} ")));
    // The other key is as good.
    release.list();
    release.sign("second");
    assert_eq!(verified(&release).0, [true; 3]);
}

#[test]
fn a_release_that_was_changed_is_found_out() {
    if !program::needs(&["minisign", "sha256sum"]) {
        return;
    }
    let archive = |release: &Published| {
        let file = release.archive(VERSION);
        let mut bytes = fs::read(&file).unwrap();
        bytes.push(0);
        fs::write(file, bytes).unwrap();
    };
    let released = Published::of(VERSION);
    let tampered = released.copy();
    archive(&tampered);
    assert_eq!(verified(&tampered).0, [true, true, false]);
    // With the list to go with it.
    let signature = fs::read(tampered.file("SHA256SUMS.minisig")).unwrap();
    tampered.list();
    fs::write(tampered.file("SHA256SUMS.minisig"), signature).unwrap();
    assert!(!verified(&tampered).0[0]);
    // An older release under a new name: everything fits, but the version says it.
    let older = Published::of("0.0.9").copy();
    let (succeeded, version) = verified(&older);
    assert!(succeeded == [true; 3] && version.starts_with("hookkit 0.0.9 "));
    let unsigned = released.copy();
    fs::remove_file(unsigned.file("SHA256SUMS.minisig")).unwrap();
    assert!(!verified(&unsigned).0[0]);
}
