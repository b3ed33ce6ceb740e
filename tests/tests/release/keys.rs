//! Which keys a build of `hookkit` accepts, as its build script decides.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};

/// Public keys that nobody has the secret half of.
const OWN: [&str; 2] = [
    "RWT5IgnZt2zbQuRaPisbk8dd1jjQGw0HiKns3R38mqGNShBOara+2r2F",
    "RWT4aPgqcY2nn/TNYYoOfLu5G9vtVEqJeb/BQ6bcrTH/tDCnNYJuzulX",
];

/// The build script of the installer, in a folder with keys.
struct Build {
    folder: Folder,
    script: PathBuf,
}

impl Build {
    fn new() -> Self {
        let folder = Folder::new("keys");
        let script = folder.join("build-script");
        let cargo = Path::new(env!("CARGO"));
        let made = Program::new(cargo.with_file_name("rustc"))
            .args(["--edition", "2024", "-o"])
            .arg(&script)
            .arg(program::repository().join("installer/build.rs"))
            .cwd(&*folder)
            .run();
        assert!(made.exited(0));
        fs::create_dir(folder.join("keys")).unwrap();
        let tests = committed("test.txt");
        fs::write(folder.join("keys/test.txt"), tests).unwrap();
        Self { folder, script }
    }

    fn with(&self, file: &str, text: &str) -> &Self {
        fs::write(self.folder.join("keys").join(file), text).unwrap();
        self
    }

    fn run(&self, is_release: bool) -> Ran {
        let program = Program::new(&self.script).cwd(&*self.folder);
        if is_release {
            program.env("HOOKKIT_RELEASE", "1").run()
        } else {
            program.run()
        }
    }

    fn is_refused(&self, is_release: bool, words: &str) {
        let ran = self.run(is_release);
        assert!(!ran.exited(0) && ran.out().contains("cargo::error="));
        assert!(ran.out().contains(words), "{words}");
        assert!(!ran.out().contains("cargo::rustc-env"));
    }
}

fn committed(file: &str) -> String {
    fs::read_to_string(program::repository().join("installer/keys").join(file)).unwrap()
}

fn test_keys() -> Vec<String> {
    let text = committed("test.txt");
    let keys = text.lines().filter(|line| line.starts_with("RW"));
    keys.map(str::to_owned).collect()
}

#[test]
fn a_release_accepts_its_own_two_keys_and_another_build_those_of_tests() {
    let build = Build::new();
    build.with("release.txt", &OWN.join("\n"));
    let said = |keys: [&str; 2]| {
        let [first, second] = keys;
        format!(
            "cargo::rustc-env=HOOKKIT_FIRST_KEY={first}\ncargo::rustc-env=HOOKKIT_SECOND_KEY={second}\n"
        )
    };
    let release = build.run(true);
    assert!(release.exited(0) && release.out().contains(&said(OWN)));
    assert!(release.out().contains("cargo::rustc-cfg=hookkit_release"));
    let tests = test_keys();
    let other = build.run(false);
    assert!(other.exited(0) && other.out().contains(&said([&tests[0], &tests[1]])));
    assert!(!other.out().contains("cargo::rustc-cfg=hookkit_release"));
}

#[test]
fn nothing_is_built_without_two_different_keys() {
    let build = Build::new();
    let [first, second] = OWN;
    for (text, words) in [
        (String::new(), "holds 0"),
        ("# to be made\n".into(), "holds 0"),
        (first.to_owned(), "holds 1"),
        (format!("{first}\n{first}\n"), "two different"),
        (format!("{first}\n{second}\n{first}\n"), "holds 3"),
        (format!("{first}\n{}\n", &second[1..]), "is no public key"),
        (format!("{first}\n<key>\n"), "is no public key"),
    ] {
        build.with("release.txt", &text).is_refused(true, words);
    }
    fs::remove_file(build.folder.join("keys/release.txt")).unwrap();
    build.is_refused(true, "release.txt");
    build.with("test.txt", "").is_refused(false, "holds 0");
}

#[test]
fn a_release_is_not_built_with_a_test_key() {
    let build = Build::new();
    for test in test_keys() {
        for text in [
            format!("{}\n{test}\n", OWN[0]),
            format!("{test}\n{}\n", OWN[1]),
        ] {
            build
                .with("release.txt", &text)
                .is_refused(true, "a test key");
            assert!(build.run(false).exited(0));
        }
    }
}
