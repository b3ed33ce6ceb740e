//! A plugin that is installed on a machine: what lies in the data folder for the hosts to load, and
//! what their settings say.
//!
//! The plugin itself lies in `store/NAME/VERSION`, the one dispatcher in `bin/`. A host is shown a
//! *thin* folder, `market/NAME`, which is a plugin and a marketplace with that plugin in it; it holds
//! manifests, hook files, the dispatcher once more, and a `hookkit.json` that points to the
//! installation. Nothing in it names a version of the plugin's files, so an update need not touch it.

use crate::host::{self, Launch};
use crate::{Entry, File, Registration, json};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::root::MANIFEST;
use serde::Serialize;
use serde_json::Value;

/// The setting of VS Code that names folders of plugins, each with true or false.
pub const LOCATIONS: &str = "chat.pluginLocations";

/// Where the dispatcher stands in a thin folder.
pub const DISPATCHER: &str = if cfg!(windows) {
    "dispatch/hookkit-dispatch.exe"
} else {
    "dispatch/hookkit-dispatch"
};

/// A host that hookkit installs into.
pub trait Install: Launch {
    /// Another host that is told by the same files.
    fn also(&self) -> Option<&'static dyn Launch> {
        None
    }

    /// Where its folder of the user's settings is.
    fn user_folder(&self) -> UserFolder;

    /// Its program.
    fn program(&self) -> &'static str;

    /// Its package on npm, if it is one.
    fn package(&self) -> Option<&'static str>;

    /// The file in that folder that says which plugins it has.
    fn settings(&self) -> &'static str {
        "settings.json"
    }

    /// A file in that folder with hooks of the user's own, in groups as Claude Code has them.
    fn hooks_of_user(&self) -> Option<&'static str> {
        None
    }

    /// Does it start a plugin's hooks only once the user has trusted them as they are?
    fn asks_for_trust(&self) -> bool {
        false
    }

    /// The event on which its settings change in mid-session.
    fn settings_event(&self) -> Option<&'static str> {
        None
    }

    /// Its files in the thin folder.
    fn thin(&self, plugin: &Installed) -> Vec<File>;

    /// What is written into files of settings, in the order in which that does no harm.
    fn told(&self, plugin: &Installed) -> Vec<Told>;

    /// The files of settings that it reads from a repository, below its root.
    fn settings_of_repository(&self) -> &'static [&'static str];

    /// The one of them that is one person's own, and no part of the repository, if it has one.
    fn local_settings(&self) -> Option<&'static str>;

    /// Does it read settings with comments or commas at the end of a list in them?
    fn reads_comments(&self) -> bool {
        true
    }

    /// Does it read `.github/hooks` of a repository?
    fn reads_hooks_of_repository(&self) -> bool {
        false
    }

    /// What its client itself writes down about a plugin that it loaded, below the folder of the
    /// user's settings.
    fn traces(&self, place: &Place) -> Traces;

    /// The program that it starts for an entry.
    fn starts(&self, place: &Place) -> String;

    /// What the repository that is worked on can still do, in a few words each.
    fn remains(&self, plugin: &Installed) -> &'static [&'static str];
}

/// Every host that hookkit installs into, in the order of the documentation.
pub const ALL: &[&dyn Install] = &[
    &host::ClaudeCode,
    &host::CopilotCli,
    &host::Codex,
    &host::VsCode,
];

/// The host of this name, if hookkit installs into it.
pub fn by_name(name: &str) -> Option<&'static dyn Install> {
    ALL.iter()
        .copied()
        .find(|host| names(*host).any(|known| known == name))
}

/// The host's name, and that of the one that is told with it.
pub fn names(host: &'static dyn Install) -> impl Iterator<Item = &'static str> {
    let also = host.also().map(|also| also.host().name());
    [host.host().name()].into_iter().chain(also)
}

/// Where a host keeps the user's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFolder {
    /// In the folder that a variable names, else in this one below the home.
    Of {
        variable: &'static str,
        below_home: &'static str,
    },
    /// In those of every VS Code that is there.
    Editors,
}

/// Where a plugin counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For one user, in every folder.
    User,
    /// For one user, in some repositories.
    Local,
}

/// A file of a host, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub file: At,
    pub says: Says,
}

/// Where a file of a host lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// Below the folder of the user's settings.
    User(String),
    /// Below the root of each repository that is meant.
    Repository(&'static str),
}

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// These members, by the keys that lead to them; the rest is the user's.
    Members(Vec<(Vec<String>, Value)>),
    /// All of it is ours.
    Whole(Vec<u8>),
    /// The same, in a folder of the host's own for this plugin: whatever becomes of it there is a
    /// copy's fate.
    Copy(Vec<u8>),
}

