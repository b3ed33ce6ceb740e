//! What is wrong with a plugin, and what each host makes of it.
//!
//! Everything is named at once: the manifest's own faults, files that are missing or will not
//! start, matchers that do not do what they seem to, and for each host what is lost there, what
//! happens without the dispatcher, and what a repository can switch off.

mod files;
mod finding;
mod hooks;
mod hosts;
pub(crate) mod matchers;
mod print;

pub(crate) use finding::{Finding, Level};
pub(crate) use hosts::OnHost;
pub(crate) use print::print;

use crate::plugin::Plugin;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::manifest::Manifest;
use serde::Serialize;

/// The JSON schema of `hookkit.json`.
pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// Everything that there is to say about a plugin.
#[derive(Serialize)]
pub(crate) struct Report {
    /// The version of this document's form.
    schema: u32,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) hooks: usize,
    pub(crate) findings: Vec<Finding>,
    pub(crate) hosts: Vec<OnHost>,
}

impl Report {
    /// Looks at a plugin.
    pub(crate) fn of(plugin: &Plugin, env: &Env) -> Self {
        let file = plugin.manifest_file().display().to_string();
        let manifest = match Manifest::read(&plugin.text) {
            Ok(manifest) => manifest,
            Err(fault) => return Self::unreadable(&file, &fault),
        };
        let mut findings: Vec<Finding> = manifest
            .faults
            .iter()
            .map(|fault| Finding::fault(&file, fault))
            .collect();
        hooks::look(&manifest, &file, &mut findings);
        matchers::look(&manifest, &file, &mut findings);
        files::look(plugin, &manifest, env, &mut findings);
        let hosts = hosts::all(&manifest);
        findings.sort_by(|left, right| left.place().cmp(&right.place()));
        findings.dedup();
        Self {
            schema: 1,
            name: manifest.name.to_string(),
            version: manifest.version.to_string(),
            hooks: manifest.hooks.len(),
            findings,
            hosts,
        }
    }

    fn unreadable(file: &str, fault: &hookkit_dispatch::manifest::Fault) -> Self {
        Self {
            schema: 1,
            name: String::new(),
            version: String::new(),
            hooks: 0,
            findings: vec![Finding::fault(file, fault)],
            hosts: Vec::new(),
        }
    }

    /// How many findings of a level there are.
    pub(crate) fn count(&self, level: Level) -> usize {
        let findings = self.findings.iter();
        findings.filter(|finding| finding.level == level).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The schema and the reader know the same keys.
    #[test]
    fn the_schema_names_what_the_reader_reads() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
        let sample = |key: &str| match key {
            "schema" => json!(1),
            "needs" | "env" => json!({"python": ">=3.9"}),
            "order" => json!("sequence"),
            "files" | "run" | "windows" | "macos" | "linux" => json!(["x"]),
            "hosts" => json!(["codex"]),
            "mode" => json!("gate"),
            "required" => json!(true),
            "timeout" => json!(1.5),
            "uninspectable" => json!("allow"),
            "event" => json!(["Stop"]),
            "name" | "id" => json!("a"),
            _ => json!("text"),
        };
        let keys = |place: &Value| -> Vec<String> {
            let properties = place["properties"].as_object().expect("properties");
            properties.keys().cloned().collect()
        };
        let of_hook = &schema["properties"]["hooks"]["items"];
        let hook: Value = keys(of_hook)
            .iter()
            .map(|key| (key.clone(), sample(key)))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let mut manifest: serde_json::Map<String, Value> = keys(&schema)
            .iter()
            .filter(|key| !["hooks", "dispatch"].contains(&key.as_str()))
            .map(|key| (key.clone(), sample(key)))
            .collect();
        manifest.insert("hooks".to_owned(), json!([hook]));
        let text = Value::from(manifest).to_string();
        let read = Manifest::read(&text).expect("JSON");
        assert!(read.faults.is_empty(), "{:?}", read.faults);
        let strange = text.replacen("\"id\":", "\"strange\":1,\"id\":", 1);
        assert_eq!(Manifest::read(&strange).expect("JSON").faults.len(), 1);
    }
}
