//! The chat completions API, as far as Copilot CLI 1.0 uses it with an own provider: `POST
//! /v1/chat/completions`.

use serde_json::{Value, json};

use super::http::{Event, Reply};
use super::{Api, Model, Says, Script, messages, texts_of};

/// The model that [`start`] offers.
pub const MODEL: &str = "gpt-4.1";

/// Starts a model that speaks chat completions.
pub fn start(script: impl Into<Script>) -> Model {
    Model::start(&ChatCompletions, script.into())
}

struct ChatCompletions;

impl Api for ChatCompletions {
    fn answer(&self, path: &str, request: &Value, says: &Says) -> Reply {
        if !path.ends_with("/chat/completions") {
            return Reply::json(
                json!({"object": "list", "data": [{"id": MODEL, "object": "model"}]}),
            );
        }
        let (message, finish_reason) = message(request, says);
        if request["stream"] == true {
            return Reply::events(&stream(request, &message, finish_reason));
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
        Reply::json(document(
            request,
            "chat.completion",
            &json!([choice]),
            &usage(),
        ))
    }

    fn results(&self, request: &Value) -> Vec<String> {
        let of_tools = messages(request).filter(|message| message["role"] == "tool");
        of_tools
            .map(|message| texts_of(&message["content"]).concat())
            .collect()
    }

    fn texts(&self, request: &Value) -> Vec<String> {
        let spoken = messages(request)
            .filter(|message| message["role"] != "assistant" && message["role"] != "tool");
        spoken
            .flat_map(|message| texts_of(&message["content"]))
            .collect()
    }
}

fn message(request: &Value, says: &Says) -> (Value, &'static str) {
    match says {
        Says::Text(words) => (json!({"role": "assistant", "content": words}), "stop"),
        Says::Calls(calls) => {
            let number = messages(request).count();
            let call = |(index, call): (usize, &super::Call)| {
                json!({
                    "index": index, "id": format!("call_{number:03}_{index}"), "type": "function",
                    "function": {"name": call.tool, "arguments": call.input.to_string()},
                })
            };
            let calls: Vec<_> = calls.iter().enumerate().map(call).collect();
            (
                json!({"role": "assistant", "content": null, "tool_calls": calls}),
                "tool_calls",
            )
        }
    }
}

fn stream(request: &Value, message: &Value, finish_reason: &str) -> Vec<Event> {
    let chunk = |choices: Value, usage: Value| Event {
        name: None,
        data: document(request, "chat.completion.chunk", &choices, &usage).to_string(),
    };
    vec![
        chunk(
            json!([{"index": 0, "delta": message, "finish_reason": null}]),
            Value::Null,
        ),
        chunk(
            json!([{"index": 0, "delta": {}, "finish_reason": finish_reason}]),
            Value::Null,
        ),
        chunk(json!([]), usage()),
        Event {
            name: None,
            data: "[DONE]".to_owned(),
        },
    ]
}

fn document(request: &Value, object: &str, choices: &Value, usage: &Value) -> Value {
    json!({
        "id": "chatcmpl-0", "created": 0, "object": object, "model": request["model"],
        "choices": choices, "usage": usage,
    })
}

fn usage() -> Value {
    json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
}
