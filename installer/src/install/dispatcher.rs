//! The one dispatcher of a data folder. It only goes up: plugins were installed for the version that
//! is there, or for an older one.

use super::data::Data;
use super::plan::{Plan, Step};
use super::version;
use crate::itself::release_folder;
use crate::outcome::Stop;
use crate::tree::Dispatchers;
use fs_err as fs;
use hookkit_dispatch::env::Env;
use hookkit_launchers::{Target, install};
use std::cmp::Ordering;
use std::path::Path;
use std::process::{Command, Stdio};

/// Puts the dispatcher that stands beside `hookkit` in its place, where the one there is older.
///
/// Thin folders hold it under a name of their own, so each gets the new one too.
pub(crate) fn renew(plan: &mut Plan, data: &Data, env: &Env) -> Result<(), Stop> {
    let place = data.dispatcher();
    let fresh = sibling(env)?;
    if fs::read(&place).is_ok_and(|found| found == fresh) || is_newer(&place) {
        return Ok(());
    }
    plan.folder(&data.folder().join("bin"));
    plan.push(Step::File {
        path: place.clone(),
        bytes: fresh,
        mode: 0o755,
    });
    for plugin in data.plugins() {
        let path = data.thin(&plugin).join(install::DISPATCHER);
        if path.exists() {
            plan.push(Step::Link {
                path,
                to: place.clone(),
            });
        }
    }
    Ok(())
}

fn sibling(env: &Env) -> Result<Vec<u8>, Stop> {
    let target = Target::of_this_machine()
        .ok_or_else(|| Stop::unusable("there is no dispatcher for this machine"))?;
    let folder = release_folder(env)
        .ok_or_else(|| Stop::unusable("this program's own folder cannot be found"))?;
    Dispatchers::in_folder(&folder, target).map_err(|why| Stop::Unusable(why.into()))
}

/// Is the dispatcher there of a newer version than this program?
fn is_newer(file: &Path) -> bool {
    let said = Command::new(file)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let Ok(said) = said else { return false };
    let said = String::from_utf8_lossy(&said.stdout);
    let mut words = said.split_whitespace();
    let is_ours = words.next() == Some("hookkit-dispatch");
    let version = words.next().filter(|_| is_ours);
    version.is_some_and(|version| {
        version::compare(version, hookkit_dispatch::version()) == Some(Ordering::Greater)
    })
}
