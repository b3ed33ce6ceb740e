//! Who vouches for a package, the first time and later.

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};

use crate::{Author, Person, changed, page, server};

#[test]
fn a_package_is_installed_by_the_key_of_its_author_and_updated_by_the_receipt() {
    let (author, person) = (Author::new(), Person::new());
    let first = author.publish("1.0.0");
    person.installs(&first, &author);
    let receipt = person.receipt();
    assert_eq!(receipt["key"], author.key());
    assert_eq!(receipt["source"]["file"], first.to_str().unwrap());
    assert_eq!(person.version(), "1.0.0");
    let store = person.places.root().join("data/hookkit/store/guard/1.0.0");
    assert!(store.join("hookkit.json").is_file());
    assert!(!store.join("dispatch").exists(), "the dispatcher is ours");

    // The receipt's key is enough from now on.
    let second = author.publish("1.1.0");
    let ran = person.install().arg(&second).run();
    assert!(ran.exited(0));
    assert_eq!(person.version(), "1.1.0");
    assert_eq!(person.receipt()["key"], author.key());
    let ran = person.hookkit(["update", "--yes", "guard"]).run();
    assert!(ran.exited(0) && ran.out().contains("Nothing to do"));
    assert!(fs::read_dir(&person.temp).unwrap().next().is_none());
    assert!(
        person
            .hookkit(["uninstall", "--yes", "guard"])
            .run()
            .exited(0)
    );
}

#[test]
fn a_key_is_named_by_its_file_or_as_it_is() {
    let (author, person) = (Author::new(), Person::new());
    let package = author.publish("1.0.0");
    let by = |key: &str| person.install().arg(&package).args(["--key", key]);
    person.refused(&by("RWQnothing"), 2, &["RWQnothing"]);
    person.refused(&by(&Author::new().key()), 3, &["made with another key"]);
    let ran = by(&author.key()).run();
    assert!(ran.exited(0));
    let ran = person
        .hookkit(["verify"])
        .arg(&package)
        .args(["--key", &author.key()])
        .run();
    assert!(ran.exited(0));
}

#[test]
fn what_follows_must_be_signed_with_the_same_key() {
    let (author, other, person) = (Author::new(), Author::new(), Person::new());
    let web = server(&author);
    web.put_folder("/p", &author.out);
    let first = author.publish("1.0.0");
    web.put_folder("/p", &author.out);
    let address = web.at("/p/guard-1.0.0.zip");
    person.installs(&address, &author);

    // By another key, on the disk and on the server, also when that key is named.
    let foreign = other.publish("1.1.0");
    let words = [
        "is signed with another key than the guard that is installed",
        &author.key(),
    ];
    person.refused(&person.install().arg(&foreign), 3, &words);
    let named = person.install().arg(&foreign).arg("--key");
    person.refused(&named.arg(other.key_file()), 3, &words);
    other.publish("1.0.0");
    for ending in ["", ".sha256", ".minisig"] {
        let file = other.out.join(format!("guard-1.0.0.zip{ending}"));
        web.put(&format!("/p/guard-1.0.0.zip{ending}"), page(&file));
    }
    let update = person.hookkit(["update", "--yes", "guard"]);
    person.refused(&update, 3, &words);

    // Not signed, also when its sum is named.
    let unsigned = author.publish_unsigned("1.2.0");
    let words = [
        "is not signed, and the guard that is installed was",
        "hookkit uninstall",
    ];
    person.refused(&person.install().arg(&unsigned), 3, &words);
    let by_sum = person
        .install()
        .arg(&unsigned)
        .args(["--sha256", &sum(&unsigned)]);
    person.refused(&by_sum, 3, &words);
    web.take("/p/guard-1.0.0.zip.minisig");
    person.refused(&update, 3, &words);
    assert_eq!(person.version(), "1.0.0");

    // Whoever takes it away first may start anew.
    assert!(
        person
            .hookkit(["uninstall", "--yes", "guard"])
            .run()
            .exited(0)
    );
    person.installs(&foreign, &other);
    assert_eq!(person.receipt()["key"], other.key());
    assert!(first.is_file());
}

#[test]
fn an_older_version_is_taken_only_when_that_is_said() {
    let (author, person) = (Author::new(), Person::new());
    let (older, newer) = (author.publish("1.9.0"), author.publish("1.10.0"));
    person.installs(&newer, &author);
    let install = person.install().arg(&older);
    person.refused(
        &install,
        3,
        &[
            "1.10.0 is installed, and 1.9.0 is older",
            "--allow-downgrade",
        ],
    );
    assert!(install.arg("--allow-downgrade").run().exited(0));
    assert_eq!(person.version(), "1.9.0");
}

