//! SELF: which versions are there, and which of them is in use.

use fs_err as fs;
use hookkit_dispatch::env::Env;
use std::io;
use std::path::{Path, PathBuf};

/// SELF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    folder: PathBuf,
}

impl Place {
    /// The one that the running program lies in, and its version there. `None` where somebody else
    /// put it: a package manager, cargo, or a person.
    pub(crate) fn of_running(env: &Env) -> Option<(Self, String)> {
        let program = env.exe()?.canonicalize().ok()?;
        Self::of(&hookkit_dispatch::folder::plain(&program))
    }

    fn of(program: &Path) -> Option<(Self, String)> {
        let around = program.parent()?;
        let above = around.parent()?;
        if above.ends_with("versions") {
            let folder = above.parent()?.to_owned();
            let version = around.file_name()?.to_str()?.to_owned();
            return Some((Self { folder }, version));
        }
        let place = Self {
            folder: above.to_owned(),
        };
        if around.ends_with("bin") {
            let version = place.noted()?;
            return Some((place, version));
        }
        None
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a version lies.
    pub(crate) fn version(&self, version: &str) -> PathBuf {
        self.folder.join("versions").join(version)
    }

    /// What PATH names.
    pub(crate) fn bin(&self) -> PathBuf {
        self.folder.join("bin")
    }

    pub(crate) fn receipt(&self) -> PathBuf {
        self.folder.join("receipt.json")
    }

    /// On Windows: the version that is in use.
    fn noted(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join("current")).ok()?;
        Some(text.trim().to_owned()).filter(|version| self.version(version).is_dir())
    }
}

/// The folder of the release that the running program is of, with the dispatchers of other machines:
/// its own folder, or the one that it was copied from.
pub(crate) fn release_folder(env: &Env) -> Option<PathBuf> {
    if let Some((place, version)) = Place::of_running(env) {
        return Some(place.version(&version));
    }
    let program = env.exe()?.canonicalize().ok()?;
    program.parent().map(Path::to_path_buf)
}

#[cfg(unix)]
impl Place {
    /// Puts a version to use, for whatever starts next. At every moment the old one or the new one
    /// is in use, as a whole.
    pub(crate) fn switch_to(&self, version: &str) -> io::Result<()> {
        let bin = self.bin();
        if fs::symlink_metadata(&bin).is_ok_and(|found| !found.is_symlink()) {
            return Err(io::Error::other(format!(
                "{} is no link; move it away",
                bin.display()
            )));
        }
        let draft = self.folder.join(format!(".bin-{}", std::process::id()));
        let _ = fs::remove_file(&draft);
        fs_err::os::unix::fs::symlink(Path::new("versions").join(version), &draft)?;
        fs::rename(&draft, &bin)
    }
}

#[cfg(windows)]
impl Place {
    /// Puts a version to use, for whatever starts next. If this ends in the middle, the next start
    /// of hookkit goes on with it: see [`Self::settle`].
    pub(crate) fn switch_to(&self, version: &str) -> io::Result<()> {
        let draft = self.folder.join(format!("current-{}", std::process::id()));
        fs::write(&draft, version)?;
        fs::rename(&draft, self.folder.join("current"))?;
        self.settle()
    }
}

/// Goes on with a switch to another version that ended in the middle.
#[cfg(windows)]
pub(crate) fn finish_switch(env: &Env) {
    if let Some((place, _)) = Place::of_running(env) {
        // The next start tries it again.
        let _ = place.settle();
    }
}

#[cfg(any(windows, test))]
impl Place {
    /// Makes `bin` hold the programs of the version that is noted.
    ///
    /// Windows lets nobody replace a program that runs, but lets it be renamed: the old one is moved
    /// aside, and goes once it has ended.
    pub(crate) fn settle(&self) -> io::Result<()> {
        let Some(version) = self.noted() else {
            return Ok(());
        };
        fs::create_dir_all(self.bin())?;
        for name in ["hookkit-dispatch.exe", "hookkit.exe"] {
            let wanted = fs::read(self.version(&version).join(name))?;
            let place = self.bin().join(name);
            for number in 0..10 {
                let _ = fs::remove_file(aside(&place, number));
            }
            if fs::read(&place).is_ok_and(|found| found == wanted) {
                continue;
            }
            let draft = aside(&place, std::process::id());
            fs::write(&draft, &wanted)?;
            if let Some(free) = (0..10)
                .map(|number| aside(&place, number))
                .find(|file| place.exists() && !file.exists())
            {
                fs::rename(&place, free)?;
            }
            fs::rename(&draft, &place)?;
        }
        Ok(())
    }
}

#[cfg(any(windows, test))]
fn aside(program: &Path, number: u32) -> PathBuf {
    program.with_extension(format!("old-{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &Path, versions: &[&str]) -> Place {
        let place = Place {
            folder: folder.to_owned(),
        };
        for version in versions {
            let folder = place.version(version);
            fs::create_dir_all(&folder).expect("a folder");
            for name in ["hookkit.exe", "hookkit-dispatch.exe"] {
                fs::write(folder.join(name), format!("{name} {version}")).expect("a file");
            }
        }
        place
    }

    #[test]
    fn it_is_known_by_where_the_program_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path(), &["1.0.0"]);
        let found = Place::of(&place.version("1.0.0").join("hookkit"));
        assert_eq!(found, Some((place.clone(), "1.0.0".to_owned())));
        let copied = place.bin().join("hookkit.exe");
        assert_eq!(Place::of(&copied), None, "nothing is noted");
        for (noted, is_known) in [("1.0.0\r\n", true), ("2.0.0", false)] {
            fs::write(folder.path().join("current"), noted).expect("a file");
            assert_eq!(Place::of(&copied).is_some(), is_known, "{noted}");
        }
        assert_eq!(Place::of(Path::new("/usr/bin/hookkit")), None);
    }

    #[test]
    fn an_interrupted_switch_is_finished() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path(), &["1.0.0", "2.0.0"]);
        let holds = |version: &str| {
            ["hookkit.exe", "hookkit-dispatch.exe"].iter().all(|name| {
                fs::read_to_string(place.bin().join(name)).ok() == Some(format!("{name} {version}"))
            })
        };
        for version in ["1.0.0", "2.0.0", "1.0.0"] {
            fs::write(folder.path().join("current"), version).expect("a file");
            place.settle().expect("settled");
            assert!(holds(version));
            // As if it had ended between the two.
            fs::rename(
                place.bin().join("hookkit.exe"),
                place.bin().join("hookkit.old-3"),
            )
            .expect("renamed");
            place.settle().expect("settled");
            assert!(holds(version));
        }
        place.settle().expect("settled");
        assert_eq!(fs::read_dir(place.bin()).expect("a folder").count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_a_folder_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = place(folder.path(), &["1.0.0", "2.0.0"]);
        for version in ["1.0.0", "2.0.0"] {
            place.switch_to(version).expect("switched");
            let program = fs::read_to_string(place.bin().join("hookkit.exe")).expect("a file");
            assert!(program.ends_with(version));
        }
        fs::remove_file(place.bin()).expect("removed");
        fs::create_dir(place.bin()).expect("a folder");
        assert!(place.switch_to("1.0.0").is_err());
    }
}
