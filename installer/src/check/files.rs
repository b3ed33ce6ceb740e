//! Files that are missing, do not start, or cannot travel.

use super::finding::{Finding, Level};
use crate::plugin::Plugin;
use crate::tree::{Travel, normal};
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::{self, Project};
use hookkit_dispatch::interpreter::{CannotStart, Programs, endings, search_path};
use hookkit_dispatch::manifest::{Hook, Manifest};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn look(plugin: &Plugin, manifest: &Manifest, env: &Env, findings: &mut Vec<Finding>) {
    let out = plugin.folder.join("dist").join(&*manifest.name);
    let travel = match Travel::of(&plugin.folder, manifest, &out) {
        Ok(travel) => travel,
        Err(error) => {
            let file = plugin.manifest_file().display().to_string();
            findings.push(Finding::file(
                Level::Error,
                "files",
                file,
                format!("{error:#}"),
            ));
            Travel::default()
        }
    };
    let looked_at = Looked {
        plugin,
        travel: &travel,
        file: plugin.manifest_file().display().to_string(),
    };
    for hook in &manifest.hooks {
        looked_at.files_of(hook, findings);
    }
    looked_at.programs(manifest, env, findings);
    for obstacle in &travel.obstacles {
        let file = plugin.shown.join(&obstacle.path).display().to_string();
        let what = format!("{}; `hookkit build` refuses it", obstacle.what);
        findings.push(Finding::file(Level::Error, "cannot-travel", file, what));
    }
    findings.extend(looked_at.other_versions(manifest));
    findings.extend(looked_at.for_directories(manifest));
}

struct Looked<'l> {
    plugin: &'l Plugin,
    travel: &'l Travel,
    file: String,
}

