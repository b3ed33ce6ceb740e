//! What kind of file it is, and whose.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;

use hookkit::edit::{Change, Document, LIMIT};
use hookkit_tests::program;
use serde_json::json;

use crate::{Home, added, listing, names};

const TEXT: &str = "{\"theme\": \"dark\"}\n";

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// May this user do what others may not? Then permissions say nothing.
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn the_mode_and_the_group_stay() {
    for has in [0o600, 0o644, 0o640, 0o755] {
        let home = Home::with(TEXT);
        set_mode(&home.settings(), has);
        if is_root() {
            chown(home.settings(), None, Some(12_345)).unwrap();
        }
        let group = fs::metadata(home.settings()).unwrap().gid();
        home.write(&home.change().unwrap()).unwrap();
        assert_eq!(mode(&home.settings()), has);
        assert_eq!(fs::metadata(home.settings()).unwrap().gid(), group);
        assert!(home.text().contains("/ours/stop"));
        assert_eq!(names(&home), ["settings.json"]);
    }
}

#[test]
fn a_missing_file_is_made_with_its_folders_for_the_user_alone() {
    let home = Home::new();
    let file = home.path("home/.copilot/hooks/hooks.json");
    let change = added(&file).unwrap();
    assert_eq!(change.before(), None);
    home.write(&change).unwrap();
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&home.path("home/.copilot")), 0o700);
    assert_eq!(mode(&home.path("home/.copilot/hooks")), 0o700);
    assert_eq!(mode(&home.path("data")), 0o700);
    assert!(fs::read_to_string(&file).unwrap().ends_with("}\n"));
}

#[test]
fn nothing_is_written_where_nothing_changes() {
    let home = Home::with("{\"hooks\": {\"x\": 1.0}} // as it is");
    let before = fs::metadata(home.settings()).unwrap();
    let mut document = Document::open(&home.settings()).unwrap();
    document.set(&["hooks", "x"], json!(1.0)).unwrap();
    let change = document.change();
    assert!(change.is_empty());
    assert_eq!(change.diff(), "");
    home.write(&change).unwrap();
    assert_eq!(fs::metadata(home.settings()).unwrap().ino(), before.ino());

    let absent = Document::open(&home.path("home/none.json"))
        .unwrap()
        .change();
    assert!(absent.is_empty());
    home.write(&absent).unwrap();
    assert!(!home.path("home/none.json").exists());
}

#[test]
fn a_blank_file_counts_as_an_empty_object() {
    for blank in ["", " ", "\n", "\u{feff}", "\u{feff}\r\n"] {
        let home = Home::with(blank);
        home.write(&home.change().unwrap()).unwrap();
        let text = home.text();
        assert_eq!(text.starts_with('\u{feff}'), blank.starts_with('\u{feff}'));
        let text = text.trim_start_matches('\u{feff}');
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(value["hooks"]["Stop"][0]["command"], "/ours/stop");
    }
}

#[test]
fn a_file_that_is_read_only_is_refused_for_root_too() {
    let home = Home::with(TEXT);
    set_mode(&home.settings(), 0o444);
    home.refuses("is read-only");
}

#[test]
fn a_folder_that_is_read_only_is_refused_for_root_too() {
    let home = Home::with(TEXT);
    set_mode(&home.path("home/.claude"), 0o555);
    home.refuses("cannot be written in ");
    set_mode(&home.path("home/.claude"), 0o755);
    home.change().unwrap();

    let home = Home::new();
    set_mode(&home.path("home/.claude"), 0o555);
    home.refuses("cannot be written in ");
    set_mode(&home.path("home/.claude"), 0o755);
}

#[test]
fn a_file_of_somebody_else_is_refused() {
    let home = Home::with(TEXT);
    if !program::can(is_root(), "only root can give files away") {
        return;
    }
    chown(home.settings(), Some(65_534), None).unwrap();
    home.refuses("belongs to somebody else");
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let home = Home::new();
    fs::create_dir(home.settings()).unwrap();
    home.refuses("is a folder");

    let home = Home::new();
    let pipe = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, home.settings(), pipe, 0o600.into(), 0).unwrap();
    home.refuses("is no plain file");

    let home = Home::new();
    symlink("/dev/null", home.settings()).unwrap();
    home.refuses("is no plain file");

    let home = Home::new();
    fs::remove_dir(home.path("home/.claude")).unwrap();
    fs::write(home.path("home/.claude"), "").unwrap();
    home.refuses("cannot be ");
}

#[test]
fn a_file_with_a_second_name_is_refused() {
    let home = Home::with(TEXT);
    fs::hard_link(home.settings(), home.path("other.json")).unwrap();
    home.refuses("has another name as well");
    fs::remove_file(home.path("other.json")).unwrap();
    home.change().unwrap();
}

