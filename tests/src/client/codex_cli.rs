//! Codex CLI: `codex exec`, with an own provider (a fake Responses API) instead of an account.
//!
//! Its hooks run only once the user has trusted them by their hash. The session does that as the
//! user would, with the client's own app-server.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::install::{self, Clients, platform};
use super::session::{Settings, write};
use super::{Client, Permission, Person, Places, Session};
use crate::Tree;
use crate::model::{ERRAND, Model, Script, Turn, responses};
use crate::process::{Dialogue, Framing, Program, Ran};

/// A port of 127.0.0.1 on which nobody listens, where no model is needed.
const NO_MODEL: &str = "http://127.0.0.1:9";

pub(super) struct CodexCli(install::Program);

impl CodexCli {
    pub(super) fn installed(clients: &Clients) -> Self {
        // One program for both C libraries.
        let [platform, _] = platform("");
        let vendor = match std::env::consts::OS {
            "macos" => "apple-darwin",
            "windows" => "pc-windows-msvc",
            _ => "unknown-linux-musl",
        };
        let file = format!("vendor/{}-{vendor}/bin/codex", std::env::consts::ARCH);
        let mut program = clients.program(&[format!("@openai/codex-{platform}")], &file);
        // Its packages are versions of one package.
        if let Some(version) = program.version.strip_suffix(&format!("-{platform}")) {
            program.version = version.to_owned();
        }
        Self(program)
    }

    fn app_server(&self, places: &Places) -> Dialogue {
        let mut server = Dialogue::open(self.program(places).arg("app-server"), Framing::Lines);
        let client = json!({"name": "hookkit-tests", "version": "0"});
        let capabilities = json!({"experimentalApi": true});
        server.ask(
            "initialize",
            json!({"clientInfo": client, "capabilities": capabilities}),
        );
        server.tell("initialized");
        server
    }

    /// Settings and plugins of a session, trusted as far as it says.
    fn settle(&self, session: &Session<'_>, model: &Model) {
        let places = &session.places;
        if session.settings == Settings::Kept {
            return;
        }
        let settings = settings(&model.address(), session.has_small_context);
        configure(places, &settings);
        for tree in &session.registered {
            assert_eq!(self.add(places, tree), [""; 0]);
        }
        if session.is_trusted && !session.registered.is_empty() {
            let mut server = self.app_server(places);
            let listed = listed(&mut server, places);
            trust(&mut server, &listed);
        }
    }

    /// Adds the tree as a marketplace and its plugin from there; what is wrong with either.
    fn add(&self, places: &Places, tree: &Tree) -> Vec<String> {
        let marketplace = tree.path();
        let plugin = name(tree);
        let steps = [
            vec!["marketplace", "add", marketplace.to_str().expect("text")],
            vec!["add", &plugin],
        ];
        let ran = steps.map(|step| self.program(places).arg("plugin").args(step).run());
        ran.iter()
            .filter(|ran| !ran.exited(0))
            .map(Ran::err)
            .collect()
    }
}

