//! The Messages API, as far as Claude Code 2.1 uses it: `POST /v1/messages` (streamed or not) and
//! `.../count_tokens`.

use serde_json::{Value, json};

use super::http::{Event, Reply};
use super::{Api, Model, Says, Script, messages, texts_of};

/// Starts a model that speaks the Messages API.
pub fn start(script: impl Into<Script>) -> Model {
    Model::start(&Messages, script.into())
}

struct Messages;

impl Api for Messages {
    fn answer(&self, path: &str, request: &Value, says: &Says) -> Reply {
        if path.ends_with("/count_tokens") {
            return Reply::json(json!({"input_tokens": 10}));
        }
        if !path.ends_with("/v1/messages") {
            return Reply::json(json!({"data": [], "has_more": false}));
        }
        let message = message(request, says);
        if request["stream"] == true {
            Reply::events(&stream(&message))
        } else {
            Reply::json(message)
        }
    }

    fn results(&self, request: &Value) -> Vec<String> {
        blocks(request)
            .filter(|block| block["type"] == "tool_result")
            .map(|block| texts_of(&block["content"]).concat())
            .collect()
    }

    fn texts(&self, request: &Value) -> Vec<String> {
        let system = texts_of(&request["system"]);
        let user = messages(request).filter(|message| message["role"] != "assistant");
        system
            .into_iter()
            .chain(user.flat_map(|message| texts_of(&message["content"])))
            .collect()
    }
}

fn blocks(request: &Value) -> impl Iterator<Item = &Value> {
    messages(request)
        .filter_map(|message| message["content"].as_array())
        .flatten()
}

fn message(request: &Value, says: &Says) -> Value {
    let number = messages(request).count();
    let (content, stop_reason) = match says {
        Says::Text(words) => (vec![json!({"type": "text", "text": words})], "end_turn"),
        Says::Calls(calls) => {
            let block = |(index, call): (usize, &super::Call)| {
                let id = format!("toolu_{number:03}_{index}");
                json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.input})
            };
            (calls.iter().enumerate().map(block).collect(), "tool_use")
        }
    };
    json!({
        "id": format!("msg_{number:03}"), "type": "message", "role": "assistant",
        "model": request["model"], "content": content, "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    })
}

fn stream(message: &Value) -> Vec<Event> {
    let mut head = message.clone();
    head["content"] = json!([]);
    head["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": head})];
    for (index, block) in message["content"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let (start, delta) = opened(block);
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(json!({
        "type": "message_delta", "usage": {"output_tokens": 5},
        "delta": {"stop_reason": message["stop_reason"], "stop_sequence": null},
    }));
    events.push(json!({"type": "message_stop"}));
    events
        .into_iter()
        .map(|event| Event {
            name: event["type"].as_str().map(str::to_owned),
            data: event.to_string(),
        })
        .collect()
}

/// A block as it starts, and what then fills it.
fn opened(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    if block["type"] == "text" {
        start["text"] = json!("");
        (start, json!({"type": "text_delta", "text": block["text"]}))
    } else {
        start["input"] = json!({});
        (
            start,
            json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}),
        )
    }
}
