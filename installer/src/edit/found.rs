//! A file as it is before anything happens to it, and whether anything may.

use super::refused::Refused;
use super::syntax::line_of;
use hookkit_dispatch::folder;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The size of the biggest file that is read, in bytes. No host's settings come near it; a file that
/// is bigger is something else.
pub const LIMIT: u64 = 4 * 1024 * 1024;

/// The byte order mark that some editors put in front of a text.
pub(super) const MARK: &str = "\u{feff}";

/// A file as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// As it was named.
    pub(super) file: PathBuf,
    /// What is read and written: the file, or where the link leads.
    pub(super) target: PathBuf,
    /// `None` where there is no file.
    pub(super) bytes: Option<Vec<u8>>,
    /// Mode and group, where there are such things and a file.
    pub(super) rights: Option<Rights>,
    /// The folders that are missing for it, the outermost first.
    pub(super) folders: Vec<PathBuf>,
}

/// Who may do what with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rights {
    pub(super) mode: u32,
    pub(super) group: u32,
}

impl Found {
    /// A file in no folder.
    pub(super) fn given(file: &Path, bytes: &[u8]) -> Self {
        Self {
            bytes: Some(bytes.to_owned()),
            ..Self::missing(file)
        }
    }

    fn missing(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            target: file.to_owned(),
            bytes: None,
            rights: None,
            folders: Vec::new(),
        }
    }

    /// Looks at a file that shall be edited. Refused is what could not be written either, so that a
    /// plan that is shown can be carried out.
    pub(super) fn look(file: &Path) -> Result<Self, Refused> {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let mut found = Self::missing(&file);
        match fs::symlink_metadata(&file) {
            Ok(metadata) if metadata.is_symlink() => found.target = found.behind_link()?,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                found.folders = found.missing_folders()?;
                return Ok(found);
            }
            Err(error) => return Err(found.unreadable(&error)),
        }
        let metadata = fs::metadata(&found.target).map_err(|error| found.unreadable(&error))?;
        found.check(&metadata)?;
        if let Some(folder) = found.target.parent() {
            found.check_folder(folder)?;
        }
        found.rights = rights(&metadata);
        found.bytes = Some(found.read()?);
        Ok(found)
    }

    /// The text of the file, which is empty where there is none.
    pub(super) fn text(&self) -> Result<&str, Refused> {
        let bytes = self.bytes.as_deref().unwrap_or_default();
        std::str::from_utf8(bytes).map_err(|error| {
            self.refuse("is not UTF-8", "save it as UTF-8")
                .at_line(line_of(bytes, error.valid_up_to()))
        })
    }

    pub(super) fn refuse(&self, what: impl Into<String>, todo: impl Into<String>) -> Refused {
        Refused::new(&self.file, what, todo)
    }

    fn behind_link(&self) -> Result<PathBuf, Refused> {
        let dangling = || {
            let leads = fs::read_link(&self.file).unwrap_or_default();
            self.refuse(
                format!("is a link to {}, which is not there", leads.display()),
                "make that file, or remove the link",
            )
        };
        match fs::metadata(&self.file) {
            Ok(_) => folder::resolved(&self.file).ok_or_else(dangling),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(dangling()),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    /// The folders that have to be made, where the one that holds them may be written.
    fn missing_folders(&self) -> Result<Vec<PathBuf>, Refused> {
        let mut missing = Vec::new();
        for folder in self.target.ancestors().skip(1) {
            match fs::metadata(folder) {
                Ok(metadata) if metadata.is_dir() => {
                    self.check_folder(folder)?;
                    break;
                }
                Ok(_) => {
                    return Err(self.refuse(
                        format!("cannot be made: {} is no folder", folder.display()),
                        "move that file away",
                    ));
                }
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound
                        && fs::symlink_metadata(folder).is_err() =>
                {
                    missing.push(folder.to_owned());
                }
                Err(error) => {
                    return Err(self.refuse(
                        format!("cannot be made in {}: {error}", folder.display()),
                        "make that a folder that you can write",
                    ));
                }
            }
        }
        missing.reverse();
        Ok(missing)
    }

    fn check(&self, metadata: &Metadata) -> Result<(), Refused> {
        if metadata.is_dir() {
            return Err(self.refuse("is a folder", "move it away"));
        }
        if !metadata.is_file() {
            return Err(self.refuse("is no plain file", "put a plain file there"));
        }
        if metadata.len() > LIMIT {
            return Err(self.too_big());
        }
        self.check_rights(metadata)
    }

    #[cfg(unix)]
    fn check_rights(&self, metadata: &Metadata) -> Result<(), Refused> {
        use std::os::unix::fs::MetadataExt as _;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(self.refuse(
                "belongs to somebody else",
                "let its owner make the change, or give the file to yourself",
            ));
        }
        // Root could write it all the same. A mode of 0444 is how Nix, stow and administrators say
        // that a file is made by something else.
        if metadata.mode() & 0o200 == 0 {
            return Err(self.read_only());
        }
        if metadata.nlink() > 1 {
            return Err(self.refuse(
                "has another name as well (a hard link), which would keep the old text",
                "replace one of the two by a symbolic link",
            ));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn check_rights(&self, metadata: &Metadata) -> Result<(), Refused> {
        if metadata.permissions().readonly() {
            return Err(self.read_only());
        }
        Ok(())
    }

    #[cfg(unix)]
    fn check_folder(&self, folder: &Path) -> Result<(), Refused> {
        use rustix::fs::{Access, access};
        use std::os::unix::fs::MetadataExt as _;
        let writable = access(folder, Access::WRITE_OK | Access::EXEC_OK)
            .map_err(io::Error::from)
            .and_then(|()| fs::metadata(folder));
        match writable {
            Ok(metadata) if metadata.mode() & 0o222 != 0 => Ok(()),
            Ok(_) => Err(self.read_only_folder(folder, "it is read-only")),
            Err(error) => Err(self.read_only_folder(folder, &error.to_string())),
        }
    }

    /// Whether a folder may be written is known on Windows by writing to it.
    #[cfg(not(unix))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as where it can be known"
    )]
    fn check_folder(&self, _: &Path) -> Result<(), Refused> {
        Ok(())
    }

    fn read_only(&self) -> Refused {
        self.refuse(
            "is read-only, as files are that another program makes",
            "change it where it is made, or make it writable",
        )
    }

    #[cfg(unix)]
    fn read_only_folder(&self, folder: &Path, why: &str) -> Refused {
        self.refuse(
            format!("cannot be written in {}: {why}", folder.display()),
            "change it where it is made, or make that folder writable",
        )
    }

    fn read(&self) -> Result<Vec<u8>, Refused> {
        let mut bytes = Vec::new();
        File::open(&self.target)
            .and_then(|file| file.take(LIMIT + 1).read_to_end(&mut bytes))
            .map_err(|error| self.unreadable(&error))?;
        if bytes.len() as u64 > LIMIT {
            return Err(self.too_big());
        }
        Ok(bytes)
    }

    fn too_big(&self) -> Refused {
        self.refuse(
            format!("has over {} MiB, and settings do not", LIMIT >> 20),
            "see whether it is the file that it should be",
        )
    }

    fn unreadable(&self, error: &io::Error) -> Refused {
        self.refuse(
            format!("cannot be read: {error}"),
            "make it a file that you can read and write",
        )
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there are none")]
fn rights(metadata: &Metadata) -> Option<Rights> {
    use std::os::unix::fs::MetadataExt as _;
    Some(Rights {
        mode: metadata.mode() & 0o7777,
        group: metadata.gid(),
    })
}

#[cfg(not(unix))]
fn rights(_: &Metadata) -> Option<Rights> {
    None
}
