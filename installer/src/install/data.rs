//! The data folder: where it is, what may be one, and the names of what lies in it.
//!
//! ```text
//! bin/hookkit-dispatch     the one dispatcher
//! receipts/NAME            what was installed, and what gives each file back
//! store/NAME/VERSION/      the plugin's files
//! market/NAME/             the thin folder that hosts load
//! log.jsonl                what hooks did, where a receipt wants it; log.jsonl.1 is the part before
//! edit.lock                held while anything here or a file of a host changes
//! made.json                the folders that were made for the data folder
//! ```

use crate::digest::sha256;
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder;
use hookkit_launchers::install::Place;
use hookkit_launchers::shell;
use std::path::{Path, PathBuf};

/// Names the data folder; read by `hookkit` alone, never by the dispatcher.
const VARIABLE: &str = "HOOKKIT_HOME";

/// What begins the names of drafts and of what is about to be removed.
pub(crate) const DRAFT: &str = ".hookkit-draft-";

/// A data folder, which may not be there yet.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    folder: PathBuf,
    text: String,
    /// Another spelling of it, for lines that a shell reads.
    short: Option<String>,
}

impl Data {
    /// The data folder of this user.
    pub(crate) fn of(env: &Env) -> Result<Self, Stop> {
        let named = env.get(VARIABLE).map(PathBuf::from);
        if let Some(relative) = named.as_ref().filter(|named| !named.is_absolute()) {
            return Err(Stop::unusable(format!(
                "{VARIABLE} is `{}`, which is no absolute path",
                relative.display()
            )));
        }
        let folder = match named {
            Some(named) => named,
            None => usual(env).ok_or_else(|| {
                Stop::unusable(format!(
                    "there is no home folder to install into; set HOME or {VARIABLE}"
                ))
            })?,
        };
        let folder = real(&folder::plain(&folder));
        let text = folder.to_str().map(str::to_owned).ok_or_else(|| {
            Stop::refused(format!(
                "the data folder {} is no text in UTF-8, so no agent can be told of it; set \
                 {VARIABLE} to another folder",
                folder.display()
            ))
        })?;
        let short = (cfg!(windows) && !shell::is_plain(&text))
            .then(|| system::short(&folder))
            .flatten()
            .filter(|short| shell::is_plain(short));
        Ok(Self {
            folder,
            text,
            short,
        })
    }

    /// Refuses what cannot be a data folder, before anything is written.
    pub(crate) fn check(&self) -> Result<(), Stop> {
        let refuse = |why: &str| {
            Err(Stop::refused(format!(
                "{} cannot be the data folder: {why}. Set {VARIABLE} to another folder",
                self.text
            )))
        };
        // Copilot replaces `${...}` in what it starts; line ends and the like survive in no file.
        if self.text.contains("${") || self.text.chars().any(char::is_control) {
            return refuse("its name has characters that agents change");
        }
        // Of these no line is safe in every shell, however it is quoted.
        if cfg!(windows) && self.text.contains(|c: char| "%!`\"$".contains(c)) {
            return refuse("its name has characters that shells change");
        }
        let there = self
            .folder
            .ancestors()
            .find(|above| above.exists())
            .unwrap_or(&self.folder);
        if let Some(root) = folder::git_root(there) {
            return refuse(&format!(
                "it lies in the git work tree {}, which other people may write",
                root.display()
            ));
        }
        if !there.is_dir() {
            return refuse(&format!("{} is no folder", there.display()));
        }
        system::fault(there, there == self.folder).map_or(Ok(()), |why| refuse(&why))
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where this plugin lies, as hosts are told.
    pub(crate) fn place(&self, plugin: &str) -> Place {
        Place::new(&self.text, &digits(&self.text), plugin).spelled(self.short.clone())
    }

    pub(crate) fn receipts(&self) -> PathBuf {
        self.folder.join("receipts")
    }

    pub(crate) fn receipt(&self, plugin: &str) -> PathBuf {
        self.receipts().join(plugin)
    }

    /// All versions of a plugin.
    pub(crate) fn versions(&self, plugin: &str) -> PathBuf {
        self.folder.join("store").join(plugin)
    }

    pub(crate) fn thin(&self, plugin: &str) -> PathBuf {
        self.folder.join("market").join(plugin)
    }

    pub(crate) fn dispatcher(&self) -> PathBuf {
        self.folder
            .join("bin")
            .join("hookkit-dispatch")
            .with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// The folders that hold something of every plugin.
    pub(crate) fn rooms(&self) -> [PathBuf; 4] {
        ["bin", "receipts", "store", "market"].map(|room| self.folder.join(room))
    }

    /// The plugins that have a receipt.
    pub(crate) fn plugins(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.receipts()) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| hookkit_dispatch::receipt::is_folder_name(name))
            .collect();
        names.sort();
        names
    }
}

