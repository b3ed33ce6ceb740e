//! Starts the dispatcher exactly as each host was told to, before an installation counts as done.

use super::installation::Told;
use super::record::Record;
use super::repository::Place;
use anyhow::{Context as _, Result, ensure};
use hookkit_dispatch::env::Env;
use hookkit_dispatch::folder::Project;
use hookkit_dispatch::interpreter;
use hookkit_launchers::{Target, repository};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Every launch line starts on this machine, where the tree holds a dispatcher for it. No hook is run
/// for it.
pub(crate) fn prove(record: &Record, told: &[Told], place: &Place, env: &Env) -> Result<()> {
    let is_for_here = Target::of_this_machine()
        .is_some_and(|here| record.targets.iter().any(|name| name == here.name()));
    if !is_for_here || cfg!(windows) {
        return Ok(());
    }
    for told in told {
        let mut program = vec![place.root.join(repository::selector(&place.plugin))];
        if !told.is_claude_code() {
            let Some(bash) = bash(env) else { continue };
            program = vec![bash, place.tree.join("run.sh")];
        }
        start(&program, told, place)?;
    }
    Ok(())
}

fn bash(env: &Env) -> Option<PathBuf> {
    let nowhere = Project::of_session(None, env);
    interpreter::search_path(env, &nowhere)
        .into_iter()
        .map(|folder| folder.join("bash"))
        .find(|file| file.is_file())
}

fn start(program: &[PathBuf], told: &Told, place: &Place) -> Result<()> {
    let Some(entry) = told.registration.entries.first() else {
        return Ok(());
    };
    let said = Command::new(&program[0])
        .args(&program[1..])
        .args(told.registration.args(entry))
        .arg("--version")
        .current_dir(&place.root)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} does not start", program[0].display()))?;
    let text = String::from_utf8_lossy(&said.stdout);
    ensure!(
        said.status.success() && text.starts_with("hookkit-dispatch "),
        "the dispatcher in {} does not start as {} would start it: {}",
        place.tree.display(),
        told.hosts.join(" and "),
        String::from_utf8_lossy(&said.stderr).trim()
    );
    Ok(())
}
