//! Programs, interpreters and scripts as they lie on this machine: nothing is started to look at them.

mod bytes;
mod path;

use super::codes::{dispatcher as code, launch, programs as script};
use super::finding::Finding;
use super::git::Index;
use super::starts::{Start, Starts};
use bytes::Head;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::{folder, interpreter};
pub(super) use path::Search;
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is known of files and of the PATH; each is looked at once.
pub(super) struct Machine {
    pub(super) search: Search,
    heads: RefCell<HashMap<PathBuf, Option<Rc<Head>>>>,
    indices: RefCell<HashMap<PathBuf, Option<Rc<Index>>>>,
}

impl Machine {
    pub(super) fn of(env: &Env) -> Self {
        Self {
            search: Search::of(env),
            heads: RefCell::default(),
            indices: RefCell::default(),
        }
    }

    /// How a file begins; none where there is no such file.
    fn head(&self, file: &Path) -> Option<Rc<Head>> {
        let mut heads = self.heads.borrow_mut();
        let known = heads
            .entry(file.to_owned())
            .or_insert_with(|| Head::read(file).map(Rc::new));
        known.clone()
    }

    /// The index of the repository that a file lies in, and the file's path in it.
    pub(super) fn index(&self, file: &Path) -> Option<(Rc<Index>, String)> {
        let root = folder::git_root(file.parent()?)?;
        let mut indices = self.indices.borrow_mut();
        let index = indices
            .entry(root.to_owned())
            .or_insert_with(|| Index::read(root).map(Rc::new))
            .clone()?;
        let path = file.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
        Some((index, path))
    }
}

/// What is wrong with what one text starts; the findings have no place yet.
pub(super) fn judge(
    starts: &Starts,
    is_alone: bool,
    root: Option<&Path>,
    machine: &Machine,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for start in &starts.starts {
        match start {
            Start::Named(name) => findings.extend(named(name, starts, machine)),
            Start::Program(file) => {
                program(file, starts, is_alone, machine, &mut findings);
                findings.extend(leads_out(file, root));
            }
            Start::Script { file, family } => {
                scripts(file, family, starts, machine, &mut findings);
                findings.extend(leads_out(file, root));
            }
        }
    }
    findings
}

fn named(name: &str, starts: &Starts, machine: &Machine) -> Option<Finding> {
    let Some(file) = machine.search.find(name) else {
        let is_powershell = matches!(name, "pwsh" | "powershell");
        let code = if is_powershell {
            &launch::NO_PWSH
        } else {
            &script::INTERPRETER_MISSING
        };
        let what = format!("`{name}` is in no folder of the PATH");
        return (!starts.is_guarded).then(|| Finding::new(code, what));
    };
    if path::is_store_alias(&file) {
        let what = format!(
            "`{name}` is {}, the Microsoft Store's alias",
            file.display()
        );
        return Some(Finding::new(&script::STORE_ALIAS, what));
    }
    if path::is_wsl_relay(&file) {
        let what = format!("`{name}` is {}, the relay to WSL", file.display());
        return Some(Finding::new(&script::WSL_STUB, what));
    }
    machine.search.is_of_shell(&file).then(|| {
        let what = format!(
            "`{name}` is {}, which only a shell's start files may find",
            file.display()
        );
        Finding::new(&script::SHELL_ONLY, what)
    })
}

