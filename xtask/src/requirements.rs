//! `cargo xtask requirements [--check]`: docs/requirements.md, from docs/requirements.txt and the
//! names of the tests.
//!
//! In the text a line `== TITLE` begins a group, `R12 TEXT` a rule, and an indented line below it
//! is one of its answers:
//!
//! | answer | what follows it |
//! |---|---|
//! | `test` | a file and the names of tests in it that hold the rule |
//! | `page` | a document or source that answers it |
//! | `later` | the part of the product, which does not exist yet, that it belongs to |
//! | `none` | why it does not apply |
//! | `note` | what somebody who reads the rule should know |

mod page;
mod rules;
mod tests_in;

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use crate::workspace::Workspace;

const SOURCE: &str = "docs/requirements.txt";
const PAGE: &str = "docs/requirements.md";

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut only_check = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("check") => only_check = true,
            other => return Err(other.unexpected().into()),
        }
    }
    if only_check {
        return check(workspace);
    }
    fs::write(workspace.root.join(PAGE), made(workspace)?)?;
    Ok(())
}

/// Fails when a named test or page is gone, a rule is missing, or the page is not what would be
/// written now.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let present = fs::read_to_string(workspace.root.join(PAGE))?.replace("\r\n", "\n");
    ensure!(
        present == made(workspace)?,
        "{PAGE} is not up to date; run `cargo xtask requirements`"
    );
    Ok(())
}

fn made(workspace: &Workspace) -> Result<String> {
    let text = fs::read_to_string(workspace.root.join(SOURCE))?;
    let groups = rules::read(&text).with_context(|| format!("in {SOURCE}"))?;
    let faults = faults(workspace, &groups)?;
    if !faults.is_empty() {
        bail!(
            "{SOURCE} names what is not there:\n  {}",
            faults.join("\n  ")
        );
    }
    Ok(page::write(&groups))
}

/// Answers that name a test or a file which is not there.
fn faults(workspace: &Workspace, groups: &[rules::Group]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for rule in groups.iter().flat_map(|group| &group.rules) {
        let number = rule.number;
        for answer in &rule.answers {
            let (rules::Answer::Tests { file, .. } | rules::Answer::Page(file)) = answer else {
                continue;
            };
            let path = workspace.root.join(file);
            if !path.exists() {
                faults.push(format!("R{number}: {file}"));
                continue;
            }
            let rules::Answer::Tests { names, .. } = answer else {
                continue;
            };
            let source = fs::read_to_string(path)?;
            let present = tests_in::names(&source);
            faults.extend(
                names
                    .iter()
                    .filter(|name| !present.contains(&name.as_str()))
                    .map(|name| format!("R{number}: {file} has no test `{name}`")),
            );
        }
    }
    Ok(faults)
}
