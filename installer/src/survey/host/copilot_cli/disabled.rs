//! `disabledHooks` of the user's settings: hooks that are switched off one by one, by a sum of what
//! they are.
//!
//! The sum is sha256 over the event's native name, a zero byte and the entry as the client keeps it:
//! its members in a fixed order, `command` as `bash` and `powershell`, and for a plugin its folder and
//! its variables filled in. Found by comparing with the `disableKey` of `hooks.discover`, 1.0.102. An
//! administrator's files are out of its reach ("Policy hooks cannot be suppressed", its source).

use crate::digest::sha256;
use crate::edit::outline::Node;
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::source::{Hook, HookState, Kind, Source};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The members of an entry that are kept, in the order in which they are.
const KEPT: &[&str] = &[
    "exec",
    "bash",
    "powershell",
    "windows",
    "linux",
    "osx",
    "args",
    "url",
    "headers",
    "cwd",
    "env",
];

const LIST: &str = "disabledHooks";

/// What is wrong with the list: for anything but texts in a list, even for null, the client ignores all
/// of the user's settings, and says nothing (seen on 1.0.102).
pub(super) fn bad(root: &Node) -> Option<Fault> {
    let listed = root.get(LIST)?;
    let mut ones = listed.elements().iter();
    let (line, why) = if listed.is_list() {
        let one = ones.find(|one| one.text().is_none())?;
        (one.line, "holds something that is no text")
    } else {
        (listed.line, "is no list")
    };
    let key = LIST.to_owned();
    Some(Fault::new(line, Wrong::Value { key, why }).whole())
}

/// Switches off what a list in the user's settings names, among the sources from `first` on.
pub(super) fn switch_off(look: &mut Look, first: usize, settings: &Path, root: Option<&Node>) {
    let Some(root) = root.filter(|root| bad(root).is_none()) else {
        return;
    };
    let listed = root.get(LIST).map_or(&[][..], Node::elements);
    if listed.is_empty() {
        return;
    }
    let lines: BTreeMap<&str, usize> = listed
        .iter()
        .filter_map(|one| Some((one.text()?, one.line)))
        .collect();
    let places = look.places;
    for source in &mut look.sources[first..] {
        if source.kind == Kind::CopilotPolicy {
            continue;
        }
        let around = Around::of(source, &places.copilot, places.project());
        for hook in &mut source.hooks {
            if hook.state != HookState::Armed {
                continue;
            }
            let key = around.as_ref().and_then(|around| around.key(hook));
            if let Some(line) = key.and_then(|key| lines.get(&*key)) {
                let cause = Cause::at(Switch::Disabled, settings, *line);
                hook.state = HookState::Off(cause);
            }
        }
    }
}

/// What a plugin puts around its entries; nothing for what is in none.
struct Around {
    /// The variables that an entry is given, in the client's order, behind its own.
    variables: Vec<(&'static str, String)>,
    /// What is replaced in its texts.
    replaced: Vec<(&'static str, String)>,
    root: Option<String>,
}

impl Around {
    /// None where it is not known: the data folder of a plugin without a marketplace has a sum in it.
    fn of(source: &Source, copilot: &Path, project: &Path) -> Option<Self> {
        let Some(plugin) = &source.plugin else {
            return Some(Self {
                variables: Vec::new(),
                replaced: Vec::new(),
                root: None,
            });
        };
        let (name, market) = plugin.id.split_once('@')?;
        let root = plugin.root.as_ref()?.display().to_string();
        let data = copilot.join("plugin-data").join(market).join(name);
        let data = data.display().to_string();
        let project = project.display().to_string();
        let roots = |name| (name, root.clone());
        let datas = |name| (name, data.clone());
        Some(Self {
            variables: vec![
                roots("CLAUDE_PLUGIN_ROOT"),
                roots("COPILOT_PLUGIN_ROOT"),
                roots("PLUGIN_ROOT"),
                datas("CLAUDE_PLUGIN_DATA"),
                datas("COPILOT_PLUGIN_DATA"),
            ],
            replaced: vec![
                roots("${CLAUDE_PLUGIN_ROOT}"),
                roots("${PLUGIN_ROOT}"),
                ("${CLAUDE_PROJECT_DIR}", project),
                datas("${CLAUDE_PLUGIN_DATA}"),
                datas("${COPILOT_PLUGIN_DATA}"),
            ],
            root: Some(root),
        })
    }

    /// None for what the client has no key for: a question to a model.
    fn key(&self, hook: &Hook) -> Option<String> {
        let native = hook.contract?.native?;
        let entry = &hook.entry;
        let kind = entry.get("type").and_then(Node::text).unwrap_or("command");
        if kind == "prompt" {
            return None;
        }
        let mut members = vec![("type", json!(kind).to_string())];
        for key in KEPT {
            let own = entry.get(key);
            let own = own.or_else(|| match *key {
                "bash" | "powershell" => entry.get("command"),
                _ => None,
            });
            match (*key, own) {
                ("env", Some(own)) => members.push((key, self.environment(own.members()))),
                (_, Some(own)) => members.push((key, self.written(own))),
                (_, None) => {}
            }
        }
        let timeout = entry.get("timeoutSec").or_else(|| entry.get("timeout"));
        let more = [
            ("timeoutSec", timeout.map(Node::json)),
            ("matcher", hook.matchers.last().map(Node::json)),
            (
                "_vsCodeCompat",
                (*hook.event != *native).then(|| json!(&*hook.event)),
            ),
        ];
        let more = more.into_iter().filter_map(|(key, value)| {
            let value: Value = value?;
            Some((key, value.to_string()))
        });
        members.extend(more);
        if let Some(root) = self.root.as_ref().filter(|_| kind == "command") {
            if entry.get("cwd").is_none() {
                members.push(("cwd", json!(root).to_string()));
            }
            if entry.get("env").is_none() {
                members.push(("env", self.environment(&[])));
            }
        }
        Some(sha256(format!("{native}\0{}", object(&members)).as_bytes()))
    }

    fn environment(&self, own: &[crate::edit::outline::Member]) -> String {
        let given = |key: &str| self.variables.iter().find(|(name, _)| *name == key);
        let is_own = |name: &str| own.iter().any(|member| &*member.key == name);
        let own_first = own.iter().map(|member| {
            let value = match given(&member.key) {
                Some((_, given)) => json!(given).to_string(),
                None => self.written(&member.node),
            };
            (&*member.key, value)
        });
        let rest = self.variables.iter().filter(|(name, _)| !is_own(name));
        let rest = rest.map(|(name, value)| (*name, json!(value).to_string()));
        object(&own_first.chain(rest).collect::<Vec<_>>())
    }

    /// A member in its order, with what the client fills in.
    fn written(&self, node: &Node) -> String {
        if node.is_table() {
            let members = node.members().iter();
            let members = members.map(|member| (&*member.key, self.written(&member.node)));
            return object(&members.collect::<Vec<_>>());
        }
        if node.is_list() {
            let elements: Vec<String> = node
                .elements()
                .iter()
                .map(|one| self.written(one))
                .collect();
            return format!("[{}]", elements.join(","));
        }
        let Some(text) = node.text() else {
            return node.json().to_string();
        };
        let filled = self
            .replaced
            .iter()
            .fold(text.to_owned(), |text, (name, value)| {
                text.replace(name, value)
            });
        json!(filled).to_string()
    }
}

/// A JSON object in this order, without blanks.
fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(key, value)| format!("{}:{value}", json!(key)))
        .collect();
    format!("{{{}}}", members.join(","))
}
