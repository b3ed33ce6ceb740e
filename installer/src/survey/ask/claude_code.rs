//! Claude Code: `plugin list --json`, and `plugin validate` of each plugin that it loads.

use super::{About, Said};
use crate::rpc::offline;
use crate::survey::{Places, Standing, Survey};
use anyhow::{Context as _, Result};
use serde_json::Value;
use std::path::Path;

const HOST: &str = "claude-code";

pub(super) fn ask(program: &Path, survey: &Survey, places: &Places) -> Result<Vec<Said>> {
    let listed = run(program, places, &["plugin", "list", "--json"], None)?;
    let mut said = compare(&listed, survey);
    let loaded = survey
        .plugins
        .iter()
        .filter(|plugin| plugin.host == HOST && plugin.standing == Standing::Loaded);
    for root in loaded.filter_map(|plugin| plugin.root.as_ref()) {
        let report = run(
            program,
            places,
            &["plugin", "validate", "--json"],
            Some(root),
        )?;
        for error in errors(&report) {
            let what = format!("`claude plugin validate` says: {error}");
            said.push(Said::new(HOST, About::Error, what).at(root));
        }
    }
    Ok(said)
}

fn run(program: &Path, places: &Places, words: &[&str], file: Option<&Path>) -> Result<Value> {
    let ran = offline(program, &places.start)
        .args(words)
        .args(file)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .output()
        .context("it does not start")?;
    serde_json::from_slice(&ran.stdout)
        .with_context(|| format!("`claude {}` prints no JSON", words.join(" ")))
}

/// Only what its own `plugin install` noted down is in its list.
fn compare(listed: &Value, survey: &Survey) -> Vec<Said> {
    let mut said = Vec::new();
    for plugin in listed.as_array().into_iter().flatten() {
        let Some(id) = plugin["id"].as_str() else {
            continue;
        };
        // It brings some itself, and lists them once it has a registry.
        if id.ends_with("@builtin") {
            continue;
        }
        for error in plugin["errors"].as_array().into_iter().flatten() {
            let error = error["message"]
                .as_str()
                .map_or_else(|| error.to_string(), str::to_owned);
            said.push(Said::new(HOST, About::Error, format!("{id}: {error}")));
        }
        let mut ours = survey
            .plugins
            .iter()
            .filter(|own| own.host == HOST && own.id == id);
        let is_on = plugin["enabled"] == true;
        let Some(own) = ours.next() else {
            let what = format!("it lists the plugin {id}, of which hookkit reads nothing");
            said.push(Said::new(HOST, About::Difference, what));
            continue;
        };
        if is_on == matches!(own.standing, Standing::Off(_)) {
            let word = |is_on| if is_on { "enabled" } else { "not enabled" };
            let what = format!(
                "it says that the plugin {id} is {}, and hookkit reads that it is {}",
                word(is_on),
                word(!is_on)
            );
            said.push(Said::new(HOST, About::Difference, what).at(&own.named.0));
        }
    }
    said
}

/// Every error of a report, of whichever part.
fn errors(report: &Value) -> Vec<String> {
    let contents = report["contents"].as_array().into_iter().flatten();
    contents
        .chain([&report["manifest"]])
        .filter_map(|part| part["errors"].as_array())
        .flatten()
        .map(|error| {
            let message = error["message"].as_str();
            message.map_or_else(|| error.to_string(), str::to_owned)
        })
        .collect()
}