impl Looked<'_> {
    /// The files that a hook names, on every system.
    fn files_of(&self, hook: &Hook, findings: &mut Vec<Finding>) {
        let error = |code, what: String| Finding::hook(Level::Error, code, &self.file, hook, what);
        for (key, run) in &hook.run_everywhere {
            let starter = run.first().map_or("", |program| &**program);
            for word in run.iter().filter(|word| word.starts_with("./")) {
                let path = normal(word);
                let file = self.plugin.folder.join(&path);
                let found = fs::metadata(&file).ok();
                let what = match &found {
                    None => Some(("file-missing", format!("`{word}` (its `{key}`) is missing"))),
                    Some(found) if !found.is_file() => {
                        Some(("file-missing", format!("`{word}` (its `{key}`) is no file")))
                    }
                    Some(_) if !folder::real(&file).starts_with(&self.plugin.folder) => Some((
                        "file-outside",
                        format!("`{word}` (its `{key}`) is a link that leads out of the plugin"),
                    )),
                    Some(_) if !self.travels(&path) => Some((
                        "file-left",
                        format!(
                            "`{word}` (its `{key}`) does not travel: add it to `files`, or move it \
                             to hooks/"
                        ),
                    )),
                    Some(_) => None,
                };
                match what {
                    Some((code, what)) => findings.push(error(code, what)),
                    None => findings.extend(
                        starts_badly(&file, word, starter).map(|what| error("file-start", what)),
                    ),
                }
            }
            if Path::new(starter).is_absolute() {
                let what =
                    format!("`{starter}` (its `{key}`) exists only on machines like this one");
                let code = "program-absolute";
                findings.push(Finding::hook(Level::Warning, code, &self.file, hook, what));
            }
        }
    }

    fn travels(&self, path: &str) -> bool {
        self.travel.taken.contains_key(path)
            || self
                .travel
                .obstacles
                .iter()
                .any(|obstacle| obstacle.path == path)
    }

    /// The programs that hooks name, on this machine, with nothing of the working directory.
    fn programs(&self, manifest: &Manifest, env: &Env, findings: &mut Vec<Finding>) {
        let nowhere = Env::given(
            env.all(),
            self.plugin.folder.clone(),
            self.plugin.folder.clone(),
        );
        let project = Project::of_session(None, &nowhere);
        let path = search_path(&nowhere, &project);
        let programs = Programs {
            root: &self.plugin.folder,
            project: &project,
            receipt: None,
            path: &path,
            endings: &endings(),
        };
        for hook in &manifest.hooks {
            let Some(program) = hook.run.first() else {
                continue;
            };
            let finding = match programs.command(&[program]) {
                Err(why @ CannotStart::ProgramMissing { .. }) => {
                    let what = format!("cannot start on this machine: {why}");
                    (Level::Warning, "program-missing", what)
                }
                Err(CannotStart::NotExecutable(file)) => {
                    let file = file.strip_prefix(&self.plugin.folder).unwrap_or(&file);
                    let what = format!("{0} is not executable; run chmod +x {0}", file.display());
                    (Level::Error, "not-executable", what)
                }
                _ => continue,
            };
            let (level, code, what) = finding;
            findings.push(Finding::hook(level, code, &self.file, hook, what));
        }
    }

    /// Manifests of other kinds that name another version than hookkit.json.
    fn other_versions(&self, manifest: &Manifest) -> Vec<Finding> {
        const OTHERS: [&str; 6] = [
            ".claude-plugin/plugin.json",
            ".github/plugin/plugin.json",
            ".codex-plugin/plugin.json",
            ".plugin/plugin.json",
            "plugin.json",
            "package.json",
        ];
        let version = |path: &'static str| {
            let text = fs::read(self.plugin.folder.join(path)).ok()?;
            let document: serde_json::Value = serde_json::from_slice(&text).ok()?;
            let version = document["version"].as_str()?.to_owned();
            (version != manifest.version).then_some((path, version))
        };
        let others = OTHERS.into_iter().filter_map(version);
        others
            .map(|(path, version)| {
                let file = self.plugin.shown.join(path).display().to_string();
                let what = format!(
                    "says version {version}, but hookkit.json says {}; all must be the same",
                    manifest.version
                );
                Finding::file(Level::Error, "version-differs", file, what)
            })
            .collect()
    }

    /// What directories of plugins ask for.
    fn for_directories(&self, manifest: &Manifest) -> Vec<Finding> {
        let mut wanted: BTreeMap<&str, String> = BTreeMap::new();
        let find = |prefix: &str| {
            let paths = self.travel.taken.iter();
            paths
                .filter(|(path, _)| !path.contains('/'))
                .find(|(path, _)| path.to_uppercase().starts_with(prefix))
        };
        match find("README") {
            None => {
                wanted.insert(
                    "readme",
                    "there is no README; directories of plugins want one".into(),
                );
            }
            Some((_, file)) => {
                let words =
                    fs::read_to_string(file).map_or(0, |text| text.split_whitespace().count());
                if words < WORDS_OF_README {
                    let what = format!(
                        "the README has {words} words; Claude's directory wants {WORDS_OF_README}"
                    );
                    wanted.insert("readme", what);
                }
            }
        }
        if find("LICEN").is_none() {
            let what = "there is no LICENSE; directories of plugins want one";
            wanted.insert("license", what.into());
        }
        for (key, is_there) in [
            ("description", manifest.description.is_some()),
            ("author", manifest.author.is_some()),
        ] {
            if !is_there {
                let what = format!("`{key}` is missing; directories of plugins want it");
                wanted.insert(key, what);
            }
        }
        wanted
            .into_iter()
            .map(|(code, what)| Finding::file(Level::Note, code, self.file.clone(), what))
            .collect()
    }
}

/// `claude plugin validate` of 2.1.332 names this number.
const WORDS_OF_README: usize = 40;

/// Why a file would not start as it is meant to.
fn starts_badly(file: &Path, word: &str, starter: &str) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let first = bytes
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let is_started = word == starter;
    let is_script = bytes.starts_with(b"#!");
    if is_started && is_script && first.ends_with(b"\r") {
        return Some(format!(
            "`{word}` has the line ends of Windows: the system looks for an interpreter whose name \
             ends in a carriage return; save it with LF"
        ));
    }
    if is_started && bytes.starts_with(b"\xef\xbb\xbf") {
        return Some(format!(
            "`{word}` begins with a byte order mark, so the system does not see its #! line; save \
             it without"
        ));
    }
    let is_text = !bytes.iter().take(512).any(|byte| *byte == 0);
    if is_started && !is_script && is_text && !bytes.starts_with(b"MZ") {
        return Some(format!(
            "`{word}` has no #! line, so the system cannot start it; add one, or name its \
             interpreter in `run`"
        ));
    }
    let is_for_shell = matches!(starter, "sh" | "bash");
    if is_for_shell && first.ends_with(b"\r") {
        return Some(format!(
            "`{word}` has the line ends of Windows, which {starter} takes for part of the words; \
             save it with LF"
        ));
    }
    None
}
