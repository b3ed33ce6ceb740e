//! What git knows of a repository, read from its files: git itself is not started, for a repository's
//! own settings could make it start others.

mod objects;

use fs_err as fs;
use objects::Objects;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The files that git tracks, with their modes (gitformat-index(5), versions 2 to 4).
#[derive(Debug)]
pub(crate) struct Index {
    modes: HashMap<String, u32>,
}

impl Index {
    pub(crate) fn read(root: &Path) -> Option<Self> {
        let bytes = fs::read(folder(root)?.join("index")).ok()?;
        Some(Self {
            modes: entries(&bytes)?,
        })
    }

    /// The mode of a file; none where it is not tracked.
    pub(crate) fn mode(&self, path: &str) -> Option<u32> {
        self.modes.get(path).copied()
    }
}

/// Where an entry has its mode and its flags, and the bit of the flags that says that more follow.
const MODE: usize = 24;
const FLAGS: usize = 60;
const EXTENDED: u8 = 0x40;

fn entries(bytes: &[u8]) -> Option<HashMap<String, u32>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if !bytes.starts_with(b"DIRC") {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut modes = HashMap::new();
    let mut at = 12;
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let mode = number(at + MODE)?;
        let is_extended = version > 2 && bytes.get(at + FLAGS)? & EXTENDED != 0;
        let mut begin = at + FLAGS + if is_extended { 4 } else { 2 };
        if version == 4 {
            let (cut, length) = offset(bytes.get(begin..)?)?;
            begin += length;
            name.truncate(name.len().checked_sub(cut)?);
        } else {
            name.clear();
        }
        let length = bytes.get(begin..)?.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&bytes[begin..begin + length]);
        let end = begin + length + 1;
        // Before version 4 an entry is padded to a multiple of eight bytes.
        at = if version == 4 {
            end
        } else {
            at + (begin + length - at + 8) / 8 * 8
        };
        modes.insert(String::from_utf8_lossy(&name).into_owned(), mode);
    }
    Some(modes)
}

/// A number of variable length, and how many bytes it takes.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        let low = usize::from(byte & 0x7f);
        value = if index == 0 {
            low
        } else {
            ((value + 1) << 7) | low
        };
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
    }
    None
}

/// The folder of a repository's own files; in a work tree beside another one a file names it.
fn folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    let named = text.strip_prefix("gitdir:")?.trim();
    Some(root.join(named))
}

