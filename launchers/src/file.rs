//! A file that is to be placed somewhere.

use std::borrow::Cow;

/// What a file is there for; its mode follows from that, never from the disk it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Read by somebody.
    Data,
    /// Started by somebody.
    Program,
}

impl Role {
    /// The permission bits on systems that have them.
    pub fn mode(self) -> u32 {
        match self {
            Self::Data => 0o644,
            Self::Program => 0o755,
        }
    }
}

/// One file: where it goes, what is in it, what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder of the plugin, with `/` between its parts on every system.
    pub path: Cow<'static, str>,
    pub bytes: Vec<u8>,
    pub role: Role,
}

impl File {
    /// A file that is read.
    pub fn data(path: impl Into<Cow<'static, str>>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
            role: Role::Data,
        }
    }

    /// A file that is started.
    pub fn program(path: impl Into<Cow<'static, str>>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            role: Role::Program,
            ..Self::data(path, bytes)
        }
    }
}