/// What a client leaves of a plugin that it loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Folders of its own for this plugin.
    pub folders: Vec<String>,
    /// Members of its registries, by file and keys.
    pub members: Vec<(&'static str, Vec<String>)>,
}

/// Where an installation lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    data: String,
    /// The data folder in a spelling without blanks, where Windows has one and it needs one.
    short: Option<String>,
    digits: String,
    plugin: String,
}

impl Place {
    /// `data` is the data folder, absolute; `digits` are eight that no other data folder has.
    pub fn new(data: &str, digits: &str, plugin: &str) -> Self {
        Self {
            data: data.to_owned(),
            short: None,
            digits: digits.to_owned(),
            plugin: plugin.to_owned(),
        }
    }

    /// The same place, with another spelling of the data folder for lines that a shell reads.
    #[must_use]
    pub fn spelled(self, short: Option<String>) -> Self {
        Self { short, ..self }
    }

    /// The name of the marketplace that the thin folder is. Two data folders never share one, and a
    /// repository has to know the digits to put its own plugin in its place.
    pub fn marketplace(&self) -> String {
        format!("hookkit-{}-{}", self.plugin, self.digits)
    }

    /// The plugin's name.
    pub fn plugin(&self) -> &str {
        &self.plugin
    }

    /// The plugin as hosts name it in their settings.
    pub fn id(&self) -> String {
        format!("{}@{}", self.plugin, self.marketplace())
    }

    /// The thin folder.
    pub fn thin(&self) -> String {
        self.below(&format!("market/{}", self.plugin))
    }

    /// The dispatcher.
    pub fn dispatcher(&self) -> String {
        self.below(DISPATCHER_IN_BIN)
    }

    /// The dispatcher as it stands in a line that a shell reads.
    pub(crate) fn dispatcher_in_line(&self) -> String {
        below(self.short.as_ref().unwrap_or(&self.data), DISPATCHER_IN_BIN)
    }

    /// A folder that never goes away.
    pub(crate) fn ground(&self) -> &str {
        if cfg!(windows) {
            self.data.get(..3).unwrap_or("C:\\")
        } else {
            "/"
        }
    }

    fn below(&self, path: &str) -> String {
        below(&self.data, path)
    }
}

const DISPATCHER_IN_BIN: &str = if cfg!(windows) {
    "bin/hookkit-dispatch.exe"
} else {
    "bin/hookkit-dispatch"
};

fn below(folder: &str, path: &str) -> String {
    if cfg!(windows) {
        format!("{folder}\\{}", path.replace('/', "\\"))
    } else {
        format!("{folder}/{path}")
    }
}

/// The version of a plugin that is in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Its folder in the store.
    pub version: String,
    /// The sums of its files, as `sha256sum -c` reads them.
    pub sums: String,
}

/// A plugin, its place, and what one host is told about it.
pub struct Installed<'m> {
    pub manifest: &'m Manifest<'m>,
    pub place: Place,
    pub scope: Scope,
    pub stored: Stored,
    pub registration: Registration,
}

impl<'m> Installed<'m> {
    /// What a host is told about an installed plugin: beside the events of its hooks the one on
    /// which settings change, where a gate is required.
    pub fn of(
        manifest: &'m Manifest<'m>,
        place: Place,
        scope: Scope,
        stored: Stored,
        host: &'static dyn Install,
    ) -> Self {
        let mut registration = Registration::read_by(manifest, host);
        registration.version = host.asks_for_trust().then(|| stored.version.clone());
        let event = host
            .settings_event()
            .and_then(|event| host.host().contract(event));
        if let Some(contract) = event
            && is_required(&registration)
            && !registration.is_on(contract.event)
        {
            registration.entries.push(Entry::of_hookkit(contract));
        }
        Self {
            manifest,
            place,
            scope,
            stored,
            registration,
        }
    }

    /// Is there a gate that a repository must not switch off?
    pub fn is_required(&self) -> bool {
        is_required(&self.registration)
    }
}

fn is_required(registration: &Registration) -> bool {
    registration
        .entries
        .iter()
        .any(|entry| entry.if_missing == IfMissing::Deny)
}

/// The `hookkit.json` of a thin folder: it points to the installation around it.
pub fn pointer(plugin: &str) -> File {
    #[derive(Serialize)]
    struct Pointer<'p> {
        schema: u8,
        name: &'p str,
        managed: bool,
    }
    let pointer = Pointer {
        schema: 1,
        name: plugin,
        managed: true,
    };
    File::data(MANIFEST, json::document(&pointer))
}
