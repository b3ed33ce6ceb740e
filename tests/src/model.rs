//! Fake model servers: the test writes down the model's turns, the real client does the rest.
//!
//! A turn is chosen by the number of assistant messages in the request, so a server keeps no state,
//! and whatever makes the client ask again (a refused call, a Stop hook) simply gets the next turn.
//! After the last one the model says [`LAST_WORDS`]. Requests that offer no tools (titles,
//! summaries) are answered but are no turn.

pub mod anthropic;
pub mod http;
pub mod openai;
pub mod responses;

use std::fmt;
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// What the model says when its turns are used up.
pub const LAST_WORDS: &str = "nothing more to do";

/// What a subagent is told to do. A request in which the user says it is the subagent's.
pub const ERRAND: &str = "Run the errand.";

/// What the models of one session say.
#[derive(Debug, Default)]
pub struct Script {
    /// The agent's own turns.
    pub turns: Vec<Turn>,
    /// The turns of a subagent that was sent on the [`ERRAND`].
    pub errand: Vec<Turn>,
}

impl From<Vec<Turn>> for Script {
    fn from(turns: Vec<Turn>) -> Self {
        let errand = Vec::new();
        Self { turns, errand }
    }
}

/// One turn of the model.
#[derive(Debug, Clone)]
#[must_use]
pub struct Turn {
    says: Says,
    pause: Duration,
    is_error: bool,
}

/// What the model says in one turn.
#[derive(Debug, Clone)]
pub(crate) enum Says {
    /// Words; the client ends its own turn on them.
    Text(String),
    /// Calls of tools, side by side.
    Calls(Vec<Call>),
}

/// One call of a tool.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The client's own name of the tool.
    pub(crate) tool: String,
    /// The arguments, under the client's own names.
    pub(crate) input: Value,
}

impl Turn {
    /// Words.
    pub fn text(words: &str) -> Self {
        Self::new(Says::Text(words.to_owned()))
    }

    /// One call: the client's own names of the tool and its arguments.
    pub fn tool(tool: &str, input: Value) -> Self {
        Self::new(Says::Calls(vec![Call {
            tool: tool.to_owned(),
            input,
        }]))
    }

    /// The calls of several turns in one turn.
    pub fn together(turns: impl IntoIterator<Item = Self>) -> Self {
        let calls = turns.into_iter().flat_map(|turn| match turn.says {
            Says::Calls(calls) => calls,
            Says::Text(words) => panic!("only calls go together, not {words:?}"),
        });
        Self::new(Says::Calls(calls.collect()))
    }

    /// No turn at all: the server answers with an error that has these words.
    pub fn error(words: &str) -> Self {
        Self {
            is_error: true,
            ..Self::text(words)
        }
    }

    /// The same after the model has thought for a while.
    pub fn after(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    fn new(says: Says) -> Self {
        Self {
            says,
            pause: Duration::ZERO,
            is_error: false,
        }
    }
}

/// How one vendor's API writes a conversation.
pub(crate) trait Api: Send + Sync + 'static {
    /// Whether this request is one turn of the conversation.
    fn is_turn(&self, request: &Value) -> bool {
        request["tools"]
            .as_array()
            .is_some_and(|tools| !tools.is_empty())
    }
    /// How many turns the model had so far.
    fn turns_so_far(&self, request: &Value) -> usize {
        messages(request)
            .filter(|message| message["role"] == "assistant")
            .count()
    }
    /// The answer to a request with a body, or nothing for a path that is not the model's.
    fn answer(&self, path: &str, request: &Value, says: &Says) -> http::Reply;
    /// Whether this is a request of the subagent that runs the [`ERRAND`].
    fn is_errand(&self, request: &Value) -> bool {
        self.texts(request).iter().any(|text| text.contains(ERRAND))
    }
    /// What tools gave back, in order.
    fn results(&self, request: &Value) -> Vec<String>;
    /// What else the model was told: by the system and by the user.
    fn texts(&self, request: &Value) -> Vec<String>;
}

/// A running model server.
pub struct Model {
    server: http::Server,
    api: &'static dyn Api,
}

impl Model {
    pub(crate) fn start(api: &'static dyn Api, script: Script) -> Self {
        let server = http::Server::start(move |request| {
            let turns = if api.is_errand(&request.body) {
                &script.errand
            } else {
                &script.turns
            };
            let turn = match turns.get(api.turns_so_far(&request.body)) {
                _ if !api.is_turn(&request.body) => Turn::text("ok"),
                Some(turn) => turn.clone(),
                None => Turn::text(LAST_WORDS),
            };
            thread::sleep(turn.pause);
            if let (true, Says::Text(words)) = (turn.is_error, &turn.says) {
                return http::Reply::error(words);
            }
            api.answer(&request.path, &request.body, &turn.says)
        });
        Self { server, api }
    }

    /// Its address, without a path.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Ends the server and keeps what it was asked.
    pub fn end(self) -> Conversation {
        let requests = self.server.end().into_iter().map(|request| request.body);
        Conversation {
            requests: requests
                .filter(|request| self.api.is_turn(request))
                .collect(),
            api: self.api,
        }
    }
}

/// All that one model was told in one session.
pub struct Conversation {
    requests: Vec<Value>,
    api: &'static dyn Api,
}

impl Conversation {
    /// How many turns the model was asked for.
    pub fn calls(&self) -> usize {
        self.requests.len()
    }

    /// How many of them were a subagent's.
    pub fn errand_calls(&self) -> usize {
        let is_errand = |request: &&Value| self.api.is_errand(request);
        self.requests.iter().filter(is_errand).count()
    }

    /// What the tools gave back, in order, as the model last saw it.
    pub fn results(&self) -> Vec<String> {
        self.last(|request| self.api.results(request))
    }

    /// What the system and the user said, as the model last saw it. Hooks speak as either.
    pub fn texts(&self) -> Vec<String> {
        self.last(|request| self.api.texts(request))
    }

    /// Whether the model was ever told this: by the system, the user or a tool.
    pub fn told(&self, words: &str) -> bool {
        let said = |texts: Vec<String>| texts.iter().any(|text| text.contains(words));
        self.requests
            .iter()
            .any(|request| said(self.api.results(request)) || said(self.api.texts(request)))
    }

    /// The requests as they came.
    pub fn requests(&self) -> &[Value] {
        &self.requests
    }

    fn last(&self, read: impl Fn(&Value) -> Vec<String>) -> Vec<String> {
        self.requests.last().map(read).unwrap_or_default()
    }
}

impl fmt::Display for Conversation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "  the model was asked for {} turns",
            self.calls()
        )?;
        for result in self.results() {
            writeln!(
                formatter,
                "  a tool gave back: {}",
                crate::process::last_of(&result)
            )?;
        }
        for text in self.texts().iter().filter(|text| text.len() < 4000) {
            writeln!(formatter, "  the model was told: {text}")?;
        }
        Ok(())
    }
}

fn messages(request: &Value) -> impl Iterator<Item = &Value> {
    request["messages"].as_array().into_iter().flatten()
}

/// The texts of a message's content: itself, or its text blocks.
fn texts_of(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}
