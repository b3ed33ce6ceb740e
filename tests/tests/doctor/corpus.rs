//! Hooks files of other people's projects, each read in the place where its host would read it; and
//! what the real clients say of those that they read.
//!
//! `HOOKKIT_TEST_CORPUS` names a folder with an `index.json`, a list of `{repo, path, host}`, and the
//! files as `OWNER__NAME/PATH`. With `HOOKKIT_WRITE_RECEIPTS=1` the numbers go to
//! docs/evidence/doctor-corpus.md, without a name or a word of those projects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use fs_err as fs;
use hookkit_tests::client::Client;
use hookkit_tests::{Turn, client_or_skip, corpus_folder, program, writes_receipts};
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

/// For each answer of a client and of doctor, whether all is loaded, how many files there are.
#[derive(Default)]
struct Table {
    counts: BTreeMap<(bool, bool), usize>,
    differ: Vec<String>,
}

impl Table {
    fn add(&mut self, client: bool, doctor: bool, what: impl Fn() -> String) {
        *self.counts.entry((client, doctor)).or_default() += 1;
        if client != doctor {
            self.differ.push(what());
        }
    }

    /// The rows, if both answers occur and nothing differs.
    fn rows(&self, client: &str, dropped: &str) -> String {
        let of = |client, doctor| self.counts.get(&(client, doctor)).copied().unwrap_or(0);
        let rows = format!(
            "| | doctor: loaded | doctor: {dropped} |\n|---|---|---|\n\
             | {client}: loaded | {} | {} |\n| {client}: {dropped} | {} | {} |\n",
            of(true, true),
            of(true, false),
            of(false, true),
            of(false, false),
        );
        assert!(of(true, true) >= 30 && of(false, false) > 0, "{rows}");
        assert!(self.differ.is_empty(), "{:#?}\n{rows}", self.differ);
        rows
    }
}

/// Does doctor say of this host that it drops something, for one of these?
fn is_said(scene: &Scene, host: &str, codes: &[&str]) -> bool {
    let findings = scene.findings();
    findings.iter().any(|finding| {
        finding["host"] == host && codes.contains(&finding["code"].as_str().unwrap())
    })
}

/// The folders of a scene are the client's own.
fn share(scene: &Scene, folder: &str) {
    let config = scene.path("config");
    fs::remove_dir_all(&config).unwrap();
    std::os::unix::fs::symlink(scene.path(folder), &config).unwrap();
}

#[test]
#[ignore = "wants HOOKKIT_TEST_CORPUS=FOLDER"]
fn claude_code_says_the_same() {
    let folder = corpus_folder().expect("HOOKKIT_TEST_CORPUS names a folder");
    let client = client_or_skip!(claude);
    nothing_runs(client);
    let mut table = Table::default();
    let mut asked = samples(&folder);
    asked.retain(|sample| sample.host == "claude-plugin");
    let (mut written, mut kept) = (0, 0);
    for (number, sample) in asked.iter().enumerate() {
        let scene = sample.scene();
        let is_loaded = !is_said(&scene, "claude-code", &DROPPED);
        let words = || format!("{number} is loaded for doctor: {is_loaded}");
        table.add(validates(client, &scene), is_loaded, words);
        let armed = armed(&scene, "claude-code").len();
        assert_eq!(
            registers(client, &scene),
            armed,
            "{number}: {}",
            sample.content
        );
        written += entries(&sample.content).unwrap_or(0);
        kept += armed;
    }
    let text = format!(
        "Claude Code {} was asked by `claude plugin validate` of {} plugins' hooks files.\n\n{}\n\
         Then a session was begun with each of them, offline. Of {written} entries these sessions \
         register {kept} by their own log, and those are, plugin by plugin, as many as hookkit says are \
         armed. What a session says at its beginning is no measure: it lists a plugin whose hooks it \
         does not load, without an error.\n",
        client.version(),
        asked.len(),
        table.rows("Claude Code", "dropped"),
    );
    section("What Claude Code itself says", &text);
}

fn validates(client: &dyn Client, scene: &Scene) -> bool {
    let ran = client
        .program(&scene.places)
        .args(["plugin", "validate", "--json"])
        .arg(scene.path("tools/guard"))
        .run();
    assert!(scene.path(CLAUDE).is_file());
    ran.exited(0)
}

/// No hook of a session in which [`registers`] counts has an effect.
fn nothing_runs(client: &dyn Client) {
    let line = json!({"type": "command", "command": "/bin/touch @ROOT/ran"});
    let program = json!({"type": "command", "command": "touch", "args": ["@ROOT/ran"]});
    let hooks = json!({"hooks": {"SessionStart": [{"hooks": [line, program]}]}});
    let scene = Scene::with(&plugin(&hooks));
    assert_eq!(registers(client, &scene), 2);
    assert!(!scene.path("ran").exists());
}

/// How many hooks a session has, by its log.
fn registers(client: &dyn Client, scene: &Scene) -> usize {
    share(scene, "home/.claude");
    let model = client.model(vec![Turn::text("done")].into());
    let log = scene.path("log");
    let ran = client
        .program(&scene.places)
        .env("ANTHROPIC_BASE_URL", model.address())
        // What other people wrote is not to run here: `true` gets each line for a shell as a word, and
        // no program of an entry without a shell is found.
        .env("CLAUDE_CODE_SHELL_PREFIX", "/bin/true")
        .env("PATH", "/nowhere")
        .args(["-p", "hello", "--debug-file"])
        .arg(&log)
        .run();
    let log = fs::read_to_string(log).unwrap();
    let mut counts = log.lines().rev().filter_map(|line| {
        let (_, rest) = line.split_once("Registered ")?;
        rest.split_once(" hooks from ")?.0.parse().ok()
    });
    counts
        .next()
        .unwrap_or_else(|| panic!("a session begins: {ran:?}"))
}

