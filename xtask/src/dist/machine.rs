//! The machines that programs are shipped for, and where each program goes.

use anyhow::{Result, bail};

use crate::foreign::{Programs, Triple};

/// A machine, by its name in `hookkit build --targets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Machine {
    LinuxX86_64,
    LinuxAarch64,
    /// Both architectures in one file.
    Macos,
    Windows,
}

impl Machine {
    pub(crate) const ALL: [Self; 4] = [
        Self::LinuxX86_64,
        Self::LinuxAarch64,
        Self::Macos,
        Self::Windows,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "linux-x86_64",
            Self::LinuxAarch64 => "linux-aarch64",
            Self::Macos => "macos",
            Self::Windows => "windows",
        }
    }

    /// What its archive of a version is called, without an ending: the machine as compilers name it.
    pub(crate) fn archive_stem(self, version: &str) -> String {
        let machine = match self {
            Self::LinuxX86_64 => Triple::MuslX86_64.name(),
            Self::LinuxAarch64 => Triple::MuslAarch64.name(),
            Self::Macos => "universal-apple-darwin",
            Self::Windows => Triple::Windows.name(),
        };
        format!("hookkit-{version}-{machine}")
    }

    pub(crate) fn archive_name(self, version: &str) -> String {
        let ending = if self == Self::Windows {
            "zip"
        } else {
            "tar.gz"
        };
        format!("{}.{ending}", self.archive_stem(version))
    }

    pub(crate) fn named(name: &str) -> Result<Self> {
        match Self::ALL.into_iter().find(|machine| machine.name() == name) {
            Some(machine) => Ok(machine),
            None => bail!("{name} is none of {}", Self::ALL.map(Self::name).join(", ")),
        }
    }

    /// Whether tests start hooks of it: here as they are, or by wine. (qemu leaves that to the
    /// machine that it runs on.)
    pub(crate) fn starts_hooks(self) -> bool {
        matches!(self, Self::LinuxX86_64 | Self::Windows)
    }

    pub(crate) fn triples(self) -> &'static [Triple] {
        match self {
            Self::LinuxX86_64 => &[Triple::MuslX86_64],
            Self::LinuxAarch64 => &[Triple::MuslAarch64],
            Self::Macos => &[Triple::MacX86_64, Triple::MacAarch64],
            Self::Windows => &[Triple::Windows],
        }
    }
}

/// One of the two programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    Dispatcher,
    Hookkit,
}

impl Product {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dispatcher => "hookkit-dispatch",
            Self::Hookkit => "hookkit",
        }
    }

    /// Each by itself, so that no crate has more in it than the one program needs.
    pub(crate) fn programs(self) -> Programs<'static> {
        match self {
            Self::Dispatcher => Programs {
                package: "hookkit-dispatch",
                options: &[],
                names: &["hookkit-dispatch"],
            },
            Self::Hookkit => Programs {
                package: "hookkit",
                options: &[],
                names: &["hookkit"],
            },
        }
    }

    /// The most bytes for one architecture. The dispatcher starts before every tool call and
    /// travels in every plugin.
    pub(crate) fn budget(self) -> usize {
        match self {
            Self::Dispatcher => 1 << 20,
            Self::Hookkit => 8 << 20,
        }
    }

    /// Where it stands below `target/dist`.
    pub(crate) fn place(self, machine: Machine) -> String {
        match (self, machine) {
            (Self::Dispatcher, Machine::Windows) => "dispatch/hookkit-dispatch.exe".to_owned(),
            (Self::Dispatcher, machine) => format!("dispatch/{}/hookkit-dispatch", machine.name()),
            (Self::Hookkit, Machine::Windows) => "hookkit/windows/hookkit.exe".to_owned(),
            (Self::Hookkit, machine) => format!("hookkit/{}/hookkit", machine.name()),
        }
    }
}
