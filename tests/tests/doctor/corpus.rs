//! Hooks files of other people's projects, each read in the place where its host would read it; and
//! what the real Claude Code says of those that are its plugins'.
//!
//! `HOOKKIT_TEST_CORPUS` names a folder with an `index.json`, a list of `{repo, path, host}`, and the
//! files as `OWNER__NAME/PATH`. With `HOOKKIT_WRITE_RECEIPTS=1` the numbers go to
//! docs/evidence/doctor-corpus.md, without a name or a word of those projects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::client::Client;
use hookkit_tests::{client_or_skip, corpus_folder, program, writes_receipts};
use serde_json::{Value, json};

use crate::Scene;
use crate::scene::{CLAUDE, plugin, trusted};

/// A file of a project, and whose it is.
struct Sample {
    host: String,
    name: String,
    content: String,
}

fn samples(folder: &Path) -> Vec<Sample> {
    let index = fs::read(folder.join("index.json")).unwrap();
    let index: Vec<Value> = serde_json::from_slice(&index).unwrap();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    index
        .iter()
        .map(|row| {
            let path = text(row, "path");
            let file = folder
                .join(text(row, "repo").replace('/', "__"))
                .join(&path);
            Sample {
                host: text(row, "host"),
                name: path.rsplit('/').next().unwrap().to_owned(),
                content: String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned(),
            }
        })
        .collect()
}

impl Sample {
    /// A home and a project in which the file lies where its host reads it.
    fn scene(&self) -> Scene {
        let scene = Scene::with(&[trusted()]);
        let in_plugin = |path: &str| {
            for (file, content) in plugin(&json!({"hooks": {}})) {
                scene.file(file, &content);
            }
            scene.file(path, &self.content);
        };
        match &*self.host {
            "claude-plugin" => in_plugin("tools/guard/hooks/hooks.json"),
            "copilot-plugin" => in_plugin("tools/guard/hooks.json"),
            "plugin-manifest" => in_plugin("tools/guard/.claude-plugin/plugin.json"),
            "marketplace" => in_plugin("tools/.claude-plugin/marketplace.json"),
            "claude-settings" => scene.file("project/.claude/settings.json", &self.content),
            "copilot-repo" => scene.file("project/.github/hooks/a.json", &self.content),
            "codex" if self.name == "plugin.json" => {
                in_plugin("tools/guard/.codex-plugin/plugin.json");
            }
            "codex" => scene.file("project/.codex/hooks.json", &self.content),
            "vscode" => scene.file("project/.github/hooks/vscode.json", &self.content),
            "cursor" => scene.file("project/.cursor/hooks.json", &self.content),
            "windsurf" => scene.file("project/.windsurf/hooks.json", &self.content),
            other => scene.file(&format!("project/.{other}/hooks.json"), &self.content),
        }
        scene
    }
}

#[test]
#[ignore = "wants HOOKKIT_TEST_CORPUS=FOLDER"]
fn every_file_is_read_where_its_host_reads_it() {
    let folder = corpus_folder().expect("HOOKKIT_TEST_CORPUS names a folder");
    let samples = samples(&folder);
    let mut found: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for sample in &samples {
        *kinds.entry(sample.host.clone()).or_default() += 1;
        let mut files: BTreeMap<String, usize> = BTreeMap::new();
        for finding in sample.scene().findings() {
            *files
                .entry(finding["code"].as_str().unwrap().to_owned())
                .or_default() += 1;
        }
        for (code, count) in files {
            let row = found.entry(code).or_default();
            *row = (row.0 + 1, row.1 + count);
        }
    }
    assert!(samples.len() > 100);
    let mut text = String::new();
    writeln!(text, "{} files:", samples.len()).unwrap();
    for (kind, count) in &kinds {
        writeln!(text, "- {kind}: {count}").unwrap();
    }
    writeln!(text, "\n| code | files | findings |\n|---|---|---|").unwrap();
    for (code, (files, count)) in &found {
        writeln!(text, "| {code} | {files} | {count} |").unwrap();
    }
    section("Findings", &text);
}

/// What makes Claude Code drop a plugin.
const DROPPED: [&str; 7] = [
    "HK401", "HK402", "HK403", "HK405", "HK407", "HK417", "HK418",
];

#[test]
#[ignore = "wants HOOKKIT_TEST_CORPUS=FOLDER"]
fn claude_code_says_the_same() {
    let folder = corpus_folder().expect("HOOKKIT_TEST_CORPUS names a folder");
    let client = client_or_skip!(claude);
    let mut table = BTreeMap::from([
        ((true, true), 0),
        ((true, false), 0),
        ((false, true), 0),
        ((false, false), 0),
    ]);
    let mut differ = Vec::new();
    let mut asked = samples(&folder);
    asked.retain(|sample| sample.host == "claude-plugin");
    for (number, sample) in asked.iter().enumerate() {
        let is_loaded = loads(client, &sample.scene());
        let scene = sample.scene();
        let drops: Vec<Value> = scene
            .findings()
            .into_iter()
            .filter(|finding| finding["host"] == "claude-code")
            .filter(|finding| DROPPED.contains(&finding["code"].as_str().unwrap()))
            .collect();
        *table.get_mut(&(is_loaded, drops.is_empty())).unwrap() += 1;
        if is_loaded != drops.is_empty() {
            differ.push((number, is_loaded, drops));
        }
    }
    let text = format!(
        "Claude Code {} was asked by `claude plugin validate` of {} plugins' hooks files.\n\n\
         | | doctor: loaded | doctor: dropped |\n|---|---|---|\n\
         | Claude Code: loaded | {} | {} |\n| Claude Code: dropped | {} | {} |\n",
        client.version(),
        asked.len(),
        table[&(true, true)],
        table[&(true, false)],
        table[&(false, true)],
        table[&(false, false)],
    );
    assert!(
        asked.len() >= 30 && table[&(false, false)] > 0,
        "both answers occur\n{text}"
    );
    assert!(differ.is_empty(), "{differ:#?}\n{text}");
    section("What Claude Code itself says", &text);
}

fn loads(client: &dyn Client, scene: &Scene) -> bool {
    let ran = client
        .program(&scene.places)
        .args(["plugin", "validate", "--json"])
        .arg(scene.path("tools/guard"))
        .run();
    assert!(scene.path(CLAUDE).is_file());
    ran.exited(0)
}

/// Writes a section of the page, or prints it.
fn section(title: &str, text: &str) {
    println!("## {title}\n\n{text}");
    if !writes_receipts() {
        return;
    }
    let file = program::repository().join("docs/evidence/doctor-corpus.md");
    let page = fs::read_to_string(&file).unwrap();
    let heading = format!("## {title}\n");
    let (before, rest) = page.split_once(&heading).unwrap();
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    fs::write(&file, format!("{before}{heading}\n{text}{after}")).unwrap();
}
