//! What `cargo xtask release` makes of the programs.

use std::collections::BTreeSet;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::program;
use hookkit_tests::published::{Published, VERSION};

fn lines(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_list_names_everything_that_is_published() {
    let release = Published::of(VERSION);
    let list = fs::read_to_string(release.file("SHA256SUMS")).unwrap();
    let (first, rest) = list.split_once('\n').unwrap();
    assert_eq!(first, format!("hookkit {VERSION} 0123456789ab"));
    let listed: BTreeSet<String> = rest
        .lines()
        .map(|line| line.split_once("  ").unwrap().1.to_owned())
        .collect();
    let there: BTreeSet<String> = fs::read_dir(release.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("SHA256SUMS"))
        .collect();
    assert_eq!(listed, there);
    assert!(there.contains("install.sh") && there.contains("install.ps1"));
}

#[test]
fn an_archive_holds_both_programs_and_every_dispatcher() {
    let (release, folder) = (Published::of(VERSION), Folder::new("unpacked"));
    let tar = Program::new("tar")
        .arg("-xzf")
        .arg(release.archive(VERSION));
    assert!(tar.cwd(&*folder).run().exited(0));
    let inside = folder.join(format!("hookkit-{VERSION}-x86_64-unknown-linux-musl"));
    let check = "tail -n +2 SHA256SUMS | sha256sum --strict --check";
    let ran = Program::new("sh").args(["-c", check]).cwd(&inside).run();
    assert!(ran.exited(0));
    let expected = "CHANGELOG.md LICENSE-APACHE LICENSE-MIT README.md \
        dispatch/hookkit-dispatch.exe dispatch/linux-aarch64/hookkit-dispatch \
        dispatch/linux-x86_64/hookkit-dispatch dispatch/macos/hookkit-dispatch hookkit \
        hookkit-dispatch";
    let named: BTreeSet<String> = ran
        .out()
        .lines()
        .map(|line| line.split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        named,
        lines(&expected.split_whitespace().collect::<Vec<_>>().join("\n"))
    );
    // Authors build for every machine with what they installed.
    let plugin = program::repository().join("examples/guard-rails");
    let built = Program::new(inside.join("hookkit"))
        .args(["build", "--targets", "all", "--out"])
        .arg(folder.join("tree"))
        .arg(plugin)
        .env("HOME", &*folder)
        .run();
    assert!(built.exited(0));
}

/// dist has a version of its own to read.
#[test]
fn dist_is_told_of_the_same_version() {
    for (file, words) in [
        ("dist.toml", format!("\nversion = \"{VERSION}\"\n")),
        (
            "tests/data/dist/plan.json",
            format!("\"app_version\": \"{VERSION}\""),
        ),
        (
            "tests/data/dist/hookkit.rb",
            format!("version \"{VERSION}\""),
        ),
    ] {
        let text = fs::read_to_string(program::repository().join(file)).unwrap();
        assert!(text.contains(&words), "{file}");
    }
}
