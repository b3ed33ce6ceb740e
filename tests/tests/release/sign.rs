//! `cargo xtask release sign`.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::program;

use crate::secret_key;

const LIST: &str = "hookkit 1.2.3 0123456789ab\n00  a.zip\n";

fn release() -> Folder {
    let folder = Folder::new("release");
    fs::write(folder.join("SHA256SUMS"), LIST).unwrap();
    folder
}

fn signature(release: &Path) -> PathBuf {
    release.join("SHA256SUMS.minisig")
}

fn sign(release: &Path) -> Program {
    Program::new(program::built("xtask"))
        .args(["release", "sign"])
        .arg(release)
}

/// What `minisign -V` says with one of the two test keys.
fn is_vouched_for(release: &Path, key: usize) -> bool {
    let accepted = program::repository().join("installer/keys/test.txt");
    let accepted = fs::read_to_string(accepted).unwrap();
    let keys = accepted.lines().filter(|line| line.starts_with("RW"));
    Program::new("minisign")
        .args(["-V", "-P", keys.collect::<Vec<_>>()[key], "-m"])
        .arg(release.join("SHA256SUMS"))
        .run()
        .exited(0)
}

#[test]
fn minisign_checks_what_either_key_signed() {
    if !program::needs(&["minisign"]) {
        return;
    }
    for (key, name) in ["first", "second"].into_iter().enumerate() {
        let release = release();
        let ran = sign(&release).arg("--key").arg(secret_key(name)).run();
        assert!(ran.exited(0));
        assert!(is_vouched_for(&release, key) && !is_vouched_for(&release, 1 - key));
        let text = fs::read_to_string(signature(&release)).unwrap();
        assert!(text.contains("\tfile:SHA256SUMS\t") && text.contains("hookkit 1.2.3\n"));
        fs::write(release.join("SHA256SUMS"), LIST.replace("1.2.3", "9.9.9")).unwrap();
        assert!(!is_vouched_for(&release, key));
    }
}

#[test]
fn a_key_from_a_variable_is_never_printed() {
    let release = release();
    let text = fs::read_to_string(secret_key("first")).unwrap();
    let secret = text.lines().nth(1).unwrap();
    let by_variable = |value: &str| {
        let program = sign(&release).args(["--key-env", "KEY"]);
        program.env("KEY", value).run()
    };
    let ran = by_variable(&text);
    assert!(ran.exited(0) && signature(&release).is_file());
    let damaged = text.replace("RWQAAEIy", "RWQAAEIz");
    let cut = &text[..text.len() - 40];
    for ran in [
        ran,
        by_variable(&damaged),
        by_variable(cut),
        by_variable(secret),
    ] {
        assert!(!(ran.out() + &ran.err()).contains(&secret[40..120]));
    }
    assert!(!by_variable(cut).exited(0) && !by_variable("").exited(0));
}

#[test]
fn a_key_that_no_hookkit_accepts_signs_nothing() {
    let (release, keys) = (release(), Folder::new("keys"));
    let made = Program::new(program::hookkit())
        .args(["keygen", "--out"])
        .arg(&*keys)
        .env("HOME", &*keys)
        .run();
    assert!(made.exited(0));
    let other = sign(&release).arg("--key").arg(keys.join("minisign.key"));
    let test = sign(&release).arg("--key").arg(secret_key("first"));
    for (sign, words) in [
        (other, "none of installer/keys/test.txt"),
        (
            test.env("HOOKKIT_RELEASE", "1"),
            "none of installer/keys/release.txt",
        ),
    ] {
        let ran = sign.run();
        assert!(!ran.exited(0) && ran.err().contains(words));
        assert!(!signature(&release).exists());
    }
}

#[test]
fn only_the_list_of_a_release_is_signed() {
    let release = release();
    fs::write(release.join("SHA256SUMS"), "00  a.zip\n").unwrap();
    let ran = sign(&release).arg("--key").arg(secret_key("first")).run();
    assert!(!ran.exited(0) && ran.err().contains("hookkit VERSION COMMIT"));
    assert!(!signature(&release).exists());
}
