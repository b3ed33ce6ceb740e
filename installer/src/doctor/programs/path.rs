//! Programs by name, and what a path says about itself.

use hookkit_dispatch::env::Env;
use hookkit_dispatch::interpreter::endings;
use std::path::{Path, PathBuf};

/// The folders of the PATH, as a shell of this user has them.
pub(in crate::doctor) struct Search {
    folders: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Search {
    pub(super) fn of(env: &Env) -> Self {
        let path = env.get("PATH").unwrap_or_default();
        Self {
            folders: std::env::split_paths(&path)
                .filter(|folder| folder.is_absolute())
                .collect(),
            home: env.home(),
        }
    }

    /// The file of a program.
    pub(in crate::doctor) fn find(&self, name: &str) -> Option<PathBuf> {
        let endings = endings();
        self.folders.iter().find_map(|folder| {
            let plain = folder.join(name);
            let with = |ending: &String| folder.join(format!("{name}{ending}"));
            std::iter::once(plain)
                .chain(endings.iter().map(with))
                .find(|file| is_program(file))
        })
    }

    /// Does only a shell's start file put its folder on the PATH? Those of the system are known to
    /// programs of the desktop too.
    pub(super) fn is_of_shell(&self, file: &Path) -> bool {
        let is_below_home = self
            .home
            .as_ref()
            .is_some_and(|home| file.starts_with(home));
        is_below_home || file.starts_with("/opt/homebrew")
    }
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file)
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn is_in(file: &Path, name: &str) -> bool {
    file.components()
        .any(|part| part.as_os_str().eq_ignore_ascii_case(name))
}

/// The Store's aliases lie in a folder of this name.
pub(super) fn is_store_alias(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    is_in(file, "WindowsApps") && stem.starts_with("python")
}

/// `bash` of Windows itself.
pub(super) fn is_wsl_relay(file: &Path) -> bool {
    let is_bash = file
        .file_stem()
        .is_some_and(|stem| stem.eq_ignore_ascii_case("bash"));
    is_bash && (is_in(file, "System32") || is_in(file, "WindowsApps"))
}

/// The part of a path that the next upgrade removes.
pub(super) fn versioned(file: &Path) -> Option<String> {
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    let is_version = |part: &str| {
        let part = part.trim_start_matches('v');
        part.contains('.')
            && part.starts_with(|first: char| first.is_ascii_digit())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte))
    };
    let at = parts.iter().position(|part| {
        matches!(
            *part,
            "Cellar" | "versions" | "pipx" | "installs" | "node-versions" | "Caskroom"
        )
    })?;
    let versioned = parts[at..].iter().position(|part| is_version(part))?;
    Some(parts[at..=at + versioned].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_version_in_it_is_known() {
        for (path, expected) in [
            (
                "/opt/homebrew/Cellar/hk/1.0.0/bin/hk",
                Some("Cellar/hk/1.0.0"),
            ),
            (
                "/home/a/.nvm/versions/node/v22.1.0/bin/node",
                Some("versions/node/v22.1.0"),
            ),
            ("/opt/homebrew/bin/hk", None),
            ("/home/a/.claude/plugins/cache/m/p/1.0.0/x.sh", None),
        ] {
            assert_eq!(versioned(Path::new(path)).as_deref(), expected, "{path}");
        }
    }
}
