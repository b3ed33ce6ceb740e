//! How a file begins, and what the system says of it.

use crate::doctor::git::Index;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::rc::Rc;

/// The beginning of a file, as far as it matters for starting it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen by itself")]
pub(super) struct Head {
    pub(super) is_folder: bool,
    pub(super) is_executable: bool,
    pub(super) has_mark: bool,
    pub(super) has_shebang: bool,
    /// Its first line ends as on Windows.
    pub(super) ends_in_return: bool,
    pub(super) is_text: bool,
    bytes: Vec<u8>,
    length: u64,
}

/// The mode of a link in git's index.
const LINK: u32 = 0o120_000;

/// Enough for a first line and the head of a program.
const READ: u64 = 4096;

impl Head {
    pub(super) fn read(file: &Path) -> Option<Self> {
        let about = fs::metadata(file).ok()?;
        let mut bytes = Vec::new();
        // A pipe or a device might never answer.
        if about.is_file()
            && let Ok(file) = fs::File::open(file)
        {
            let _ = file.take(READ).read_to_end(&mut bytes);
        }
        let first = bytes
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        Some(Self {
            is_folder: about.is_dir(),
            is_executable: system::is_executable(&about),
            has_mark: bytes.starts_with(b"\xef\xbb\xbf"),
            has_shebang: bytes.starts_with(b"#!"),
            ends_in_return: first.ends_with(b"\r"),
            is_text: !bytes.is_empty() && !bytes.contains(&0),
            length: about.len(),
            bytes,
        })
    }

    /// The target of a link that git wrote as a file, for want of links.
    pub(super) fn link_as_text(
        &self,
        file: &Path,
        tracked: Option<(Rc<Index>, String)>,
    ) -> Option<String> {
        let (index, path) = tracked?;
        let is_link = file
            .symlink_metadata()
            .is_ok_and(|found| found.is_symlink());
        let is_short = !is_link && self.length < READ && self.is_text;
        (is_short && index.mode(&path) == Some(LINK))
            .then(|| String::from_utf8_lossy(&self.bytes).trim().to_owned())
    }

    /// The machine that a program is for, where that is another than this one.
    pub(super) fn other_machine(&self) -> Option<&'static str> {
        let is = |os: &str, machine: &str| {
            std::env::consts::OS == os && std::env::consts::ARCH == machine
        };
        let word = |at: usize| {
            Some(u16::from_le_bytes(
                self.bytes.get(at..at + 2)?.try_into().ok()?,
            ))
        };
        if self.bytes.starts_with(b"\x7fELF") {
            let (name, machine) = match word(18)? {
                0x3e => ("Linux on x86_64", "x86_64"),
                0xb7 => ("Linux on aarch64", "aarch64"),
                0x03 => ("Linux on 32-bit x86", "x86"),
                0x28 => ("Linux on 32-bit ARM", "arm"),
                _ => return None,
            };
            // A 64-bit x86 system starts 32-bit programs too.
            let starts = is("linux", machine) || (machine == "x86" && is("linux", "x86_64"));
            return (!starts).then_some(name);
        }
        if self.bytes.starts_with(b"MZ") {
            return (!cfg!(windows)).then_some("Windows");
        }
        let magic = self.bytes.get(..4)?;
        let is_macho = matches!(
            magic,
            [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe]
        );
        (is_macho && !cfg!(target_vendor = "apple")).then_some("macOS")
    }
}

pub(super) use system::{is_noexec, quarantine};

#[cfg(unix)]
mod system {
    use std::fs::Metadata;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    pub(super) fn is_executable(about: &Metadata) -> bool {
        about.is_dir() || about.permissions().mode() & 0o111 != 0
    }

    #[cfg(not(target_vendor = "apple"))]
    pub(crate) fn is_noexec(file: &Path) -> bool {
        rustix::fs::statvfs(file)
            .is_ok_and(|mount| mount.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
    }

    /// Apple's systems do not say it here.
    #[cfg(target_vendor = "apple")]
    pub(crate) fn is_noexec(_: &Path) -> bool {
        false
    }

    /// The mark that macOS puts on downloads, which other systems keep where they can.
    pub(crate) fn quarantine(file: &Path) -> Option<&'static str> {
        const NAMES: [&str; 2] = ["com.apple.quarantine", "user.com.apple.quarantine"];
        let mut value = [0_u8; 256];
        let mut has = |name: &&str| rustix::fs::getxattr(file, *name, &mut value[..]).is_ok();
        NAMES
            .into_iter()
            .find(|name| has(name))
            .map(|_| "com.apple.quarantine")
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::Metadata;
    use std::path::Path;

    pub(super) fn is_executable(_: &Metadata) -> bool {
        true
    }

    pub(crate) fn is_noexec(_: &Path) -> bool {
        false
    }

    /// The mark of the web is a second stream of the file.
    pub(crate) fn quarantine(file: &Path) -> Option<&'static str> {
        let mut stream = file.as_os_str().to_owned();
        stream.push(":Zone.Identifier");
        let text = std::fs::read_to_string(stream).ok()?;
        let is_marked = text.contains("ZoneId=3") || text.contains("ZoneId=4");
        is_marked.then_some("the mark of the web")
    }
}
