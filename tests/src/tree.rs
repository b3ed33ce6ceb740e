//! A portable tree: what `hookkit build` makes of a plugin and what a client loads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs_err as fs;
use serde_json::Value;

use crate::folder::Folder;
use crate::process::Program;
use crate::program;

/// A tree on disk, gone with its last copy.
#[derive(Debug, Clone)]
pub struct Tree {
    folder: Arc<Folder>,
    plugin: String,
    marketplace: String,
}

impl Tree {
    /// Builds the plugin in this folder with `hookkit build`, for this machine.
    pub fn build(plugin: &Path) -> Self {
        Self::build_with(plugin, &program::dispatcher(), &[])
    }

    /// Builds it with this dispatcher, or folder of dispatchers, and these words beside it.
    pub fn build_with(plugin: &Path, dispatcher: &Path, words: &[&str]) -> Self {
        let folder = Folder::new("tree");
        let home = Folder::new("home");
        let built = Program::new(program::hookkit())
            .arg("build")
            .arg(plugin)
            .arg("--dispatcher")
            .arg(dispatcher)
            .args(words)
            .arg("--out")
            .arg(folder.join("tree"))
            .env("HOME", &*home)
            .run();
        assert!(built.exited(0), "hookkit build {} works", plugin.display());
        Self::in_folder(folder)
    }

    /// A tree that a test wrote by hand, in the folder `tree` of this one.
    pub fn in_folder(folder: Folder) -> Self {
        let named = |file: &str| {
            let file = folder.join("tree/.claude-plugin").join(file);
            let document: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
            document["name"]
                .as_str()
                .expect("a plugin and a marketplace have names")
                .to_owned()
        };
        Self {
            plugin: named("plugin.json"),
            marketplace: named("marketplace.json"),
            folder: Arc::new(folder),
        }
    }

    /// Its folder.
    pub fn path(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// The plugin's name.
    pub fn plugin(&self) -> &str {
        &self.plugin
    }

    /// The name of the folder marketplace that the tree is.
    pub fn marketplace(&self) -> &str {
        &self.marketplace
    }
}
