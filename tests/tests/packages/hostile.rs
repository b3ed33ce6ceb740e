//! Archives that were made to do harm. Each is refused, and the entry is named.

use fs_err as fs;
use hookkit_tests::folder::Folder;

use crate::zip::{Entry, archive, with_end};
use crate::{file, opened};

/// Refuses an archive of one good and one bad entry, by a message with these words.
fn refuses(bad: Entry, words: &str) {
    refuses_all(&[Entry::file("hookkit.json", "{}"), bad], words);
}

fn refuses_all(entries: &[Entry], words: &str) {
    refuses_bytes(&archive(entries), words);
}

fn refuses_bytes(bytes: &[u8], words: &str) {
    let folder = Folder::new("hostile");
    let ran = opened(&file(&folder, "a.zip", bytes));
    assert!(ran.exited(1), "{words}");
    assert!(ran.err().contains(words), "{words}");
    assert_eq!(ran.out(), "");
    assert_eq!(fs::read_dir(&*folder).unwrap().count(), 1);
}

#[test]
fn an_ordinary_archive_is_accepted() {
    let mut folder_entry = Entry::file("hooks/", "");
    folder_entry.mode = 0o040_755;
    let mut unmarked = Entry::file("b", "x");
    unmarked.mode = 0;
    let mut times = Entry::file("c", "x");
    times.extra = vec![0x55, 0x54, 1, 0, 0];
    let entries = [
        Entry::file("hookkit.json", "{}"),
        folder_entry,
        Entry::file("hooks/n\u{e9} a.sh", "x"),
        unmarked,
        times,
        Entry::zeros("zeros", 100),
    ];
    let folder = Folder::new("ordinary");
    let ran = opened(&file(&folder, "a.zip", &archive(&entries)));
    assert!(ran.exited(0));
    assert!(ran.out().contains("25801  zeros"));
}

#[test]
fn paths_that_lead_somewhere_else() {
    for (name, words) in [
        ("../evil", "`../evil` leads out of the folder"),
        ("hooks/../../evil", "leads out of the folder"),
        (
            "/etc/cron.d/evil",
            "`/etc/cron.d/evil` has an absolute path",
        ),
        ("C:/evil", "has an absolute path"),
        ("C:evil", "has an absolute path"),
        ("..\\evil", "has a backslash"),
        ("\\\\server\\share\\evil", "has a backslash"),
        ("hooks//evil", "has an empty part"),
        ("./evil", "has an empty part"),
        ("", "has an empty part"),
    ] {
        refuses(Entry::file(name, "x"), words);
    }
}

#[test]
fn names_that_are_other_files_on_other_systems() {
    for (name, words) in [
        ("hooks/NUL", "`hooks/NUL` has the name of a device"),
        ("con.sh", "has the name of a device"),
        ("COM1", "has the name of a device"),
        ("lpt9.txt/x", "has the name of a device"),
        ("hooks/a.sh.", "ends with a dot or a blank"),
        ("hooks /a.sh", "ends with a dot or a blank"),
        ("hooks/a.sh:stream", "cannot have: :"),
        ("hooks/a?", "cannot have: ?"),
        ("a\nb", "`a\\nb` has a character"),
        ("\u{1b}[2Ja", "has a character"),
    ] {
        refuses(Entry::file(name, "x"), words);
    }
    refuses(Entry::file(&"n".repeat(256), "x"), "more than 255 bytes");
    refuses(Entry::file(&"d/".repeat(129), ""), "more than 255 bytes");
    let mut latin = Entry::file("x", "x");
    latin.name = b"n\xe9".to_vec();
    refuses(latin.clone(), "not UTF-8");
    latin.name = "n\u{e9}".into();
    refuses(latin, "not UTF-8, or not marked as that");
}

#[test]
fn entries_in_one_anothers_way() {
    let pair = |first: &str, second: &str| [Entry::file(first, "1"), Entry::file(second, "2")];
    refuses_all(&pair("a", "a"), "`a` is there twice");
    refuses_all(
        &pair("hooks/a", "hooks/A"),
        "`hooks/A` differs from `hooks/a`",
    );
    refuses_all(&pair("hooks/a", "Hooks/b"), "differs from `hooks`");
    refuses_all(&pair("\u{e9}", "\u{c9}"), "differs from `\u{e9}`");
    refuses_all(&pair("a", "a/b"), "is a file, and a folder");
    refuses_all(&pair("a/b", "a"), "is a file, and a folder");
}

