//! Signatures: made, checked, and checked by minisign itself.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, Ran, program};

use crate::zip::{Entry, archive};
use crate::{file, guard, hookkit, package, packed};

/// A package, and the folder of the keys that signed it.
struct Signed {
    plugin: Plugin,
    package: PathBuf,
    keys: Folder,
}

impl Signed {
    fn new() -> Self {
        let keys = keys();
        let plugin = guard();
        let key = keys.join("minisign.key");
        let out = plugin.project().join("out");
        let package = packed(&plugin, &out, &["--sign-key", key.to_str().unwrap()]);
        Self {
            plugin,
            package,
            keys,
        }
    }

    fn signature(&self) -> PathBuf {
        self.package.with_extension("zip.minisig")
    }

    fn verified(&self) -> Ran {
        verified(&self.package, &self.keys.join("minisign.pub"))
    }
}

fn keys() -> Folder {
    let keys = Folder::new("keys");
    let ran = hookkit(&keys, &["keygen"]).run();
    assert!(ran.exited(0));
    keys
}

fn verified(package: &Path, key: &Path) -> Ran {
    hookkit(package.parent().unwrap(), &["verify", "--key"])
        .arg(key)
        .arg(package)
        .run()
}

#[test]
fn a_signed_package_is_vouched_for() {
    let signed = Signed::new();
    let ran = signed.verified();
    assert!(ran.exited(0) && ran.out().contains("guard 0.1.0"));
    let signature = fs::read_to_string(signed.signature()).unwrap();
    assert!(
        signature.contains("trusted comment: timestamp:315532800\tfile:guard-0.1.0.zip\thashed")
    );
}

#[test]
fn a_package_that_was_changed_on_its_way_is_not_opened() {
    let signed = Signed::new();
    let good = fs::read(&signed.package).unwrap();
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 1;
    fs::write(&signed.package, &changed).unwrap();
    let ran = signed.verified();
    assert!(ran.exited(1) && ran.err().contains("does not fit"));
    assert_eq!(ran.out(), "");
    fs::write(&signed.package, &good[..good.len() - 1]).unwrap();
    assert!(signed.verified().exited(1));
}

#[test]
fn a_package_under_another_name_is_not_opened() {
    let signed = Signed::new();
    let renamed = signed.package.with_file_name("guard-9.9.9.zip");
    fs::rename(&signed.package, &renamed).unwrap();
    fs::rename(signed.signature(), renamed.with_extension("zip.minisig")).unwrap();
    let ran = verified(&renamed, &signed.keys.join("minisign.pub"));
    assert!(ran.exited(1));
    assert!(
        ran.err()
            .contains("is for guard-0.1.0.zip: the file was renamed")
    );
}

#[test]
fn a_package_of_somebody_else_is_not_opened() {
    let signed = Signed::new();
    let ran = verified(&signed.package, &keys().join("minisign.pub"));
    assert!(ran.exited(1) && ran.err().contains("made with another key"));
    fs::remove_file(signed.signature()).unwrap();
    let ran = signed.verified();
    assert!(ran.exited(1) && ran.err().contains("there is no signature"));
    fs::write(signed.signature(), "untrusted comment: x\n").unwrap();
    let ran = signed.verified();
    assert!(ran.exited(1) && ran.err().contains("is no signature"));
}

/// A wrong, missing or malformed sum stops everything before the archive is looked at.
#[test]
fn nothing_is_read_before_somebody_vouches() {
    let folder = Folder::new("hostile");
    let hostile = file(&folder, "a.zip", &archive(&[Entry::file("../evil", "x")]));
    let verify = |more: &[&str]| hookkit(&folder, &["verify"]).args(more).arg(&hostile).run();
    let zeros = "0".repeat(64);
    let ran = verify(&["--sha256", &zeros]);
    assert!(ran.exited(1) && !ran.err().contains("evil"));
    assert!(ran.err().contains(&format!("not {zeros}")));
    let key = keys().join("minisign.pub");
    assert!(verify(&["--key", "nowhere"]).exited(2));
    assert!(verify(&[]).exited(2));
    assert!(verify(&["--sha256", ""]).exited(2));
    assert!(verify(&["--sha256", &zeros[1..]]).exited(2));
    assert!(verify(&["--key", hostile.to_str().unwrap()]).exited(2));
    // The key's file is gone with its folder.
    assert!(verify(&["--key", key.to_str().unwrap()]).exited(2));
    let missing = folder.join("missing.zip");
    let ran = hookkit(&folder, &["verify", "--sha256", &zeros])
        .arg(missing)
        .run();
    assert!(ran.exited(2));
}