#[test]
fn links_that_lead_nowhere_are_refused() {
    let home = Home::new();
    symlink("../../gone/settings.json", home.settings()).unwrap();
    home.refuses("is a link to ../../gone/settings.json, which is not there");

    let home = Home::new();
    symlink("settings.json", home.settings()).unwrap();
    home.refuses("cannot be read: ");

    // The folder is the link.
    let home = Home::new();
    fs::remove_dir(home.path("home/.claude")).unwrap();
    symlink("../gone", home.path("home/.claude")).unwrap();
    home.refuses("cannot be made in ");
}

#[test]
fn a_folder_behind_a_link_is_edited_where_it_is() {
    let home = Home::new();
    fs::remove_dir(home.path("home/.claude")).unwrap();
    fs::create_dir(home.path("dot")).unwrap();
    fs::write(home.path("dot/settings.json"), TEXT).unwrap();
    symlink("../dot", home.path("home/.claude")).unwrap();
    home.write(&home.change().unwrap()).unwrap();
    assert!(home.path("home/.claude").is_symlink());
    assert!(home.text().contains("/ours/stop"));
}

#[test]
fn a_file_beyond_the_limit_is_refused_and_one_below_is_edited() {
    let home = Home::new();
    let filled = |size: usize| {
        let rest = "{\"hooks\": {}, \"x\": \"\"}".len();
        let fill = "x".repeat(size - rest);
        fs::write(
            home.settings(),
            format!("{{\"hooks\": {{}}, \"x\": \"{fill}\"}}"),
        )
        .unwrap();
    };
    let limit = usize::try_from(LIMIT).unwrap();
    filled(limit + 1);
    home.refuses("has over 4 MiB");
    filled(limit - 1000);
    let change = home.change().unwrap();
    home.write(&change).unwrap();
    assert!(change.diff().len() < 2000, "{} bytes", change.diff().len());
}

#[test]
fn what_was_changed_meanwhile_is_not_overwritten() {
    let home = Home::with(TEXT);
    let change = home.change().unwrap();
    fs::write(home.settings(), "{\"theme\": \"light\"}\n").unwrap();
    let before = listing(&home.path("home"));
    let refused = home.write(&change).unwrap_err();
    assert!(refused.what.starts_with("was changed by somebody else"));
    assert_eq!(listing(&home.path("home")), before);
    // Once more, with what is there now.
    home.write(&home.change().unwrap()).unwrap();
    assert!(home.text().contains("light"));

    // A file that appeared, and one that went.
    let home = Home::new();
    let change = home.change().unwrap();
    fs::write(home.settings(), TEXT).unwrap();
    home.write(&change).unwrap_err();
    assert_eq!(home.text(), TEXT);
    let change = home.change().unwrap();
    fs::remove_file(home.settings()).unwrap();
    home.write(&change).unwrap_err();
    assert!(!home.settings().exists());
}

#[test]
fn drafts_of_writers_that_were_ended_are_cleared_away() {
    let home = Home::with(TEXT);
    let write = |name: &str| fs::write(home.path("home/.claude").join(name), "{").unwrap();
    write(".settings.json.hookkit-aB3dE6gH.tmp");
    // These are not ours.
    write(".settings.json.hookkit-notes");
    write(".settings.json.hookkit-aB3dE6gH1.tmp");
    write("settings.json.bak");
    home.write(&home.change().unwrap()).unwrap();
    assert_eq!(
        names(&home),
        [
            ".settings.json.hookkit-aB3dE6gH1.tmp",
            ".settings.json.hookkit-notes",
            "settings.json",
            "settings.json.bak"
        ]
    );
}

#[test]
fn whole_files_are_made_replaced_and_deleted() {
    let home = Home::new();
    let file = home.path("home/.copilot/run.sh");
    let whole = |text: &str, mode| {
        Change::create_or_replace(&file, text.as_bytes().to_vec(), mode).unwrap()
    };
    home.write(&whole("one\n", 0o700)).unwrap();
    assert_eq!(
        (mode(&file), &*fs::read(&file).unwrap()),
        (0o700, &b"one\n"[..])
    );
    assert!(whole("one\n", 0o700).is_empty());
    assert!(!whole("one\n", 0o600).is_empty());
    home.write(&whole("two\n", 0o600)).unwrap();
    assert_eq!(
        (mode(&file), &*fs::read(&file).unwrap()),
        (0o600, &b"two\n"[..])
    );
    let undo = whole("three\n", 0o600).undo();
    home.write(&whole("three\n", 0o600)).unwrap();
    home.write(&undo.change(|_| Ok(())).unwrap()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"two\n");
    home.write(&Change::delete(&file).unwrap()).unwrap();
    assert!(!file.exists());
    assert!(Change::delete(&file).unwrap().is_empty());
}
