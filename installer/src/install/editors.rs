//! Every VS Code of a user: where each keeps its settings, for each profile.

use fs_err as fs;
use hookkit_dispatch::env::Env;
use std::path::{Path, PathBuf};

/// Names of its folders, in the order in which they are preferred.
const EDITIONS: [&str; 3] = ["Code", "Code - Insiders", "VSCodium"];

/// The folders of the part of it that runs on another machine than its window, below the home.
const SERVERS: [&str; 3] = [
    ".vscode-server",
    ".vscode-server-insiders",
    ".vscodium-server",
];

/// The folders with a `settings.json`, each with those of its profiles; where there is none, the one
/// that would be the first.
pub(crate) fn folders(env: &Env) -> Option<Vec<PathBuf>> {
    let config = config(env)?;
    let editions = EDITIONS.map(|edition| config.join(edition).join("User"));
    let portable = env
        .get("VSCODE_PORTABLE")
        .map(|portable| PathBuf::from(portable).join("user-data").join("User"));
    let of_home = |home: PathBuf| SERVERS.map(|server| home.join(server).join("data/Machine"));
    let servers = env.home().map(of_home);
    let first = editions[0].clone();
    let there: Vec<PathBuf> = portable
        .into_iter()
        .chain(editions)
        .chain(servers.into_iter().flatten())
        .filter(|folder| folder.is_dir())
        .flat_map(with_profiles)
        .collect();
    Some(if there.is_empty() { vec![first] } else { there })
}

/// A folder, and those of its profiles: what the settings of one say counts in no other.
fn with_profiles(folder: PathBuf) -> Vec<PathBuf> {
    let profiles = fs::read_dir(folder.join("profiles"));
    let mut found: Vec<PathBuf> = profiles
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|profile| profile.is_dir())
        .collect();
    found.sort();
    found.insert(0, folder);
    found
}

fn config(env: &Env) -> Option<PathBuf> {
    let absolute = |name: &str| {
        let named = env.get(name).map(PathBuf::from);
        named.filter(|folder: &PathBuf| Path::is_absolute(folder))
    };
    if cfg!(windows) {
        return absolute("APPDATA");
    }
    if cfg!(target_os = "macos") {
        return Some(env.home()?.join("Library/Application Support"));
    }
    absolute("XDG_CONFIG_HOME").or_else(|| Some(env.home()?.join(".config")))
}
