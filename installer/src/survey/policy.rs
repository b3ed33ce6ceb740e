//! Settings that an administrator wrote into the registry of Windows, as a text of JSON in one value.

use std::path::PathBuf;

/// A key for policies, and the value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) hive: Hive,
    pub(crate) key: &'static str,
    pub(crate) value: &'static str,
}

/// Whose part of the registry it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hive {
    /// The machine's, which only an administrator writes.
    Machine,
    /// The user's.
    User,
}

impl Policy {
    /// Where it is, for people. It stands where the path of a file would.
    pub(crate) fn place(&self) -> PathBuf {
        let hive = match self.hive {
            Hive::Machine => "HKLM",
            Hive::User => "HKCU",
        };
        PathBuf::from(format!("{hive}\\{}, `{}`", self.key, self.value))
    }

    /// Its text; none where there is no such value.
    #[cfg(windows)]
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>, String> {
        use std::io::ErrorKind;
        use winreg::RegKey;
        use winreg::enums::{HKEY_CURRENT_USER, HKEY_LOCAL_MACHINE};
        let hive = RegKey::predef(match self.hive {
            Hive::Machine => HKEY_LOCAL_MACHINE,
            Hive::User => HKEY_CURRENT_USER,
        });
        let key = hive.open_subkey(self.key);
        match key.and_then(|key| crate::registry::text(&key.get_raw_value(self.value)?)) {
            Ok(text) => Ok(Some(text.into_bytes())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// No other system has a registry.
    #[cfg(not(windows))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the same on every system"
    )]
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}