/// What makes Copilot CLI drop something of a file.
const LEFT_OUT: [&str; 15] = [
    "HK401", "HK402", "HK403", "HK406", "HK408", "HK409", "HK415", "HK416", "HK417", "HK418",
    "HK419", "HK420", "HK424", "HK433", "HK435",
];

/// The kinds of files with hooks that Copilot CLI reads, where they lie.
const OF_COPILOT: [&str; 5] = [
    "copilot-plugin",
    "copilot-repo",
    "claude-settings",
    "claude-plugin",
    "vscode",
];

#[test]
#[ignore = "wants HOOKKIT_TEST_CORPUS=FOLDER"]
fn copilot_cli_says_the_same() {
    let folder = corpus_folder().expect("HOOKKIT_TEST_CORPUS names a folder");
    let client = client_or_skip!(copilot);
    let mut table = Table::default();
    let mut asked = samples(&folder);
    asked.retain(|sample| OF_COPILOT.contains(&&*sample.host));
    let (mut written, mut kept) = (0, 0);
    for (number, sample) in asked.iter().enumerate() {
        let scene = sample.scene();
        share(&scene, "home/.copilot");
        let theirs = discovered(client, &scene);
        assert_eq!(
            armed(&scene, client.host()),
            theirs,
            "{number}: {}",
            sample.content
        );
        // What does not parse holds nothing that could be counted.
        let all = entries(&sample.content);
        let is_loaded = all.is_some_and(|all| all == theirs.len());
        written += all.unwrap_or(0);
        kept += theirs.len();
        let is_quiet = !is_said(&scene, "copilot-cli", &LEFT_OUT);
        let words = || {
            format!(
                "{number}: {all:?} are written, {} loaded: {}",
                theirs.len(),
                sample.content
            )
        };
        table.add(is_loaded, is_quiet, words);
    }
    let text = format!(
        "Copilot CLI {} was asked by `hooks.discover` of its headless mode, in a trusted folder, of {} \
         files: hooks of plugins in its own form and in Claude Code's, of repositories, and Claude \
         Code's settings of a project. Of {written} entries it lists {kept}, and those are, event by \
         event, the entries that hookkit says are armed. A file counts as loaded where it lists every \
         entry.\n\n{}",
        client.version(),
        asked.len(),
        table.rows("Copilot CLI", "dropped, or a part of it"),
    );
    section("What Copilot CLI itself says", &text);
}

/// The events of all hooks that the client lists, in its own words, sorted.
fn discovered(client: &dyn Client, scene: &Scene) -> Vec<String> {
    let said = client.hooks(&scene.places);
    let hooks = said["hooks"].as_array().unwrap().iter();
    let mut events: Vec<String> = hooks
        .filter(|hook| hook["enabled"] == true)
        .map(|hook| hook["hookType"].as_str().unwrap().to_owned())
        .collect();
    events.sort();
    events
}

/// The same by `hookkit list`.
fn armed(scene: &Scene, host: &str) -> Vec<String> {
    let words = ["list", "--json", "--host", host];
    let listing = scene.hookkit(words).run().json();
    let all = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let sources = all(&listing, "hosts")
        .into_iter()
        .flat_map(|host| all(&host, "sources"));
    let mut events: Vec<String> = sources
        .filter(|source| source["state"] == "read")
        .flat_map(|source| all(&source, "hooks"))
        .filter(|hook| hook["state"] == "armed")
        .map(|hook| match hook["event"].as_str().unwrap() {
            "UserPromptSubmit" => "userPromptSubmitted".to_owned(),
            "Stop" => "agentStop".to_owned(),
            event => event[..1].to_lowercase() + &event[1..],
        })
        .collect();
    events.sort();
    events
}

/// How many entries a file has under any event; none where it is no JSON.
fn entries(content: &str) -> Option<usize> {
    let document: Value = serde_json::from_str(content).ok()?;
    // Some stand without `hooks` around them.
    let hooks = document.get("hooks").unwrap_or(&document);
    let lists = hooks.as_object()?.values().map(|list| list.as_array());
    let of_group = |group: &Value| group["hooks"].as_array().map_or(1, Vec::len);
    Some(
        lists
            .map(|list| list.map_or(1, |list| list.iter().map(of_group).sum()))
            .sum(),
    )
}

/// Writes a section of the page, or prints it.
fn section(title: &str, text: &str) {
    println!("## {title}\n\n{text}");
    if !writes_receipts() {
        return;
    }
    let file = program::repository().join("docs/evidence/doctor-corpus.md");
    let mut page = fs::read_to_string(&file).unwrap();
    let heading = format!("## {title}\n");
    if !page.contains(&heading) {
        write!(page, "\n{heading}").unwrap();
    }
    let (before, rest) = page.split_once(&heading).unwrap();
    let after = rest.find("\n## ").map_or("", |at| &rest[at..]);
    fs::write(&file, format!("{before}{heading}\n{text}{after}")).unwrap();
}