#[test]
fn a_key_that_is_new_here_is_trusted_by_nobody_but_a_person() {
    let (author, person) = (Author::new(), Person::new());
    let package = author.publish("1.0.0");
    // Without the key beside it, nobody knows which one it is.
    fs::remove_file(author.out.join("minisign.pub")).unwrap();
    let install = person.install().arg(&package);
    person.refused(&install, 3, &["with a key that nobody here knows", "--key"]);
    fs::copy(author.key_file(), author.out.join("minisign.pub")).unwrap();
    let key = author.key();
    person.refused(
        &install,
        3,
        &[
            "nobody here has trusted before",
            &format!("say --key {key}"),
        ],
    );
    let dry = person.hookkit(["install", "--dry-run", "--host", "claude-code"]);
    person.refused(&dry.arg(&package), 3, &[&key]);

    if !program::needs(&["script"]) {
        return;
    }
    let before = person.snapshot();
    let ran = at_terminal(&person, package.to_str().unwrap(), "n\n");
    assert!(ran.exited(3) && ran.out().contains(&key) && ran.out().contains("Trust it?"));
    assert!(person.snapshot() == before);
    // The first answer is for the key, the second for the plan.
    let ran = at_terminal(&person, package.to_str().unwrap(), "y\ny\n");
    assert!(ran.exited(0));
    assert_eq!(person.receipt()["key"], key);
}

/// `hookkit install` at a terminal, with these answers.
fn at_terminal(person: &Person, source: &str, answers: &str) -> Ran {
    let hookkit = person.hookkit_file();
    let line = format!(
        "{} install --host claude-code '{source}'",
        hookkit.display()
    );
    person.at_terminal(&line).stdin_bytes(answers).run()
}

#[test]
fn a_sum_vouches_for_a_package_that_nobody_signed() {
    let (author, person) = (Author::new(), Person::new());
    let package = author.publish_unsigned("1.0.0");
    let sum = sum(&package);
    let install = person.install().arg(&package);
    person.refused(
        &install,
        3,
        &["is not signed", "nobody vouches for it", &sum, "--sha256"],
    );
    let by_key = install.clone().arg("--key").arg(author.key_file());
    person.refused(
        &by_key,
        3,
        &["is not signed: there is no guard-1.0.0.zip.minisig"],
    );
    let zeros = "0".repeat(64);
    let by_zeros = install.clone().args(["--sha256", &zeros]);
    person.refused(&by_zeros, 3, &[&sum, &format!("not {zeros}")]);
    person.refused(
        &install.clone().args(["--sha256", "abc"]),
        2,
        &["64 hexadecimal digits"],
    );
    assert!(install.clone().args(["--sha256", &sum]).run().exited(0));
    assert_eq!(person.receipt()["sha256"], sum);
    assert!(person.receipt()["key"].is_null());
    // The same package again needs nobody, another one does.
    assert!(person.hookkit(["update", "--yes"]).run().exited(0));
    let next = author.publish_unsigned("1.1.0");
    person.refused(&person.install().arg(&next), 3, &["nobody vouches for it"]);
}

#[test]
fn a_package_that_was_changed_or_renamed_is_not_opened() {
    let (author, person) = (Author::new(), Person::new());
    let package = author.publish("1.0.0");
    let good = fs::read(&package).unwrap();
    let install = |file: &str| {
        let file = author.out.join(file);
        person
            .install()
            .arg(file)
            .arg("--key")
            .arg(author.key_file())
    };
    fs::write(&package, changed(&package)).unwrap();
    let words = ["cut or changed on its way", "guard-1.0.0.zip.sha256"];
    person.refused(&install("guard-1.0.0.zip"), 3, &words);
    fs::remove_file(author.out.join("guard-1.0.0.zip.sha256")).unwrap();
    let words = ["the file, or the signature, was changed"];
    person.refused(&install("guard-1.0.0.zip"), 3, &words);
    fs::write(author.out.join("guard-2.0.0.zip"), &good).unwrap();
    let signature = |version: &str| author.out.join(format!("guard-{version}.zip.minisig"));
    fs::copy(signature("1.0.0"), signature("2.0.0")).unwrap();
    let words = ["is for guard-1.0.0.zip: the file was renamed"];
    person.refused(&install("guard-2.0.0.zip"), 3, &words);
    fs::write(&package, &good).unwrap();
    assert!(install("guard-1.0.0.zip").run().exited(0));
}

/// A key that was trusted for one plugin is not trusted for another one because of a likeness in
/// their names.
#[test]
fn a_key_is_trusted_for_one_plugin() {
    let (author, person) = (Author::new(), Person::new());
    person.installs(author.publish("1.0.0"), &author);
    let key = author.keys.join("minisign.key");
    let other = author.pack(
        "guard-rails",
        "1.0.0",
        &["--sign-key", key.to_str().unwrap()],
    );
    let words = [
        "holds the plugin guard-rails",
        "was trusted for guard",
        "--key",
    ];
    person.refused(&person.install().arg(&other), 3, &words);
    person.installs(&other, &author);
}

#[test]
fn what_is_no_package_is_not_opened_by_its_sum_alone() {
    let (author, person) = (Author::new(), Person::new());
    let file = author.out.join("guard-1.0.0.zip");
    fs::write(&file, "no archive").unwrap();
    let install = person.install().arg(&file).args(["--sha256", &sum(&file)]);
    person.refused(&install, 3, &["cannot be opened without harm"]);
    let folder = person
        .install()
        .arg(&*author.out)
        .args(["--sha256", &sum(&file)]);
    person.refused(&folder, 2, &["is a folder"]);
    fs::remove_file(&file).unwrap();
    person.refused(&install, 2, &["guard-1.0.0.zip is not there"]);
}

/// The sha256 of a file, as another program sees it.
fn sum(file: &std::path::Path) -> String {
    Program::new("sha256sum").arg(file).run().out()[..64].to_owned()
}