impl Client for CodexCli {
    fn host(&self) -> &'static str {
        "codex"
    }

    fn version(&self) -> &str {
        &self.0.version
    }

    fn file(&self) -> &Path {
        &self.0.file
    }

    fn program(&self, places: &Places) -> Program {
        places
            .program(&self.0.file)
            .env("CODEX_HOME", places.config())
            .env("FAKE_KEY", "test")
    }

    fn model(&self, script: Script) -> Model {
        responses::start(script)
    }

    fn prepare(&self, session: &Session<'_>, model: &Model) -> Program {
        assert!(
            session.by_folder.is_empty(),
            "Codex CLI has no --plugin-dir"
        );
        assert!(!session.continues, "no test goes on with Codex CLI");
        self.settle(session, model);
        let mut program = self
            .program(&session.places)
            .args(["exec", "--skip-git-repo-check"]);
        if session.settings == Settings::Kept {
            // For this session alone: the user's own stay as they are.
            for setting in settings(&model.address(), session.has_small_context) {
                program = program.arg("-c").arg(setting);
            }
        }
        program = match session.permission {
            Permission::AllowAll => program.arg("--dangerously-bypass-approvals-and-sandbox"),
            Permission::Ask => program.args(["--sandbox", "read-only"]),
        };
        program.args(["--json", &session.prompt])
    }

    /// Through the app-server, as an editor does it. The turn is over when its hooks are.
    fn attend(&self, session: &Session<'_>, model: &Model, person: Person) -> Vec<String> {
        self.settle(session, model);
        let mut server = self.app_server(&session.places);
        let (approval, sandbox) = match session.permission {
            Permission::AllowAll => ("never", "danger-full-access"),
            Permission::Ask => ("on-request", "read-only"),
        };
        let project = session.places.project();
        let thread = json!({"cwd": project, "approvalPolicy": approval, "sandbox": sandbox});
        let thread = server.ask("thread/start", thread)["thread"]["id"].take();
        let input = json!([{"type": "text", "text": session.prompt}]);
        let turn = json!({"threadId": thread, "input": input});
        let turn = server.ask("turn/start", turn)["turn"]["id"].take();
        if let Person::Interrupts(file) = person {
            wait_for(&project.join(file));
            server.ask(
                "turn/interrupt",
                json!({"threadId": thread, "turnId": turn}),
            );
        }
        let mut asked = Vec::new();
        loop {
            let said = server.next();
            let method = said["method"].as_str().unwrap_or_default();
            if method == "turn/completed" {
                return asked;
            }
            if !said["id"].is_null() {
                asked.push(method.to_owned());
                server.answer(&said, &json!({"decision": "decline"}));
            }
        }
    }

    /// By `hooks/list` of its app-server, which reads the hooks.
    fn faults_in(&self, tree: &Tree) -> Vec<String> {
        let places = Places::new();
        configure(&places, &settings(NO_MODEL, false));
        let mut faults = self.add(&places, tree);
        let listed = listed(&mut self.app_server(&places), &places);
        let is_ours = |hook: &&Value| hook["pluginId"] == name(tree) && hook["enabled"] == true;
        if !hooks(&listed).any(|hook| is_ours(&hook)) {
            faults.push(format!("no hook of {} is loaded", name(tree)));
        }
        let notes = [&listed["errors"], &listed["warnings"]];
        let notes = notes.into_iter().filter_map(Value::as_array).flatten();
        faults.extend(notes.map(Value::to_string));
        faults
    }

    /// By `hooks/list` of its app-server.
    fn hooks(&self, places: &Places) -> Value {
        listed(&mut self.app_server(places), places)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::tool("exec_command", json!({"cmd": command}))
    }

    fn write(&self, file: &Path, content: &str) -> Turn {
        let lines: Vec<_> = content.lines().map(|line| format!("+{line}\n")).collect();
        patch(&format!(
            "*** Add File: {}\n{}",
            file.display(),
            lines.concat()
        ))
    }

    /// It has no tool for it.
    fn read(&self, file: &Path) -> Turn {
        self.shell(&format!("cat '{}'", file.display()))
    }

    /// Replaces whole lines.
    fn edit(&self, file: &Path, old: &str, new: &str) -> Turn {
        let file = file.display();
        patch(&format!("*** Update File: {file}\n@@\n-{old}\n+{new}\n"))
    }

    /// It does not wait for it: no call of this client does both.
    fn errand(&self) -> Turn {
        Turn::tool("multi_agent_v1/spawn_agent", json!({"message": ERRAND}))
    }
}

/// A patch of these files, in the client's own notation.
pub fn patch(files: &str) -> Turn {
    let patch = format!("*** Begin Patch\n{files}*** End Patch");
    Turn::tool("apply_patch", json!({"input": patch}))
}

fn name(tree: &Tree) -> String {
    format!("{}@{}", tree.plugin(), tree.marketplace())
}

/// What a session in the project has: its hooks, and what is wrong with others.
fn listed(server: &mut Dialogue, places: &Places) -> Value {
    let mut answer = server.ask("hooks/list", json!({"cwds": [places.project()]}));
    answer["data"][0].take()
}

fn hooks(listed: &Value) -> impl Iterator<Item = &Value> {
    listed["hooks"].as_array().into_iter().flatten()
}

/// Trusts all hooks as they are now.
fn trust(server: &mut Dialogue, listed: &Value) {
    let mut state = json!({});
    for hook in hooks(listed) {
        let key = hook["key"].as_str().expect("a hook has a key");
        state[key] = json!({"trusted_hash": hook["currentHash"]});
    }
    let edit = json!({"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"});
    server.ask("config/batchWrite", json!({"edits": [edit]}));
}

/// Until a hook or a tool has made this file.
fn wait_for(file: &Path) {
    let end = Instant::now() + Duration::from_mins(1);
    while !file.exists() {
        assert!(Instant::now() < end, "{} is made", file.display());
        thread::sleep(Duration::from_millis(20));
    }
}

/// The settings of a session, as keys and values: the provider, and nothing that asks elsewhere.
fn settings(address: &str, has_small_context: bool) -> Vec<String> {
    let model = responses::MODEL;
    let mut settings: Vec<String> = [
        format!("model = \"{model}\""),
        "model_provider = \"fake\"".to_owned(),
        "check_for_update_on_startup = false".to_owned(),
        "model_providers.fake.name = \"fake\"".to_owned(),
        format!("model_providers.fake.base_url = \"{address}/v1\""),
        "model_providers.fake.wire_api = \"responses\"".to_owned(),
        "model_providers.fake.env_key = \"FAKE_KEY\"".to_owned(),
        "model_providers.fake.request_max_retries = 0".to_owned(),
        "model_providers.fake.stream_max_retries = 0".to_owned(),
        "model_providers.fake.supports_websockets = false".to_owned(),
        "analytics.enabled = false".to_owned(),
        "otel.exporter = \"none\"".to_owned(),
        "features.daemon_auto_start = false".to_owned(),
        "features.remote_plugin = false".to_owned(),
    ]
    .into();
    if has_small_context {
        settings.push("model_auto_compact_token_limit = 1".to_owned());
        settings.push("model_context_window = 20000".to_owned());
    }
    settings
}

/// Writes them as the user's.
fn configure(places: &Places, settings: &[String]) {
    let text = settings.join("\n") + "\n";
    write(&places.config().join("config.toml"), text.as_bytes());
}
