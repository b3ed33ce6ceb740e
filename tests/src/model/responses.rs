//! The Responses API, as far as Codex CLI 0.171 uses it: `POST /v1/responses`, always streamed.

use serde_json::{Value, json};

use super::http::{Event, Reply};
use super::{Api, Call, Model, Says, Script, texts_of};

/// A model of the client's own catalogue to which it offers `apply_patch`.
pub const MODEL: &str = "gpt-5.5";

/// Starts a model that speaks the Responses API.
pub fn start(script: impl Into<Script>) -> Model {
    Model::start(&Responses, script.into())
}

struct Responses;

impl Api for Responses {
    /// By the first call of each turn and by words: several calls of one turn are several items. A
    /// summary stands for the one turn that was compacted away.
    fn turns_so_far(&self, request: &Value) -> usize {
        let is_turn = |item: &&Value| {
            item["role"] == "assistant"
                || (is_call(item) && text(&item["call_id"]).ends_with(FIRST))
                || texts_of(&item["content"])
                    .iter()
                    .any(|text| text.starts_with(SUMMARY))
        };
        items(request).filter(is_turn).count()
    }

    fn answer(&self, path: &str, request: &Value, says: &Says) -> Reply {
        if path.ends_with("/responses") {
            let turn = self.turns_so_far(request);
            Reply::events(&stream(turn, &said(turn, request, says)))
        } else {
            Reply::json(json!({"object": "list", "data": [], "models": []}))
        }
    }

    fn results(&self, request: &Value) -> Vec<String> {
        items(request)
            .filter(|item| text(&item["type"]).ends_with("_call_output"))
            .map(|item| texts_of(&item["output"]).concat())
            .collect()
    }

    fn texts(&self, request: &Value) -> Vec<String> {
        let spoken = items(request)
            .filter(|item| item["type"] == "message" && item["role"] != "assistant")
            .flat_map(|item| texts_of(&item["content"]));
        texts_of(&request["instructions"])
            .into_iter()
            .chain(spoken)
            .collect()
    }
}

/// How the id of a turn's first call ends.
const FIRST: &str = "_0";

/// How the client introduces the summary of a context that it has compacted.
const SUMMARY: &str = "Another language model started to solve this problem";

fn items(request: &Value) -> impl Iterator<Item = &Value> {
    request["input"].as_array().into_iter().flatten()
}

fn is_call(item: &Value) -> bool {
    item["type"] == "function_call" || item["type"] == "custom_tool_call"
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The items of one turn.
fn said(turn: usize, request: &Value, says: &Says) -> Vec<Value> {
    match says {
        Says::Text(words) => vec![json!({
            "type": "message", "id": format!("msg_{turn:03}"), "role": "assistant",
            "content": [{"type": "output_text", "text": words, "annotations": []}],
        })],
        Says::Calls(calls) => {
            let item = |(index, call)| called(&format!("{turn:03}_{index}"), request, call);
            calls.iter().enumerate().map(item).collect()
        }
    }
}

/// A call in the form in which the client offers the tool: a custom tool takes the text that is its
/// `input`, a function takes all arguments. `SPACE/NAME` is a tool of a namespace.
fn called(id: &str, request: &Value, call: &Call) -> Value {
    let offered = request["tools"].as_array().into_iter().flatten();
    let is_custom = offered
        .filter(|tool| tool["name"] == *call.tool)
        .any(|tool| tool["type"] == "custom");
    let call_id = format!("call_{id}");
    if is_custom {
        return json!({
            "type": "custom_tool_call", "id": format!("ctc_{id}"), "call_id": call_id,
            "name": call.tool, "input": call.input["input"],
        });
    }
    let mut item = json!({
        "type": "function_call", "id": format!("fc_{id}"), "call_id": call_id,
        "name": call.tool, "arguments": call.input.to_string(),
    });
    if let Some((namespace, name)) = call.tool.split_once('/') {
        item["namespace"] = json!(namespace);
        item["name"] = json!(name);
    }
    item
}

fn stream(turn: usize, items: &[Value]) -> Vec<Event> {
    let id = format!("resp_{turn:03}");
    let mut events = vec![json!({"type": "response.created", "response": {"id": id}})];
    let done = |(index, item): (usize, &Value)| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    events.extend(items.iter().enumerate().map(done));
    events.push(
        json!({"type": "response.completed", "response": {"id": id, "usage": {
            "input_tokens": 10, "input_tokens_details": null,
            "output_tokens": 5, "output_tokens_details": null, "total_tokens": 15,
        }}}),
    );
    events
        .into_iter()
        .map(|event| Event {
            name: event["type"].as_str().map(str::to_owned),
            data: event.to_string(),
        })
        .collect()
}
