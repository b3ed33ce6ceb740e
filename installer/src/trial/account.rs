//! What one hook said, in a word and a sentence for people.

use super::run::Heard;
use super::samples::main_argument;
use anstyle::Style;
use hookkit_dispatch::event::{Mode, takes_feedback};
use hookkit_dispatch::merge::Choice;
use hookkit_dispatch::run::End;
use hookkit_dispatch::verdict::Said;
use serde_json::Value;

/// How a hook's end is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing was said.
    Quiet,
    /// It did what it is there for.
    Fine,
    /// It refused.
    Refusal,
    /// What it said goes nowhere.
    Lost,
    /// It did not work.
    Problem,
}

impl Tone {
    pub(crate) fn style(self) -> Style {
        use crate::screen::{BAD, CAREFUL, DIM, GOOD};
        match self {
            Self::Quiet => DIM,
            Self::Fine => GOOD,
            Self::Refusal => Style::new().bold(),
            Self::Lost => CAREFUL,
            Self::Problem => BAD.bold(),
        }
    }
}

/// What one hook said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) word: String,
    pub(crate) tone: Tone,
    /// Whole sentences or texts of the hook's own, one for each thing it said.
    pub(crate) details: Vec<String>,
}

impl Account {
    /// The account of a hook that has ended.
    pub(crate) fn of(heard: &Heard, event: &str) -> Self {
        match &heard.said {
            Err(fault) => Self::of_fault(heard, &fault.what),
            Ok(_) if heard.mode == Mode::Direct => Self::of_direct(heard),
            Ok(said) => Self::of_words(heard, said, event),
        }
    }

    /// Is there something for the author to mend?
    pub(crate) fn is_problem(&self) -> bool {
        self.tone == Tone::Problem
    }

    fn of_fault(heard: &Heard, what: &str) -> Self {
        let not_started = matches!(heard.finished.end, End::NotStarted(_));
        let (word, what) = if not_started {
            let why = what.strip_prefix("cannot start: ").unwrap_or(what);
            ("cannot start", why.to_owned())
        } else {
            ("fault", format!("it {what}"))
        };
        let follows = match heard.mode {
            Mode::Gate => "a gate that fails denies",
            _ => "what it printed is dropped",
        };
        Self {
            word: word.to_owned(),
            tone: Tone::Problem,
            details: vec![what, follows.to_owned()],
        }
    }

    fn of_direct(heard: &Heard) -> Self {
        if let End::NotStarted(why) = &heard.finished.end {
            return Self {
                word: "cannot start".to_owned(),
                tone: Tone::Problem,
                details: vec![why.to_string()],
            };
        }
        Self {
            word: "direct".to_owned(),
            tone: Tone::Fine,
            details: vec!["its output goes to the agent unchanged".to_owned()],
        }
    }

    fn of_words(heard: &Heard, said: &Said, event: &str) -> Self {
        let mut words = Vec::new();
        let mut details = Vec::new();
        let mut tone = Tone::Quiet;
        if let Some(decision) = &said.decision {
            words.push(choice(decision.choice));
            details.extend((!decision.reason.is_empty()).then(|| decision.reason.clone()));
            tone = if decision.choice > Choice::Allow {
                Tone::Refusal
            } else {
                Tone::Fine
            };
        }
        let mut add = |word, detail: String| {
            words.push(word);
            details.push(detail);
            if tone == Tone::Quiet {
                tone = Tone::Fine;
            }
        };
        if let Some(input) = &said.input {
            add("rewrite", changes(&heard.saw["tool_input"], input));
        }
        if let Some(result) = &said.result {
            let result = String::from_utf8_lossy(result);
            add("new result", result.into_owned());
        }
        if let Some(context) = &said.context {
            add("context", context.clone());
        }
        if let Some(reason) = &said.stop {
            add("stop", reason.clone());
        }
        if let Some(notice) = &said.notice {
            add("notice", notice.clone());
        }
        if let Some(why) = lost(heard, said, event) {
            details.insert(0, format!("{}: {why}", words.join(", ")));
            return Self {
                word: "discarded".to_owned(),
                tone: Tone::Lost,
                details,
            };
        }
        Self {
            word: if words.is_empty() {
                "none".to_owned()
            } else {
                words.join(" + ")
            },
            tone,
            details,
        }
    }
}

/// Why something that a hook said goes nowhere, if so.
fn lost(heard: &Heard, said: &Said, event: &str) -> Option<&'static str> {
    let is_feedback = heard.finished.end == End::Exited(2) && takes_feedback(event);
    match heard.mode {
        Mode::Silent if *said != Said::default() => {
            Some("the hook is `silent`; \"mode\": \"gate\" or \"observe\" lets it speak")
        }
        Mode::Observe if said.input.is_some() || said.stop.is_some() => {
            Some("the hook is `observe`; \"mode\": \"gate\" makes it count")
        }
        Mode::Observe if said.decision.is_some() && !is_feedback => {
            Some("the hook is `observe`; \"mode\": \"gate\" makes it count")
        }
        _ => None,
    }
}

fn choice(choice: Choice) -> &'static str {
    match choice {
        Choice::Allow => "allow",
        Choice::Ask => "ask",
        Choice::Defer => "defer",
        Choice::Block => "block",
        Choice::Deny => "deny",
    }
}

/// The arguments that a rewrite changes.
fn changes(before: &Value, after: &[u8]) -> String {
    let Ok(Value::Object(after)) = serde_json::from_slice(after) else {
        return String::from_utf8_lossy(after).into_owned();
    };
    let removed = before
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !after.contains_key(*name))
        .map(|(name, _)| format!("{name}: removed"));
    let changed = after
        .iter()
        .filter(|(name, value)| before.get(*name) != Some(value))
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}: {text}"),
            value => format!("{name}: {value}"),
        });
    let all: Vec<String> = changed.chain(removed).collect();
    if all.is_empty() {
        "the same input".to_owned()
    } else {
        all.join("; ")
    }
}

/// The members that say best what an event is about, where it is about no tool.
const TELLING: [&str; 12] = [
    "source",
    "prompt",
    "reason",
    "trigger",
    "agent_type",
    "notification_type",
    "message",
    "to_model",
    "file_path",
    "task_subject",
    "command_name",
    "mcp_server_name",
];

/// What a hook was shown, as one line: the tool and its main argument, or the event's own value.
pub(crate) fn seen(document: &Value) -> String {
    let text = |name: &str| document[name].as_str();
    if let Some(tool) = text("tool_name") {
        return format!("{tool}: {}", main_argument(&document["tool_input"]));
    }
    let telling = TELLING
        .iter()
        .find_map(|name| Some(format!("{name}: {}", text(name)?)));
    telling.unwrap_or_else(|| match &document["stop_hook_active"] {
        Value::Bool(active) => format!("stop_hook_active: {active}"),
        _ => text("hook_event_name").unwrap_or_default().to_owned(),
    })
}
