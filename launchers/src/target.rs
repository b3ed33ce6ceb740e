//! The machines that a dispatcher is made for, and where each one's stands in the tree.

use std::fmt;
use std::str::FromStr;

/// An operating system and, where it matters, an architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    LinuxX86_64,
    LinuxAarch64,
    /// One universal file for both architectures: a parent under Rosetta cannot pick a wrong one.
    Macos,
    Windows,
}

impl Target {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 4] = [
        Self::LinuxX86_64,
        Self::LinuxAarch64,
        Self::Macos,
        Self::Windows,
    ];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "linux-x86_64",
            Self::LinuxAarch64 => "linux-aarch64",
            Self::Macos => "macos",
            Self::Windows => "windows",
        }
    }

    /// Where its dispatcher stands below `dispatch/`.
    ///
    /// The one for Windows lies beside the selector, whose name without `.exe` is registered:
    /// Windows then takes the `.exe` (seen with the spawn functions of Bun, Node and Rust).
    pub fn place(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "linux-x86_64/hookkit-dispatch",
            Self::LinuxAarch64 => "linux-aarch64/hookkit-dispatch",
            Self::Macos => "macos/hookkit-dispatch",
            Self::Windows => "hookkit-dispatch.exe",
        }
    }

    /// Where its dispatcher stands in the tree.
    pub fn path(self) -> String {
        format!("dispatch/{}", self.place())
    }

    /// The machine that this program runs on, where dispatchers are made for it.
    pub fn of_this_machine() -> Option<Self> {
        match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => Some(Self::LinuxX86_64),
            ("linux", "aarch64") => Some(Self::LinuxAarch64),
            ("macos", _) => Some(Self::Macos),
            ("windows", _) => Some(Self::Windows),
            _ => None,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|target| target.name() == name)
            .ok_or_else(|| {
                let names: Vec<&str> = Self::ALL.iter().map(|target| target.name()).collect();
                format!("is none of {}", names.join(", "))
            })
    }
}