#[test]
fn both_a_key_and_a_sum_must_hold() {
    let signed = Signed::new();
    let key = signed.keys.join("minisign.pub");
    let verify = |sum: &str| {
        hookkit(
            &signed.plugin.project(),
            &["verify", "--sha256", sum, "--key"],
        )
        .arg(&key)
        .arg(&signed.package)
        .run()
    };
    let sum = crate::sum(&signed.package);
    assert!(verify(&sum).exited(0) && verify(&sum.to_uppercase()).exited(0));
    assert!(verify(&"0".repeat(64)).exited(1));
}

#[test]
fn keys_are_private_and_never_replaced() {
    let keys = keys();
    let secret = keys.join("minisign.key");
    let mode = fs::metadata(&secret).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let before = fs::read(&secret).unwrap();
    let ran = hookkit(&keys, &["keygen"]).run();
    assert!(ran.exited(3) && fs::read(&secret).unwrap() == before);
    fs::remove_file(keys.join("minisign.key")).unwrap();
    assert!(hookkit(&keys, &["keygen"]).run().exited(3));

    let repository = Folder::new("repository");
    let ran = Program::new("git").arg("init").arg(&*repository).run();
    assert!(ran.exited(0));
    let ran = hookkit(&repository, &["keygen", "--out", "keys"]).run();
    assert!(ran.exited(3) && !repository.join("keys").exists());
}

#[test]
fn what_is_no_key_signs_nothing() {
    let plugin = guard();
    let out = plugin.project().join("out");
    for key in ["hookkit.json", "nowhere"] {
        let key = plugin.path().join(key);
        let ran = package(&plugin, &out, &["--sign-key", key.to_str().unwrap()]).run();
        assert!(ran.exited(2) && !out.exists());
    }
}

#[test]
fn minisign_checks_what_hookkit_signs() {
    if !program::needs(&["minisign"]) {
        return;
    }
    let signed = Signed::new();
    let minisign = |package: &Path| {
        Program::new("minisign")
            .arg("-V")
            .arg("-p")
            .arg(signed.keys.join("minisign.pub"))
            .arg("-m")
            .arg(package)
            .run()
    };
    let ran = minisign(&signed.package);
    assert!(ran.exited(0) && ran.out().contains("file:guard-0.1.0.zip"));
    let mut changed = fs::read(&signed.package).unwrap();
    changed[0] ^= 1;
    fs::write(&signed.package, changed).unwrap();
    assert!(!minisign(&signed.package).exited(0));
}

#[test]
fn hookkit_checks_what_minisign_signs() {
    if !program::needs(&["minisign"]) {
        return;
    }
    let signed = Signed::new();
    let sign = |more: &[&str]| {
        fs::remove_file(signed.signature()).unwrap();
        Program::new("minisign")
            .arg("-S")
            .arg("-s")
            .arg(signed.keys.join("minisign.key"))
            .arg("-m")
            .arg(&signed.package)
            .args(more)
            .run()
    };
    assert!(sign(&[]).exited(0));
    assert!(signed.verified().exited(0));
    assert!(sign(&["-t", "a comment without a name"]).exited(0));
    let ran = signed.verified();
    assert!(ran.exited(1) && ran.err().contains("does not cover the file's name"));
}

/// minisign's own keys: one without a password signs unattended, one with a password says why it does not.
#[test]
fn keys_of_minisign_sign_packages() {
    if !program::needs(&["minisign"]) {
        return;
    }
    let plugin = guard();
    let out = plugin.project().join("out");
    for (more, password, expected) in [(&["-W"][..], "", 0), (&[], "secret\nsecret\n", 2)] {
        let keys = Folder::new("keys");
        let ran = Program::new("minisign")
            .arg("-G")
            .args(more)
            .arg("-p")
            .arg(keys.join("minisign.pub"))
            .arg("-s")
            .arg(keys.join("minisign.key"))
            .stdin_bytes(password)
            .run();
        assert!(ran.exited(0));
        let key = keys.join("minisign.key");
        let ran = package(&plugin, &out, &["--sign-key", key.to_str().unwrap()]).run();
        assert!(ran.exited(expected));
        if expected == 0 {
            let package = out.join("guard-0.1.0.zip");
            assert!(verified(&package, &keys.join("minisign.pub")).exited(0));
        } else {
            assert!(ran.err().contains("has a password"));
        }
    }
}
