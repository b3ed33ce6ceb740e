//! An MCP server with one tool, `note`, which keeps the calls that reach it: `note_server FILE`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a program for tests reports by panicking, and speaks on stdout"
)]

use std::io::{BufRead, Write};

use serde_json::{Value, json};

fn main() {
    let kept = std::env::args_os().nth(1).unwrap();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let parameters = &message["params"];
        let result = match message["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": parameters["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "notes", "version": "1"},
            }),
            Some("tools/list") => json!({"tools": [{
                "name": "note", "description": "Keeps a note",
                "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
            }]}),
            Some("tools/call") => {
                let mut file = fs_err::OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(&kept)
                    .unwrap();
                writeln!(file, "{parameters}").unwrap();
                json!({"content": [{"type": "text", "text": "It is noted."}]})
            }
            _ => json!({}),
        };
        if let Some(id) = message.get("id") {
            println!("{}", json!({"jsonrpc": "2.0", "id": id, "result": result}));
        }
    }
}
