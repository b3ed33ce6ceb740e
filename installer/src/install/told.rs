//! What hosts are told, as changes of their files.

use super::double::{Double, WayOut};
use super::known;
use super::local;
use super::machine::Found;
use super::receipt::{Entered, Member};
use super::settings::{self, Settings};
use crate::edit::{Change, Refused};
use crate::outcome::Stop;
use fs_err as fs;
use hookkit_launchers::install::{At, Installed, Says, Told};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How others may read a file that is ours as a whole.
const MODE: u32 = 0o644;

/// What becomes of one file, and what the receipt keeps of it; nothing where nothing of ours stays.
pub(crate) struct Edited {
    pub(crate) change: Change,
    pub(crate) entered: Option<Entered>,
}

/// A member, and what it shall say.
pub(crate) type Wish = (Vec<String>, Value);

/// Everything that one host is told, what is local in these repositories, and `more` of its own
/// settings; `entered` is what earlier runs told any host, and `doubles` is what it is told elsewhere
/// and shall not be any more.
///
/// First comes what goes, so that a host is never told twice.
pub(crate) fn tell(
    found: &Found,
    plugin: &Installed,
    repositories: &[PathBuf],
    entered: &[Entered],
    doubles: &[Double],
    more: &[Wish],
) -> Result<Vec<Edited>, Stop> {
    let mut told: Vec<(PathBuf, Says)> = Vec::new();
    for Told { file, says } in found.host.told(plugin) {
        match file {
            At::User(file) => told.extend(
                found
                    .folders()
                    .map(|folder| (folder.join(&file), says.clone())),
            ),
            At::Repository(file) => {
                for repository in repositories {
                    let file = repository.join(file);
                    local::check(repository, &file)?;
                    told.push((file, says.clone()));
                }
            }
        }
    }
    if let Some((_, Says::Members(members))) =
        told.iter_mut().find(|(file, _)| *file == found.settings())
    {
        members.extend_from_slice(more);
    }
    for Double { file, .. } in doubles {
        if told.iter().all(|(known, _)| known != file) {
            told.push((file.clone(), Says::Members(Vec::new())));
        }
    }
    let is_replaced =
        |earlier: &Entered| earlier.members.is_empty() && !earlier.replaced.is_empty();
    let is_told = |file: &Path| told.iter().any(|(known, _)| known == file);
    let mut edited = Vec::new();
    for earlier in entered
        .iter()
        .filter(|earlier| earlier.host == found.name())
    {
        if is_replaced(earlier) && !is_told(&earlier.undo.file) {
            edited.push(Edited {
                change: settings::open(&earlier.undo.file)?.change(),
                entered: Some(earlier.clone()),
            });
        } else if !is_told(&earlier.undo.file) {
            let change = take_out(earlier, &plugin.manifest.name)?;
            edited.push(Edited {
                change,
                entered: None,
            });
        }
    }
    for (file, says) in told {
        let earlier = entered.iter().find(|earlier| earlier.undo.file == file);
        edited.push(match says {
            Says::Members(members) => set(found, &file, &members, earlier, doubles)?,
            Says::Whole(bytes) => whole(found, &file, bytes, earlier, plugin)?,
            Says::Copy(bytes) => copy(found, &file, bytes, earlier)?,
        });
    }
    Ok(edited)
}

/// Sets the members in a file of the user's.
fn set(
    found: &Found,
    file: &Path,
    wanted: &[Wish],
    earlier: Option<&Entered>,
    doubles: &[Double],
) -> Result<Edited, Stop> {
    let by_hand = |refused: Refused| by_hand(&refused, file, wanted);
    let is_wanted = |member: &&Member| wanted.iter().any(|(at, _)| *at == member.at);
    let known = earlier.map_or(&[][..], |earlier| &earlier.members);
    let mut document = match settings::open(file) {
        Ok(document) => document,
        Err(refused) => {
            let is_more_to_do = doubles.iter().any(|double| double.file == file)
                || !known.iter().all(|member| is_wanted(&member));
            let there = told_already(file, wanted).filter(|_| !is_more_to_do);
            return Ok(Edited {
                change: there.ok_or_else(|| by_hand(refused))?,
                entered: earlier.cloned(),
            });
        }
    };
    for member in known.iter().filter(|member| !is_wanted(member)) {
        document.remove(member)?;
    }
    let mut members = Vec::new();
    for (at, value) in wanted {
        let known = known.iter().find(|known| known.at == *at);
        let member = known.cloned().unwrap_or_else(|| Member {
            at: at.clone(),
            made: missing(&*document, at),
        });
        document.set(&member.keys(), value).map_err(by_hand)?;
        members.push(member);
    }
    let mut replaced = earlier.map_or_else(Vec::new, |earlier| earlier.replaced.clone());
    for double in doubles.iter().filter(|double| double.file == file) {
        if let WayOut::Off(at) = &double.way_out {
            document.set(&keys(at), &json!(false))?;
            replaced.push(at.clone());
        }
    }
    let change = document.change();
    let is_new = change.before().is_none();
    let undo = match earlier {
        // What gives the file back as it was before the first of all changes.
        Some(earlier) if change.is_empty() => earlier.undo.clone(),
        _ => change.undo(),
    };
    Ok(Edited {
        change,
        entered: Some(Entered {
            host: found.name().to_owned(),
            members,
            replaced,
            copy: false,
            made: earlier.map_or(is_new, |earlier| earlier.made),
            undo,
        }),
    })
}

