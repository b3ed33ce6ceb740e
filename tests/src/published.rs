//! What is published for a version of hookkit, as `cargo xtask release` makes it.
//!
//! The programs are those that the tests run with, for Windows those that are shipped. Another
//! version is the same program with another number in it: building it twice would show nothing more.
//! Dispatchers of other machines are only their first bytes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit::digest::sha256;

use crate::folder::Folder;
use crate::process::Program;
use crate::{foreign, program};

/// The version of the programs that the tests run with.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A folder with all files of a release: the archive for one machine, the install scripts, the list
/// and its signature by the first test key.
pub struct Published {
    machine: Machine,
    folder: PathBuf,
    /// Where it is a copy.
    _own: Option<Folder>,
}

/// For whom the archive is.
#[derive(Clone, Copy)]
enum Machine {
    Linux,
    Windows,
}

impl Machine {
    /// As `cargo xtask` calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Linux => "linux-x86_64",
            Self::Windows => "windows",
        }
    }

    fn archive(self, version: &str) -> String {
        match self {
            Self::Linux => format!("hookkit-{version}-x86_64-unknown-linux-musl.tar.gz"),
            Self::Windows => format!("hookkit-{version}-x86_64-pc-windows-gnu.zip"),
        }
    }
}

impl Published {
    /// The release of a version, which has as many bytes as [`VERSION`]. It is made once for each
    /// build of the programs, and kept.
    pub fn of(version: &str) -> Self {
        let programs = [program::hookkit(), program::dispatcher()];
        Self::kept(Machine::Linux, &programs, version)
    }

    /// The same for Windows, of the programs that are shipped; `None` without them.
    pub fn for_windows(version: &str) -> Option<Self> {
        let programs = [
            foreign::hookkit("windows/hookkit.exe")?,
            foreign::dispatcher("hookkit-dispatch.exe")?,
        ];
        Some(Self::kept(Machine::Windows, &programs, version))
    }

    fn kept(machine: Machine, programs: &[PathBuf; 2], version: &str) -> Self {
        let repository = program::repository();
        let [hookkit, dispatcher] = programs.clone();
        let made_of = [
            hookkit,
            dispatcher,
            program::built("xtask"),
            repository.join("README.md"),
            repository.join("CHANGELOG.md"),
            repository.join("installer/scripts/install.sh"),
            repository.join("installer/scripts/install.ps1"),
        ];
        let sums: String = made_of
            .iter()
            .map(|file| sha256(&fs::read(file).unwrap()))
            .collect();
        let kept = program::target_folder().join("published");
        let folder = kept.join(format!("{}-{version}", &sha256(sums.as_bytes())[..16]));
        if !folder.is_dir() {
            fs::create_dir_all(&kept).unwrap();
            let made = Folder::new("published");
            make(&made, machine, programs, version);
            let draft = kept.join(format!("{version}-{}", std::process::id()));
            copy(&made.join("files"), &draft);
            // Another test may have been faster.
            if fs::rename(&draft, &folder).is_err() {
                fs::remove_dir_all(&draft).unwrap();
            }
        }
        Self {
            machine,
            folder,
            _own: None,
        }
    }

    /// A copy, to damage it.
    #[must_use]
    pub fn copy(&self) -> Self {
        let own = Folder::new("release");
        let folder = own.join("files");
        copy(&self.folder, &folder);
        Self {
            machine: self.machine,
            folder,
            _own: Some(own),
        }
    }

    /// The folder with its files.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// One of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Its archive.
    pub fn archive(&self, version: &str) -> PathBuf {
        self.file(&self.machine.archive(version))
    }

    /// The list again, after a file was changed; its signature is gone then.
    pub fn list(&self) {
        xtask(["list"], &[&self.folder]);
    }

    /// Signs the list with a test key, `first` or `second`.
    pub fn sign(&self, key: &str) {
        let key = program::repository()
            .join("tests/data/keys")
            .join(key)
            .with_extension("key");
        xtask(["sign", "--key"], &[&key, &self.folder]);
    }
}

/// `dist` as `cargo xtask dist` makes it, `files` as it is published.
fn make(folder: &Path, machine: Machine, [hookkit, dispatcher]: &[PathBuf; 2], version: &str) {
    let dist = folder.join("dist");
    let elf = |machine: u8| {
        let mut bytes = b"\x7fELF\x02\x01              ".to_vec();
        bytes[18] = machine;
        bytes[19] = 0;
        bytes
    };
    let own = |program: &Path| {
        let bytes = match machine {
            Machine::Linux => stripped(program, folder),
            Machine::Windows => fs::read(program).unwrap(),
        };
        of_version(&bytes, version)
    };
    let (for_linux, for_windows, place) = match machine {
        Machine::Linux => (own(dispatcher), b"MZ".to_vec(), "linux-x86_64/hookkit"),
        Machine::Windows => (elf(62), own(dispatcher), "windows/hookkit.exe"),
    };
    let programs = [
        ("dispatch/linux-x86_64/hookkit-dispatch", for_linux),
        ("dispatch/linux-aarch64/hookkit-dispatch", elf(183)),
        (
            "dispatch/macos/hookkit-dispatch",
            b"\xca\xfe\xba\xbe".to_vec(),
        ),
        ("dispatch/hookkit-dispatch.exe", for_windows),
        (&*format!("hookkit/{place}"), own(hookkit)),
    ];
    let mut list = format!("hookkit {version} 0123456789ab\n");
    for (place, bytes) in programs {
        let file = dist.join(place);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        writeln!(list, "{}  {place}", sha256(&bytes)).unwrap();
        fs::write(file, bytes).unwrap();
    }
    fs::write(dist.join("SHA256SUMS"), list).unwrap();
    let files = folder.join("files");
    xtask(
        ["pack", machine.name(), "--from"],
        &[&dist, Path::new("--out"), &files],
    );
    let made = Published {
        machine,
        folder: files,
        _own: None,
    };
    made.sign("first");
}

/// Without what debuggers want, which is most of a program that tests are run with.
fn stripped(program: &Path, folder: &Path) -> Vec<u8> {
    let out = folder.join("stripped");
    let ran = Program::new("strip").arg("-o").arg(&out).arg(program).run();
    assert!(ran.exited(0));
    fs::read(out).unwrap()
}

/// A program that says that it is of another version.
pub fn of_version(program: &[u8], version: &str) -> Vec<u8> {
    assert_eq!(version.len(), VERSION.len());
    let mut bytes = program.to_vec();
    let (old, new) = (VERSION.as_bytes(), version.as_bytes());
    for at in 0..bytes.len().saturating_sub(old.len()) {
        if bytes[at..].starts_with(old) {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }
    bytes
}

fn xtask<const N: usize>(words: [&str; N], paths: &[&Path]) {
    let ran = Program::new(program::built("xtask"))
        .arg("release")
        .args(words)
        .args(paths)
        .run();
    assert!(ran.exited(0));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
