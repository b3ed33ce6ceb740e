//! Where the programs under test are: beside the test that is running.

use std::path::{Path, PathBuf};

use crate::environment;
#[cfg(unix)]
use crate::process::Program;

/// `hookkit-dispatch`, or the one that `HOOKKIT_TEST_DISPATCH` names.
pub fn dispatcher() -> PathBuf {
    environment::other_dispatcher().unwrap_or_else(|| built("hookkit-dispatch"))
}

/// A copy of the dispatcher, as this file: it knows its place by where it stands.
pub fn dispatcher_at(file: &Path) -> PathBuf {
    let folder = file.parent().expect("a file lies in a folder");
    std::fs::create_dir_all(folder).unwrap();
    crate::plugin::copy_program(&dispatcher(), file);
    file.to_owned()
}

/// `hookkit`.
pub fn hookkit() -> PathBuf {
    built("hookkit")
}

/// `hookkit` with the dispatcher of these tests beside it, for that is the one that it installs.
///
/// Where they have another one than was built, both get a name in `folder`.
pub fn hookkit_beside_dispatcher(folder: &Path) -> PathBuf {
    let Some(dispatcher) = environment::other_dispatcher() else {
        return hookkit();
    };
    let place = |program: &Path, name: &str| {
        let file = folder.join(name);
        if !file.is_file() && std::fs::hard_link(program, &file).is_err() {
            crate::plugin::copy_program(program, &file);
        }
        file
    };
    place(&dispatcher, "hookkit-dispatch");
    place(&hookkit(), "hookkit")
}

/// The program of bad manners, `nasty`.
///
/// Cargo builds it with this package's tests.
pub fn nasty() -> PathBuf {
    built("nasty")
}

/// Cargo's target folder: the one that it marked with `CACHEDIR.TAG`.
pub(crate) fn target_folder() -> PathBuf {
    let test = environment::test_program();
    test.ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .or_else(|| profile_folder(&test).parent())
        .expect("a test lies in target/PROFILE/deps")
        .to_owned()
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests crate lies in the repository")
        .to_owned()
}

/// The search path that programs under test get.
pub fn search_path() -> String {
    environment::path().into_string().expect("PATH is text")
}

/// A program on the search path.
pub fn found(name: &str) -> Option<PathBuf> {
    let folders = environment::path();
    let name = Path::new(name).with_extension(std::env::consts::EXE_EXTENSION);
    std::env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|file| file.is_file())
}

/// Whether all of these are there. If not, the test is skipped, loudly; where `CI=true`, that is a
/// failure.
pub fn needs(programs: &[&str]) -> bool {
    let missing: Vec<_> = programs
        .iter()
        .filter(|name| found(name).is_none())
        .collect();
    if !missing.is_empty() {
        environment::skip(&format!("{missing:?} missing"));
    }
    missing.is_empty()
}

/// Whether something can be had that is no program. If not, the test is skipped, loudly; where
/// `CI=true`, that is a failure.
pub fn can(is_there: bool, otherwise: &str) -> bool {
    if !is_there {
        environment::skip(otherwise);
    }
    is_there
}

/// `unshare` as root: everybody is that in a namespace of their own, where the system allows it.
#[cfg(unix)]
pub fn unshare() -> Program {
    let as_root: &[&str] = if rustix::process::geteuid().is_root() {
        &[]
    } else {
        &["--map-root-user"]
    };
    Program::new("unshare").args(as_root)
}

/// A shell that runs a script among mounts of its own; what is added are the script's arguments.
#[cfg(unix)]
pub fn among_own_mounts(script: &str) -> Program {
    unshare().args([
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        script,
        "sh",
    ])
}

pub fn built(name: &str) -> PathBuf {
    let program = profile_folder(&environment::test_program())
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        program.is_file(),
        "{} is not built; run `cargo xtask test`",
        program.display()
    );
    program
}

/// `target/debug` for the test `target/debug/deps/cases-0123`, and for a program that stands in `target/debug` itself.
fn profile_folder(test: &Path) -> &Path {
    let folder = test.parent().expect("a program lies in a folder");
    if folder.ends_with("deps") {
        folder.parent().expect("deps lies in target/PROFILE")
    } else {
        folder
    }
}
