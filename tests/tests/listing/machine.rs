//! The folders of one person, and what `hookkit list` says of them.

use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, program};
use serde_json::{Value, json};

/// The folders of somebody who uses one agent; the others' folders are empty.
pub(crate) struct Machine<'p> {
    places: &'p Places,
    host: &'static str,
}

impl<'p> Machine<'p> {
    pub(crate) fn of(host: &'static str, places: &'p Places) -> Self {
        Self { places, host }
    }

    pub(crate) fn places(&self) -> &Places {
        self.places
    }

    /// Writes a file below the folder that holds all others: `config/`, `project/`, `home/`.
    pub(crate) fn put(&self, file: &str, content: impl AsRef<[u8]>) -> &Self {
        let file = self.at(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
        self
    }

    pub(crate) fn json(&self, file: &str, content: Value) -> &Self {
        self.put(file, content.to_string())
    }

    pub(crate) fn at(&self, file: &str) -> PathBuf {
        self.places.root().join(file)
    }

    /// A folder marketplace with one plugin: its files by path.
    pub(crate) fn market(&self, market: &str, plugin: &str, files: &[(&str, String)]) -> &Self {
        let source = format!("./{plugin}");
        let list = json!({
            "name": market,
            "owner": {"name": "Somebody"},
            "plugins": [{"name": plugin, "source": source, "version": "1.0.0"}],
        });
        self.json(&format!("{market}/.claude-plugin/marketplace.json"), list);
        for (file, content) in files {
            self.put(&format!("{market}/{plugin}/{file}"), content);
        }
        self
    }

    /// The two members of the settings by which these plugins are loaded, each of its marketplace.
    pub(crate) fn told(&self, plugins: &[(&str, &str, bool)]) -> Value {
        let mut marketplaces = json!({});
        let mut enabled = json!({});
        for (market, plugin, is_on) in plugins {
            let source = json!({"source": "directory", "path": self.at(market)});
            marketplaces[*market] = json!({"source": source});
            enabled[format!("{plugin}@{market}")] = json!(is_on);
        }
        json!({"extraKnownMarketplaces": marketplaces, "enabledPlugins": enabled})
    }

    /// A command of which a run leaves a trace: its name as a line of a file.
    pub(crate) fn mark(&self, name: &str) -> String {
        format!("echo {name} >> '{}'", self.at("ran").display())
    }

    /// The names that were left, in their order.
    pub(crate) fn ran(&self) -> Vec<String> {
        let text = fs::read_to_string(self.at("ran")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// `hookkit` with these words, from the project.
    pub(crate) fn hookkit<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Program {
        let mut program = self.places.program(program::hookkit());
        for (host, variable) in [
            ("claude-code", "CLAUDE_CONFIG_DIR"),
            ("copilot-cli", "COPILOT_HOME"),
            ("codex", "CODEX_HOME"),
        ] {
            let folder = if host == self.host {
                self.places.config()
            } else {
                self.at(&format!("home/of-{host}"))
            };
            program = program.env(variable, folder);
        }
        program.args(words)
    }

    /// `hookkit list --json` of this host, with further words.
    pub(crate) fn list<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Listing {
        let ran = self
            .hookkit(["list", "--json", "--host", self.host])
            .args(words)
            .run();
        assert!(ran.exited(0), "list works: {}", ran.err());
        Listing(ran.json())
    }

    /// `hookkit list` as people read it.
    pub(crate) fn told_to_people<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Ran {
        self.hookkit(["list"]).args(words).run()
    }
}

/// What `hookkit list --json` said of one host.
pub(crate) struct Listing(pub(crate) Value);

impl Listing {
    pub(crate) fn sources(&self) -> Vec<Value> {
        let hosts = self.0["hosts"].as_array().unwrap();
        hosts
            .iter()
            .flat_map(|host| host["sources"].as_array().unwrap())
            .cloned()
            .collect()
    }

    /// Every hook, with its source.
    pub(crate) fn hooks(&self) -> Vec<(Value, Value)> {
        let of = |source: Value| {
            let hooks = source["hooks"].as_array().unwrap().clone();
            hooks.into_iter().map(move |hook| (source.clone(), hook))
        };
        self.sources().into_iter().flat_map(of).collect()
    }

    /// The names of the marks that would be left, in the order of the list.
    pub(crate) fn fires(&self) -> Vec<String> {
        self.hooks()
            .iter()
            .filter(|(_, hook)| hook["fires"] == "yes")
            .map(|(_, hook)| name_of(hook))
            .collect()
    }

    /// Why the hook of this mark does not fire.
    pub(crate) fn why(&self, name: &str) -> String {
        let hooks = self.hooks();
        let found = hooks.iter().find(|(_, hook)| name_of(hook) == name);
        let (_, hook) = found.unwrap_or_else(|| panic!("{name} is listed: {}", self.0));
        hook["why"].as_str().unwrap_or_default().to_owned()
    }

    /// The source of this file.
    pub(crate) fn source(&self, file: &Path) -> Value {
        let sources = self.sources();
        let found = sources.iter().find(|source| {
            source["file"]
                .as_str()
                .is_some_and(|name| Path::new(name) == file)
        });
        found
            .unwrap_or_else(|| panic!("{} is listed: {}", file.display(), self.0))
            .clone()
    }

    /// Why a plugin is missing.
    pub(crate) fn missing(&self, plugin: &str) -> String {
        let hosts = self.0["hosts"].as_array().unwrap();
        let mut missing = hosts
            .iter()
            .flat_map(|host| host["missing"].as_array().into_iter().flatten());
        let found = missing.find(|one| one["plugin"] == plugin);
        found.map_or_else(String::new, |one| one["why"].as_str().unwrap().to_owned())
    }
}

fn name_of(hook: &Value) -> String {
    let starts = hook["starts"].as_str().unwrap_or_default();
    let name = starts
        .strip_prefix("echo ")
        .and_then(|rest| rest.split_whitespace().next());
    name.unwrap_or(starts).to_owned()
}
