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
    let off_default = git::off_default(root);
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
        } else if let Some((branch, default)) = &off_default
            && file.starts_with(&hooks)
        {
            let what = format!("`{branch}` is checked out, and the cloud agent reads `{default}`");
            findings.push(
                Finding::new(&code::NOT_ON_DEFAULT, what)
                    .of("copilot-cloud")
                    .at(file, None),
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
