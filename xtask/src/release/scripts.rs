//! The install scripts, with the version and the sums of a release in them.

use anyhow::{Result, ensure};
use fs_err as fs;

use crate::dist::Machine;
use crate::sums::Sums;
use crate::workspace::Workspace;

pub(super) const NAMES: [&str; 2] = ["install.sh", "install.ps1"];

/// The text of a script; `archives` has the sums of the archives that there are.
pub(super) fn rendered(workspace: &Workspace, name: &str, archives: &Sums) -> Result<String> {
    let mut text = fs::read_to_string(workspace.root.join("installer/scripts").join(name))?;
    for machine in Machine::ALL {
        let archive = machine.archive_name(&archives.version);
        let sum = archives.of(&archive).unwrap_or_default();
        text = text.replace(&placeholder(machine), sum);
    }
    text = text.replace("@VERSION@", &archives.version);
    ensure!(
        !text.contains("@SUM"),
        "{name} has a placeholder that nothing fills"
    );
    ensure!(text.is_ascii(), "{name} is not plain ASCII");
    Ok(text)
}

fn placeholder(machine: Machine) -> String {
    format!("@SUM_{}@", machine.name().replace('-', "_").to_uppercase())
}