/// No change at all, of a file that cannot be edited and holds everything that it shall: somebody
/// put it there by hand, or where the file is made. It is theirs to take away too.
fn told_already(file: &Path, wanted: &[Wish]) -> Option<Change> {
    let document = settings::read(file, &fs::read(file).ok()?).ok()?;
    wanted
        .iter()
        .all(|(at, value)| document.says(&keys(at), value))
        .then(|| document.change())
        .filter(Change::is_empty)
}

/// How many of the objects around a member are not there.
fn missing(document: &dyn Settings, at: &[String]) -> usize {
    let around = at.len().saturating_sub(1);
    let keys = keys(at);
    let is_missing = |depth: &usize| document.value(&keys[..*depth]).is_none();
    (1..=around).filter(is_missing).count()
}

/// A file that cannot be edited, as when something else makes it: what belongs there is said.
fn by_hand(refused: &Refused, file: &Path, wanted: &[Wish]) -> Stop {
    let written = || {
        let mut document = settings::read(file, b"")?;
        for (at, value) in wanted {
            document.set(&keys(at), value)?;
        }
        Ok::<String, Refused>(document.text())
    };
    match written() {
        Ok(text) => Stop::refused(format!(
            "{refused}. Nothing was changed. What belongs there is\n{}",
            text.trim_end()
        )),
        Err(fault) => Stop::from(fault),
    }
}

/// Writes a file of which all is ours.
fn whole(
    found: &Found,
    file: &Path,
    bytes: Vec<u8>,
    earlier: Option<&Entered>,
    plugin: &Installed,
) -> Result<Edited, Stop> {
    let change = Change::create_or_replace(file, bytes, MODE)?;
    let is_ours = |bytes: &[u8]| super::known::is_hooks_file(bytes, &plugin.manifest.name);
    if earlier.is_none() && change.before().is_some_and(|before| !is_ours(before)) {
        return Err(Stop::refused(format!(
            "{} is there already and not hookkit's; move it away, or rename the plugin",
            file.display()
        )));
    }
    Ok(all_ours(found, change, earlier, false))
}

/// Writes a copy into a folder that the host has for this plugin.
fn copy(
    found: &Found,
    file: &Path,
    bytes: Vec<u8>,
    earlier: Option<&Entered>,
) -> Result<Edited, Stop> {
    let change = Change::create_or_replace(file, bytes, MODE)?;
    Ok(all_ours(found, change, earlier, true))
}

/// Takes out what a receipt says is ours: the file as it was before, where nobody else changed it
/// since, else without our members.
pub(crate) fn take_out(entered: &Entered, plugin: &str) -> Result<Change, Refused> {
    let file = &entered.undo.file;
    if entered.copy {
        return entered.undo.delete();
    }
    if entered.members.is_empty() && entered.replaced.is_empty() {
        let all = |document: &mut crate::edit::Document| {
            ["version", "hooks"]
                .iter()
                .try_for_each(|key| document.remove(&[key], 0))
        };
        return entered.undo.change(all);
    }
    let change = settings::undo(&entered.undo, |document| remove(document, entered, plugin))?;
    let Some(after) = change.after() else {
        return Ok(change);
    };
    let holds_nothing = matches!(after.trim_ascii(), b"{}" | b"");
    if entered.made && holds_nothing {
        return entered.undo.delete();
    }
    // The bytes before may hold our members too, where they were there before the receipt.
    let before = settings::read(file, after)?;
    if entered
        .members
        .iter()
        .all(|member| before.value(&member.keys()).is_none())
    {
        return Ok(change);
    }
    let mut document = settings::open(file)?;
    remove(&mut *document, entered, plugin)?;
    Ok(document.change())
}

fn remove(document: &mut dyn Settings, entered: &Entered, plugin: &str) -> Result<(), Refused> {
    for member in &entered.members {
        document.remove(member)?;
    }
    // What the host itself wrote about it, as that a person trusts it.
    for member in known::noted(document, plugin) {
        document.remove(&member)?;
    }
    for at in &entered.replaced {
        // Whoever changed it since decided otherwise.
        if document.value(&keys(at)) == Some(json!(false)) {
            document.set(&keys(at), &json!(true))?;
        }
    }
    Ok(())
}

fn keys(at: &[String]) -> Vec<&str> {
    at.iter().map(String::as_str).collect()
}

/// A file that is ours as a whole.
fn all_ours(found: &Found, change: Change, earlier: Option<&Entered>, copy: bool) -> Edited {
    let undo = earlier.map_or_else(|| change.undo(), |earlier| earlier.undo.clone());
    Edited {
        change,
        entered: Some(Entered {
            host: found.name().to_owned(),
            members: Vec::new(),
            replaced: Vec::new(),
            copy,
            made: true,
            undo,
        }),
    }
}