/// Eight digits that belong to a data folder, from its path.
pub(crate) fn digits(data: &str) -> String {
    sha256(data.as_bytes()).chars().take(8).collect()
}

fn usual(env: &Env) -> Option<PathBuf> {
    if cfg!(windows) {
        return Some(PathBuf::from(env.get("LOCALAPPDATA")?).join("hookkit"));
    }
    let base = env
        .get("XDG_DATA_HOME")
        .map(PathBuf::from)
        .filter(|base| base.is_absolute())
        .or_else(|| Some(env.home()?.join(".local/share")))?;
    Some(base.join("hookkit"))
}

/// A path with the links of those of its folders that are there resolved.
fn real(path: &Path) -> PathBuf {
    let Some(there) = path.ancestors().find(|above| above.exists()) else {
        return path.to_owned();
    };
    let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
    let mut real = folder::real(there);
    // An empty rest would add a separator.
    if !rest.as_os_str().is_empty() {
        real.push(rest);
    }
    real
}

#[cfg(unix)]
mod system {
    use fs_err as fs;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    /// What keeps a folder from holding programs of this user.
    pub(super) fn fault(folder: &Path, is_ours: bool) -> Option<String> {
        let found = fs::metadata(folder).ok()?;
        if is_ours && found.uid() != rustix::process::geteuid().as_raw() {
            return Some(format!("{} belongs to somebody else", folder.display()));
        }
        if let Err(error) = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK) {
            return Some(format!("{} cannot be written ({error})", folder.display()));
        }
        starts_nothing(folder).then(|| {
            format!(
                "{} is on a mount from which no program starts (noexec)",
                folder.display()
            )
        })
    }

    /// There is one spelling of a path here.
    pub(super) fn short(_: &Path) -> Option<String> {
        None
    }

    #[cfg(not(target_vendor = "apple"))]
    fn starts_nothing(folder: &Path) -> bool {
        rustix::fs::statvfs(folder)
            .is_ok_and(|mount| mount.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
    }

    /// Apple's systems do not say it here: the dispatcher that is started at the end does.
    #[cfg(target_vendor = "apple")]
    fn starts_nothing(_: &Path) -> bool {
        false
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsString;
    use std::os::windows::ffi::{OsStrExt as _, OsStringExt as _};
    use std::path::{Path, PathBuf};
    use windows_sys::Win32::Storage::FileSystem::GetShortPathNameW;

    pub(super) fn fault(_: &Path, _: bool) -> Option<String> {
        None
    }

    /// A folder in names of eight and three characters, as far as it is there and the volume has such
    /// names.
    pub(super) fn short(folder: &Path) -> Option<String> {
        let there = folder.ancestors().find(|above| above.exists())?;
        let rest = folder.strip_prefix(there).ok()?;
        let short = short_of(there)?.join(rest);
        short.to_str().map(str::to_owned)
    }

    #[expect(
        unsafe_code,
        reason = "the standard library does not ask Windows for it"
    )]
    fn short_of(there: &Path) -> Option<PathBuf> {
        let long: Vec<u16> = there.as_os_str().encode_wide().chain([0]).collect();
        let mut short = vec![0_u16; 1024];
        let room = u32::try_from(short.len()).ok()?;
        // SAFETY: `long` ends with a zero and both buffers outlive the call; no more than `room` units
        // are written.
        let length = unsafe { GetShortPathNameW(long.as_ptr(), short.as_mut_ptr(), room) };
        let length = usize::try_from(length).ok().filter(|length| *length > 0)?;
        short
            .get(..length)
            .map(|short| OsString::from_wide(short).into())
    }
}