fn program(
    file: &Path,
    starts: &Starts,
    is_alone: bool,
    machine: &Machine,
    findings: &mut Vec<Finding>,
) {
    let file = &*interpreter::file_of(file).unwrap_or_else(|| file.to_owned());
    let shown = file.display();
    let mut say = |code, what: String| findings.push(Finding::new(code, what));
    if let Some(what) = dangling(file) {
        return say(&script::LINK_DANGLING, what);
    }
    let Some(head) = machine.head(file) else {
        if !starts.is_guarded {
            say(&code::MISSING, format!("{shown} is missing"));
        }
        return;
    };
    if head.is_folder {
        return say(&code::MISSING, format!("{shown} is a folder"));
    }
    if let Some(version) = path::versioned(file) {
        say(
            &code::VERSIONED,
            format!("{shown} holds `{version}`, which the next upgrade removes"),
        );
    }
    if !head.is_executable && !starts.is_repaired {
        let finding = Finding::new(&code::NOT_EXECUTABLE, format!("{shown} is not executable"));
        findings.push(finding.fixed_by(format!("chmod +x {shown}")));
    } else if let Some((index, path)) = machine.index(file)
        && index.mode(&path) == Some(0o100_644)
        && head.is_executable
    {
        let finding = Finding::new(
            &code::INDEX_MODE,
            format!("git holds {path} without its executable bit"),
        );
        findings.push(finding.fixed_by(format!("git update-index --chmod=+x {path}, and commit")));
    }
    let mut say = |code, what: String| findings.push(Finding::new(code, what));
    if let Some(target) = head.link_as_text(file, machine.index(file)) {
        return say(
            &script::LINK_AS_TEXT,
            format!("{shown} holds the text `{target}` in place of a link"),
        );
    }
    if head.has_mark {
        say(
            &code::MARK,
            format!("{shown} begins with a byte order mark"),
        );
    } else if head.has_shebang && head.ends_in_return {
        say(
            &code::CRLF,
            format!("the #! line of {shown} ends in a carriage return"),
        );
    } else if let Some(other) = head.other_machine() {
        say(&code::OTHER_MACHINE, format!("{shown} is for {other}"));
    } else if is_alone && head.is_text && !head.has_shebang {
        say(&code::NO_SHEBANG, format!("{shown} has no #! line"));
    }
    if bytes::is_noexec(file) {
        say(
            &code::NOEXEC,
            format!("{shown} is on a mount from which nothing starts"),
        );
    }
    if let Some(mark) = bytes::quarantine(file) {
        say(&code::QUARANTINE, format!("{shown} carries {mark}"));
    }
}

fn scripts(
    file: &Path,
    family: &str,
    starts: &Starts,
    machine: &Machine,
    findings: &mut Vec<Finding>,
) {
    let shown = file.display();
    let mut say = |code, what: String| findings.push(Finding::new(code, what));
    if let Some(what) = dangling(file) {
        return say(&script::LINK_DANGLING, what);
    }
    let Some(head) = machine.head(file) else {
        if !starts.is_guarded {
            let what = match family {
                "python" => format!("{shown} is missing, and python then exits with 2, a refusal"),
                _ => format!("{shown} is missing"),
            };
            say(&script::SCRIPT_MISSING, what);
        }
        return;
    };
    if let Some(target) = head.link_as_text(file, machine.index(file)) {
        return say(
            &script::LINK_AS_TEXT,
            format!("{shown} holds the text `{target}` in place of a link"),
        );
    }
    if let Some(version) = path::versioned(file) {
        say(
            &code::VERSIONED,
            format!("{shown} holds `{version}`, which the next upgrade removes"),
        );
    }
    let is_shell = matches!(family, "sh" | "bash" | "dash" | "zsh" | "ksh");
    if is_shell && head.has_mark {
        say(
            &script::SCRIPT_MARK,
            format!("{shown} begins with a byte order mark"),
        );
    } else if is_shell && head.ends_in_return {
        say(
            &script::SCRIPT_CRLF,
            format!("{shown} has the line ends of Windows"),
        );
    }
}

fn dangling(file: &Path) -> Option<String> {
    let is_link = file
        .symlink_metadata()
        .is_ok_and(|found| found.is_symlink());
    (is_link && fs::metadata(file).is_err())
        .then(|| format!("{} is a link that leads nowhere", file.display()))
}

/// A file of a plugin that lies elsewhere.
fn leads_out(file: &Path, root: Option<&Path>) -> Option<Finding> {
    let root = folder::real(root?);
    let is_inside = file.starts_with(&root) || folder::real(file.parent()?).starts_with(&root);
    let target = folder::real(file);
    (is_inside && file.exists() && !target.starts_with(&root)).then(|| {
        let what = format!(
            "{} leads out of the plugin, to {}",
            file.display(),
            target.display()
        );
        Finding::new(&script::LINK_OUT, what)
    })
}
