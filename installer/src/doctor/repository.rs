//! The hooks of a repository as others and the cloud agent will have them.

use super::codes::{files, repository as code};
use super::finding::Finding;
use super::git;
use super::programs::Machine;
use crate::survey::{Places, Scope, Source, Survey};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The place of hooks files below a repository's root.
const HOOKS: &str = ".github/hooks";

pub(super) fn judge(
    survey: &Survey,
    places: &Places,
    machine: &Machine,
    findings: &mut Vec<Finding>,
) {
    endings(&places.copilot.join("hooks"), findings);
    let Some(root) = &places.repository else {
        return;
    };
    let hooks = root.join(HOOKS);
    endings(&hooks, findings);
    let of_repository: Vec<&Source> = survey
        .sources
        .iter()
        .filter(|source| source.scope == Scope::Project && source.plugin.is_none())
        .filter(|source| source.file.starts_with(root))
        .collect();
    let known: BTreeSet<&PathBuf> = of_repository.iter().map(|source| &source.file).collect();
    cloud(root, machine, findings);
    for file in known {
        let tracked = machine.index(file);
        let is_tracked = tracked.is_some_and(|(index, path)| index.mode(&path).is_some());
        let is_repository = root.join(".git").exists();
        if is_repository && !is_tracked {
            let what = "git does not track it, so no clone has it";
            let path = file.strip_prefix(root).unwrap_or(file).display();
            findings.push(
                Finding::new(&code::UNTRACKED, what)
                    .at(file, None)
                    .fixed_by(format!("git add {path}")),
            );
        }
        let is_below = file.starts_with(&hooks) && file.parent() != Some(&hooks);
        if is_below {
            let what =
                "lies in a folder below .github/hooks, and is read as a hooks file all the same";
            findings.push(
                Finding::new(&code::SUBFOLDER, what)
                    .of("copilot-cli")
                    .at(file, None),
            );
        }
    }
    let mut seen = BTreeSet::new();
    for source in of_repository {
        for hook in &source.hooks {
            let entry = hook.entry.json();
            if let Some(path) = personal(&entry).filter(|_| seen.insert((&source.file, hook.line)))
            {
                let what = format!("names `{path}`, a folder of one person");
                findings
                    .push(Finding::new(&code::HOME_PATH, what).at(&source.file, Some(hook.line)));
            }
        }
    }
}

/// What the cloud agent has of a repository: hooks files, the folders that they start, and what makes
/// its machine ready.
const OF_THE_CLOUD: [&str; 3] = [
    HOOKS,
    ".github/hookkit",
    ".github/workflows/copilot-setup-steps.yml",
];

/// Compares what is here with what the default branch had when it was last fetched. A hooks file that
/// git does not track is said as such.
fn cloud(root: &Path, machine: &Machine, findings: &mut Vec<Finding>) {
    let Some(default) = git::DefaultBranch::read(root, &OF_THE_CLOUD) else {
        return;
    };
    let mut here = BTreeSet::new();
    for place in OF_THE_CLOUD {
        files_below(&root.join(place), root, 0, &mut here);
    }
    let branch = &default.branch;
    for path in here
        .iter()
        .chain(default.files.keys())
        .collect::<BTreeSet<_>>()
    {
        let file = root.join(path);
        let is_tracked = machine
            .index(&file)
            .is_some_and(|(index, path)| index.mode(&path).is_some());
        let own = fs_err::read(&file).ok();
        let what = match (own, default.files.get(path)) {
            (Some(_), None) if !is_tracked && path.starts_with(HOOKS) => continue,
            (Some(_), None) => format!("is not on `{branch}`, which the cloud agent reads"),
            (None, Some(_)) if here.contains(path) => continue,
            (None, Some(_)) => {
                format!("is gone here, and still on `{branch}`, which the cloud agent reads")
            }
            (Some(own), Some(theirs)) if without_returns(&own) != without_returns(theirs) => {
                format!("is another on `{branch}`, which the cloud agent reads")
            }
            _ => continue,
        };
        findings.push(
            Finding::new(&code::NOT_ON_DEFAULT, what)
                .of("copilot-cloud")
                .at(&file, None),
        );
    }
}

/// Git may end lines in another way in a work tree.
fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let text = bytes.iter().copied();
    text.filter(|byte| *byte != b'\r').collect()
}

/// Folders in folders that are looked into.
const DEEPEST: usize = 16;

/// The paths of all files at a place, from the root on; links are none.
fn files_below(place: &Path, root: &Path, depth: usize, found: &mut BTreeSet<String>) {
    let Ok(about) = place.symlink_metadata() else {
        return;
    };
    if about.is_file() {
        let below = place.strip_prefix(root).ok().and_then(Path::to_str);
        found.extend(below.map(|path| path.replace('\\', "/")));
    } else if about.is_dir() && depth < DEEPEST {
        let entries = fs_err::read_dir(place).into_iter().flatten().flatten();
        for entry in entries {
            files_below(&entry.path(), root, depth + 1, found);
        }
    }
}

/// Files that look like hooks files and are not read: Copilot takes `.json` alone.
fn endings(folder: &Path, findings: &mut Vec<Finding>) {
    let Ok(entries) = fs_err::read_dir(folder) else {
        return;
    };
    for file in entries.flatten().map(|entry| entry.path()) {
        let ending = file
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or_default();
        if ending != "json" && matches!(&*ending.to_ascii_lowercase(), "json" | "jsonc" | "json5") {
            let what = format!("ends in `.{ending}`, and only `.json` is read");
            findings.push(
                Finding::new(&files::ENDING, what)
                    .of("copilot-cli")
                    .at(&file, None),
            );
        }
    }
}

/// A home folder in a launch line, as far as it names the person.
fn personal(entry: &serde_json::Value) -> Option<String> {
    const KEYS: [&str; 8] = [
        "command",
        "bash",
        "powershell",
        "linux",
        "osx",
        "windows",
        "exec",
        "commandWindows",
    ];
    const HOMES: [&str; 4] = ["/home/", "/Users/", "C:\\Users\\", "C:/Users/"];
    let texts = KEYS.iter().filter_map(|key| entry[*key].as_str());
    texts
        .flat_map(|text| {
            HOMES
                .iter()
                .filter_map(move |home| Some((home, text, text.find(home)?)))
        })
        .map(|(home, text, at)| {
            let name = text[at + home.len()..]
                .split(['/', '\\', '"', '\'', ' '])
                .next();
            format!("{home}{}", name.unwrap_or_default())
        })
        .next()
}
