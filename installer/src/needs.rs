//! `needs` of a manifest: programs of at least some version.

use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::Project;
use hookkit_dispatch::interpreter::{CannotStart, Programs, endings, search_path};
use hookkit_dispatch::manifest::{Manifest, Needs};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A version as far as it is numbers.
type Version = Vec<u32>;

/// What a need says, as numbers; `None` where it is not of the form `>=3.9`.
pub(crate) fn least(needs: &Needs) -> Option<Version> {
    let version = needs.version.trim().strip_prefix(">=")?.trim();
    let numbers: Option<Version> = version.split('.').map(|part| part.parse().ok()).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

/// The programs that the hooks name without a path, as far as this machine has them.
pub(crate) fn programs(manifest: &Manifest, env: &Env) -> BTreeMap<String, PathBuf> {
    let project = Project::of_session(None, env);
    let path = search_path(env, &project);
    let nowhere = Path::new("");
    let programs = Programs {
        root: nowhere,
        project: &project,
        receipt: None,
        path: &path,
        endings: &endings(),
    };
    manifest
        .hooks
        .iter()
        .filter_map(|hook| hook.run.first())
        .filter(|name| !name.starts_with("./") && !Path::new(&***name).is_absolute())
        .filter_map(|name| Some((name.to_string(), programs.command(&[&**name]).ok()?.program)))
        .collect()
}

/// The needs that this machine does not meet, each as a sentence. Programs are asked for their
/// versions; one that does not say it is believed.
pub(crate) fn unmet(manifest: &Manifest, folder: &Path, env: &Env) -> Vec<String> {
    let project = Project::of_session(None, env);
    let path = search_path(env, &project);
    let programs = Programs {
        root: folder,
        project: &project,
        receipt: None,
        path: &path,
        endings: &endings(),
    };
    manifest
        .needs
        .iter()
        .filter_map(|needs| {
            let found = programs.command(&[&*needs.program]);
            unmet_by(needs, found.map(|command| command.program))
        })
        .collect()
}

fn unmet_by(needs: &Needs, found: Result<PathBuf, CannotStart>) -> Option<String> {
    let Needs { program, version } = needs;
    let file = match found {
        Ok(file) => file,
        Err(why) => return Some(format!("the plugin needs {program} {version}, but {why}")),
    };
    let present = asked(&file)?;
    (numbers_in(&present)? < least(needs)?).then(|| {
        format!(
            "the plugin needs {program} {version}, but {} is {present}",
            file.display()
        )
    })
}

/// What a program says of its version.
fn asked(file: &Path) -> Option<String> {
    let said = Command::new(file)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    version_in(&String::from_utf8_lossy(&said.stdout))
        .or_else(|| version_in(&String::from_utf8_lossy(&said.stderr)))
}

/// The version that a program's file name holds, as in `python3.11`.
pub(crate) fn named_version(file: &Path) -> Option<Version> {
    let name = file.file_name()?.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let version = name.trim_start_matches(|first: char| first.is_ascii_alphabetic());
    version.contains('.').then(|| numbers_in(version))?
}

/// The first thing in a text that looks like a version: numbers with dots between them.
fn version_in(text: &str) -> Option<String> {
    text.split(|character: char| !character.is_ascii_digit() && character != '.')
        .map(|word| word.trim_matches('.'))
        .find(|word| word.contains('.'))
        .map(str::to_owned)
}

fn numbers_in(version: &str) -> Option<Version> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        for (said, expected) in [
            ("Python 3.11.2", Some("3.11.2")),
            ("v22.19.0\n", Some("22.19.0")),
            (
                "This is perl 5, version 36, subversion 0 (v5.36.0) built",
                Some("5.36.0"),
            ),
            ("GNU bash, version 5.2.15(1)-release", Some("5.2.15")),
            ("no idea.", None),
        ] {
            assert_eq!(version_in(said).as_deref(), expected, "{said}");
        }
    }

    #[test]
    fn a_need_is_a_least_version() {
        for (version, expected) in [
            (">=3.9", Some(vec![3, 9])),
            (">= 18", Some(vec![18])),
            ("3.9", None),
            (">=3.x", None),
            (">=", None),
        ] {
            let needs = Needs {
                program: "python".into(),
                version: version.into(),
            };
            assert_eq!(least(&needs), expected, "{version}");
        }
    }
}