#[test]
fn what_is_no_ordinary_file() {
    for (mode, words) in [
        (0o120_777, "is a link"),
        (0o104_755, "has bits beside read, write and execute"),
        (0o102_755, "has bits beside"),
        (0o101_777, "has bits beside"),
        (0o020_666, "is neither a file nor a folder"),
        (0o060_666, "is neither"),
        (0o010_666, "is neither"),
        (0o140_666, "is neither"),
        (0o040_755, "is neither"),
    ] {
        let mut entry = Entry::file("hooks/evil", "/etc/passwd");
        entry.mode = mode;
        refuses(entry, &format!("`hooks/evil` {words}"));
    }
}

#[test]
fn what_cannot_be_read_by_everybody_alike() {
    for flag in [1, 1 << 6, 1 << 13] {
        let mut entry = Entry::file("a", "x");
        entry.flags = flag;
        refuses(entry, "`a` is encrypted");
    }
    for method in [1, 9, 12, 14, 93, 99] {
        let mut entry = Entry::file("a", "x");
        entry.method = method;
        refuses(entry, "`a` is packed in a way");
    }
    let mut streamed = Entry::file("a", "x");
    streamed.flags = 1 << 3;
    refuses(streamed, "two programs may read differently");
    let mut renamed = Entry::file("a", "x");
    renamed.extra = vec![0x75, 0x70, 1, 0, 1];
    refuses(renamed, "`a` has features");
    let mut torn = Entry::file("a", "x");
    torn.extra = vec![0x55, 0x54, 9, 0, 1];
    refuses(torn, "`a` has features");
    let mut two_names = Entry::file("good", "x");
    two_names.local_name = Some("evil".into());
    refuses(two_names, "`good` has features");
}

#[test]
fn bombs() {
    refuses(Entry::zeros("zeros", 5_000), "more than 100 times its size");
    let mut liar = Entry::zeros("zeros", 1_000);
    liar.size = 10;
    refuses(liar, "`zeros` is damaged");
    let mut huge = Entry::file("a", "x");
    huge.size = 300 << 20;
    refuses(huge, "expands to more than 256 MiB");
    let entries: Vec<Entry> = (0..10_001)
        .map(|number| Entry::file(&format!("a{number}"), ""))
        .collect();
    refuses_all(&entries, "more than 10000 entries");
}

#[test]
fn content_that_is_not_what_is_said() {
    let mut changed = Entry::file("a", "content");
    changed.sum ^= 1;
    refuses(changed, "`a` is damaged");
    let mut torn = Entry::zeros("a", 10);
    torn.packed.truncate(10);
    refuses(torn, "`a` is damaged");
    let mut full = Entry::file("a/", "x");
    full.mode = 0o040_755;
    refuses(full, "is a folder with content");
}

#[test]
fn archives_inside_of_something_else() {
    let good = [Entry::file("a", "x")];
    let bytes = archive(&good);
    refuses_bytes(b"", "is no zip archive");
    refuses_bytes(b"#!/bin/sh\n", "is no zip archive");
    refuses_bytes(
        &[b"#!/bin/sh\n", &*bytes].concat(),
        "two programs may read differently",
    );
    refuses_bytes(&[&*bytes, b"x"].concat(), "something follows after its end");
    refuses_bytes(
        &[&*bytes, &*bytes].concat(),
        "two programs may read differently",
    );
    refuses_bytes(&bytes[..bytes.len() - 1], "is no zip archive");
    let field = |at: usize, value: u8| with_end(&good, move |end| end[at] = value);
    refuses_bytes(&field(4, 1), "two programs may read differently"); // other disks
    refuses_bytes(&field(8, 2), "two programs may read differently"); // fewer entries here
    refuses_bytes(&field(20, 1), "two programs may read differently"); // a comment
    let two = with_end(&good, |end| (end[8], end[10]) = (2, 2));
    refuses_bytes(&two, "a directory that is cut off");
    let none = with_end(&good, |end| (end[8], end[10]) = (0, 0));
    refuses_bytes(&none, "bytes that belong to no entry");
}

/// Every single byte of an archive, changed: accepted only where it says nothing (times), never a crash.
#[test]
fn one_changed_byte_is_noticed() {
    let folder = Folder::new("changed");
    let bytes = archive(&[Entry::file("a", "content"), Entry::zeros("b", 3)]);
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x24;
        let ran = opened(&file(&folder, "a.zip", &changed));
        assert!(ran.exited(1) || ran.exited(0), "byte {at}");
    }
}
