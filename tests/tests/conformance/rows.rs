//! The rows of `data/translation.json`.

use crate::host::Host;
use serde_json::{Value, json};

pub(crate) const OUTCOMES: [&str; 8] = [
    "allow",
    "ask",
    "deny",
    "block",
    "context",
    "modify_input",
    "modify_result",
    "stop",
];

/// One event of one host, under one of its names.
pub(crate) struct Row {
    pub(crate) host: &'static Host,
    /// Claude's name, or the host's own.
    pub(crate) event: &'static str,
    /// The name it is registered under.
    pub(crate) name: &'static str,
    forms: &'static Value,
}

/// What the host is told.
#[derive(Clone)]
pub(crate) struct Expected {
    pub(crate) document: Value,
    pub(crate) exit: i32,
    pub(crate) stderr: Option<String>,
}

fn table() -> &'static Value {
    static TABLE: std::sync::OnceLock<Value> = std::sync::OnceLock::new();
    TABLE.get_or_init(|| serde_json::from_str(include_str!("../../data/translation.json")).unwrap())
}

/// Every row of a host.
pub(crate) fn of(host: &'static Host) -> Vec<Row> {
    let events = table()["hosts"][host.name].as_object().unwrap();
    events
        .iter()
        .flat_map(|(names, forms)| {
            let names: Vec<&'static str> = names.split('/').collect();
            let event = match *names.last().unwrap() {
                "userPromptTransformed" => "UserPromptTransformed",
                event => event,
            };
            names.into_iter().map(move |name| Row {
                host,
                event,
                name,
                forms,
            })
        })
        .collect()
}

impl Row {
    /// Its output is no decision: hooks on it are direct.
    pub(crate) fn is_direct(&self) -> bool {
        matches!(
            self.event,
            "WorktreeCreate" | "MessageDisplay" | "UserPromptTransformed"
        )
    }

    pub(crate) fn has_context(&self) -> bool {
        !self.forms["context"].is_null()
    }

    /// The form of an outcome, if the host has one.
    pub(crate) fn form(&self, outcome: &str) -> Option<Expected> {
        let form = &self.forms[outcome];
        (!form.is_null()).then(|| Expected {
            document: form["document"].clone(),
            exit: i32::try_from(form["exit"].as_i64().unwrap()).unwrap(),
            stderr: form["stderr"].as_str().map(str::to_owned),
        })
    }

    /// What the host is told for an outcome: its form, the stricter neighbour of a decision that
    /// has none, or nothing.
    pub(crate) fn expected(&self, outcome: &str) -> Expected {
        let ends_turn = matches!(self.event, "Stop" | "SubagentStop");
        let stricter = match outcome {
            "ask" => self.form("deny"),
            "stop" if !ends_turn => self.form("deny"),
            _ => None,
        };
        self.form(outcome).or(stricter).unwrap_or(Expected {
            document: json!(""),
            exit: 0,
            stderr: None,
        })
    }

    pub(crate) fn carries_a_reason(&self, outcome: &str) -> bool {
        self.forms[outcome].to_string().contains("\"R\"")
    }
}

impl Expected {
    pub(crate) fn refuses(&self) -> bool {
        self.document != json!("") || self.exit != 0
    }
}
