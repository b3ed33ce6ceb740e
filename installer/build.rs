//! Compiles in the two keys that a release of hookkit may be signed with.
//!
//! A build for a release (`HOOKKIT_RELEASE=1`) takes those of `keys/release.txt`, every other build
//! those of `keys/test.txt`. Without two different keys nothing is built, nor is a release with a
//! key whose secret half is in the repository.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo talks to build scripts by variables"
)]

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=keys");
    println!("cargo::rerun-if-env-changed=HOOKKIT_RELEASE");
    let is_release = env::var_os("HOOKKIT_RELEASE").is_some_and(|value| value == "1");
    match accepted(Path::new("keys"), is_release) {
        Ok([first, second]) => {
            println!("cargo::rustc-env=HOOKKIT_FIRST_KEY={first}");
            println!("cargo::rustc-env=HOOKKIT_SECOND_KEY={second}");
            println!("cargo::rustc-check-cfg=cfg(hookkit_release)");
            if is_release {
                println!("cargo::rustc-cfg=hookkit_release");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("cargo::error={why}");
            ExitCode::FAILURE
        }
    }
}

fn accepted(folder: &Path, is_release: bool) -> Result<[String; 2], String> {
    let tests = keys(&folder.join("test.txt"))?;
    if !is_release {
        return Ok(tests);
    }
    let keys = keys(&folder.join("release.txt"))?;
    match keys.iter().find(|key| tests.contains(key)) {
        Some(key) => Err(format!(
            "installer/keys/release.txt holds {key}, a test key, with which everybody can sign; \
             docs/release.md says how keys are made"
        )),
        None => Ok(keys),
    }
}

/// The two keys of a file; lines that begin with `#` or `untrusted comment:` are for people.
fn keys(file: &Path) -> Result<[String; 2], String> {
    let shown = format!("installer/{}", file.display());
    let text = fs::read_to_string(file).map_err(|why| format!("{shown}: {why}"))?;
    let keys: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', 'u']))
        .collect();
    if let Some(other) = keys.iter().find(|key| !is_key(key)) {
        return Err(format!(
            "{shown}: `{other}` is no public key in the format of minisign"
        ));
    }
    match keys[..] {
        [first, second] if first != second => Ok([first.to_owned(), second.to_owned()]),
        _ => Err(format!(
            "{shown} has to hold two different public keys, and holds {}; docs/release.md says how \
             they are made",
            keys.len()
        )),
    }
}

/// 42 bytes in base64, of which the first two say ed25519.
fn is_key(line: &str) -> bool {
    line.len() == 56
        && line.starts_with("RW")
        && line
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
}