/// What the default branch of `origin` was when it was last fetched.
#[derive(Debug)]
pub(crate) struct DefaultBranch {
    /// Such as `main`.
    pub(crate) branch: String,
    /// The files that were asked for, by their paths from the root.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl DefaultBranch {
    /// The files below some places, each a file or a folder. None where git does not know of such a
    /// branch, or its store cannot be read.
    pub(crate) fn read(root: &Path, places: &[&str]) -> Option<Self> {
        let own = folder(root)?;
        let shared = fs::read_to_string(own.join("commondir"))
            .map_or_else(|_| own.clone(), |text| own.join(text.trim()));
        let head = fs::read_to_string(shared.join("refs/remotes/origin/HEAD")).ok()?;
        let name = head.trim().strip_prefix("ref: ")?;
        let branch = name.strip_prefix("refs/remotes/origin/")?.to_owned();
        let commit = fs::read_to_string(shared.join(name)).ok().or_else(|| {
            let packed = fs::read_to_string(shared.join("packed-refs")).ok()?;
            let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
            let (commit, _) = lines.find(|(_, known)| *known == name)?;
            Some(commit.to_owned())
        })?;
        let files = Objects::of(&shared).files(&commit, places)?;
        Some(Self { branch, files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn git(folder: &Path, words: &[&str]) -> bool {
        Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
            .args(words)
            .output()
            .is_ok_and(|ran| ran.status.success())
    }

    #[test]
    fn every_version_of_an_index_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        if !git(folder.path(), &["init", "-q"]) {
            return;
        }
        for name in ["a", "hooks/abcdef.sh", "hooks/abcdeg.sh", "z"] {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            fs::write(file, "x").expect("written");
        }
        assert!(git(folder.path(), &["add", "."]));
        assert!(git(
            folder.path(),
            &["update-index", "--chmod=+x", "hooks/abcdeg.sh"]
        ));
        for version in ["2", "3", "4"] {
            assert!(git(
                folder.path(),
                &["update-index", "--index-version", version]
            ));
            let index = Index::read(folder.path()).expect("an index");
            assert_eq!(index.modes.len(), 4, "version {version}");
            assert_eq!(index.mode("hooks/abcdef.sh"), Some(0o100_644));
            assert_eq!(index.mode("hooks/abcdeg.sh"), Some(0o100_755));
            assert_eq!(index.mode("gone"), None);
        }
    }

    #[test]
    fn what_is_no_index_is_none() {
        for bytes in [
            &b""[..],
            b"DIRC",
            b"DIRC\0\0\0\x02\0\0\0\x05",
            b"PACK\0\0\0\x02\0\0\0\0",
        ] {
            assert!(entries(bytes).is_none());
        }
    }

    /// Loose objects, a pack with deltas, packed refs, and a work tree beside another one.
    #[test]
    fn the_default_branch_is_read_however_it_is_stored() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("main");
        fs::create_dir(&root).expect("made");
        if !git(&root, &["init", "-q", "-b", "main"]) {
            return;
        }
        let lines = |count: usize| "a line of a file that git keeps as a delta\n".repeat(count);
        for (index, count) in [400, 401, 402, 403].into_iter().enumerate() {
            for name in [
                "hooks/a.json",
                "hooks/deep/er/b.json",
                "hooks.json",
                "z/c.json",
            ] {
                let file = root.join(name);
                fs::create_dir_all(file.parent().expect("a folder")).expect("made");
                fs::write(file, lines(count)).expect("written");
            }
            assert!(git(&root, &["add", "."]));
            assert!(git(&root, &["commit", "-q", "-m", &index.to_string()]));
        }
        let origin = "refs/remotes/origin/main";
        assert!(git(&root, &["update-ref", origin, "HEAD"]));
        assert!(git(
            &root,
            &["symbolic-ref", "refs/remotes/origin/HEAD", origin]
        ));
        let read = |root: &Path| {
            let default = DefaultBranch::read(root, &["hooks", "z/c.json"]).expect("a branch");
            assert_eq!(default.branch, "main");
            let of =
                |(path, bytes): (String, Vec<u8>)| (path, String::from_utf8(bytes).expect("text"));
            default.files.into_iter().map(of).collect::<Vec<_>>()
        };
        let whole = |path: &str| (path.to_owned(), lines(403));
        let expected = vec![
            whole("hooks/a.json"),
            whole("hooks/deep/er/b.json"),
            whole("z/c.json"),
        ];
        assert_eq!(read(&root), expected, "loose");
        let beside = folder.path().join("beside");
        let path = beside.display().to_string();
        assert!(git(&root, &["worktree", "add", "-q", "-b", "other", &path]));
        assert_eq!(read(&beside), expected, "beside another one");
        // All versions are kept, as deltas of each other.
        assert!(git(&root, &["gc", "-q", "--aggressive", "--prune=now"]));
        assert!(
            !root.join(".git").join(origin).exists(),
            "its name is packed"
        );
        assert_eq!(read(&root), expected, "packed");
        for commit in ["HEAD", "HEAD~1", "HEAD~2", "HEAD~3"] {
            assert!(git(&root, &["update-ref", origin, commit]));
            assert_eq!(read(&root).len(), 3, "{commit}");
        }
        assert_eq!(read(&root)[0].1, lines(400), "through deltas");
        assert!(git(&root, &["update-ref", "-d", origin]));
        assert!(DefaultBranch::read(&root, &["hooks"]).is_none());
    }
}
