//! One line in the files that shells read when they start.

use super::Told;
use super::shells::startup_files;
use crate::itself::{Place, Receipt};
use hookkit::edit::{Change, Lines, Lock, Refused};
use hookkit_dispatch::env::Env;

/// Lets every shell of this user find what is in SELF/bin, from its next start on. What is changed
/// is in the receipt on the disk before it is done.
pub(crate) fn tell(
    place: &Place,
    env: &Env,
    receipt: &mut Receipt,
    turn: &Lock,
) -> Result<Told, Refused> {
    let mut told = Told::default();
    let mut changes: Vec<Change> = Vec::new();
    for startup in startup_files(&place.bin(), env) {
        match Lines::open(&startup.file) {
            Ok(mut lines) => {
                lines.add(&startup.line);
                changes.push(lines.change());
                told.places.push(startup.file);
            }
            Err(refused) => told.refused.push(refused),
        }
    }
    changes.retain(|change| change.before() != change.after());
    for change in &changes {
        receipt.told.retain(|undo| undo.file != change.file());
        receipt.told.push(change.undo());
    }
    receipt.write(place, turn)?;
    for change in &changes {
        change.write(turn)?;
    }
    Ok(told)
}

/// Gives every file back as it was, or takes the line out of one that somebody changed since.
pub(crate) fn forget(
    place: &Place,
    env: &Env,
    receipt: &Receipt,
    turn: &Lock,
) -> Result<(), Refused> {
    let lines: Vec<String> = startup_files(&place.bin(), env)
        .into_iter()
        .map(|startup| startup.line)
        .collect();
    for undo in &receipt.told {
        let change = undo.change_lines(|text| lines.iter().for_each(|line| text.remove(line)))?;
        change.write(turn)?;
    }
    Ok(())
}
