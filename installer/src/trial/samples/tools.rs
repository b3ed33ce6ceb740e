//! Calls of tools: for each tool an everyday one, and for most one that guards are written for.

use serde_json::{Value, json};

/// One call of a tool, in Claude Code's names.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) input: Value,
    /// The tool's result in Claude Code's shape.
    pub(crate) response: Value,
    /// The tool's result as a text.
    pub(crate) result_text: &'static str,
}

/// The members of an input that say best what a call is about, best first.
const ARGUMENTS: [&str; 9] = [
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "url",
    "query",
    "description",
    "prompt",
    "path",
];

impl Call {
    fn new(tool: &str, input: Value, response: Value, result_text: &'static str) -> Self {
        Self {
            tool: tool.to_owned(),
            input,
            response,
            result_text,
        }
    }

    /// A call of a tool that no sample is known of.
    pub(crate) fn unknown(tool: &str) -> Self {
        Self::new(tool, json!({}), json!("done"), "done")
    }

    /// What the call is about, for people.
    pub(crate) fn argument(&self) -> String {
        main_argument(&self.input).replace("$CWD/", "")
    }
}

/// The argument that says best what a call is about.
pub(crate) fn main_argument(input: &Value) -> String {
    let named = ARGUMENTS.iter().find_map(|name| input.get(name)?.as_str());
    let first = || {
        let mut members = input.as_object()?.iter();
        members.find_map(|(_, value)| value.as_str())
    };
    named
        .or_else(first)
        .map_or_else(|| input.to_string(), str::to_owned)
}

/// The samples of an event about a call.
pub(crate) fn calls_on(event: &str) -> Vec<Call> {
    let is_for_servers = event == "PreMcpToolCall";
    catalogue()
        .into_iter()
        .filter(|call| !is_for_servers || call.tool.starts_with("mcp__"))
        .collect()
}

/// All samples. The first tool that a hook matches is the one it is tried on, so those come first
/// that most hooks are about.
pub(crate) fn catalogue() -> Vec<Call> {
    let ran = |stdout: &str| json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false});
    let wrote = |path: &str, content: &str| json!({"type": "create", "filePath": path, "content": content, "structuredPatch": []});
    let edited = |path: &str, old: &str, new: &str| {
        json!({"filePath": path, "oldString": old, "newString": new, "replaceAll": false,
               "structuredPatch": [], "userModified": false})
    };
    let read = |path: &str, content: &str| {
        json!({"type": "text", "file": {"filePath": path, "content": content, "numLines": 1,
                                        "startLine": 1, "totalLines": 1}})
    };
    vec![
        Call::new(
            "Bash",
            json!({"command": "git status", "description": "Show the state of the work tree"}),
            ran("On branch main\nnothing to commit, working tree clean"),
            "On branch main\nnothing to commit, working tree clean",
        ),
        Call::new(
            "Bash",
            json!({"command": "git push --force origin main", "description": "Push the branch"}),
            ran("Everything up-to-date"),
            "Everything up-to-date",
        ),
        Call::new(
            "Write",
            json!({"file_path": "$CWD/notes.md", "content": "# Notes\n"}),
            wrote("$CWD/notes.md", "# Notes\n"),
            "Created file $CWD/notes.md",
        ),
        Call::new(
            "Write",
            json!({"file_path": "$CWD/.env", "content": "TOKEN=abc\n"}),
            wrote("$CWD/.env", "TOKEN=abc\n"),
            "Created file $CWD/.env",
        ),
        Call::new(
            "Edit",
            json!({"file_path": "$CWD/src/app.py", "old_string": "port = 80", "new_string": "port = 8080",
                   "replace_all": false}),
            edited("$CWD/src/app.py", "port = 80", "port = 8080"),
            "File $CWD/src/app.py updated",
        ),
        Call::new(
            "Edit",
            json!({"file_path": "$CWD/.claude/settings.json", "old_string": "{}",
                   "new_string": "{\"disableAllHooks\": true}", "replace_all": false}),
            edited(
                "$CWD/.claude/settings.json",
                "{}",
                "{\"disableAllHooks\": true}",
            ),
            "File $CWD/.claude/settings.json updated",
        ),
        Call::new(
            "Read",
            json!({"file_path": "$CWD/README.md"}),
            read("$CWD/README.md", "# Demo\n"),
            "1. # Demo",
        ),
        Call::new(
            "Read",
            json!({"file_path": "$CWD/.env"}),
            read("$CWD/.env", "TOKEN=abc\n"),
            "1. TOKEN=abc",
        ),
        Call::new(
            "MultiEdit",
            json!({"file_path": "$CWD/src/app.py",
                   "edits": [{"old_string": "port = 80", "new_string": "port = 8080"}]}),
            edited("$CWD/src/app.py", "port = 80", "port = 8080"),
            "",
        ),
        Call::new(
            "NotebookEdit",
            json!({"notebook_path": "$CWD/report.ipynb", "cell_id": "c1", "new_source": "1 + 1"}),
            json!({"notebook_path": "$CWD/report.ipynb", "cell_id": "c1", "new_source": "1 + 1",
                   "cell_type": "code", "edit_mode": "replace", "error": ""}),
            "",
        ),
        Call::new(
            "Grep",
            json!({"pattern": "TODO", "path": "$CWD"}),
            json!({"mode": "files_with_matches", "numFiles": 0, "filenames": []}),
            "No matches found.",
        ),
        Call::new(
            "Glob",
            json!({"pattern": "**/*.py"}),
            json!({"filenames": [], "numFiles": 0, "durationMs": 2, "truncated": false}),
            "No files matched.",
        ),
        Call::new(
            "WebFetch",
            json!({"url": "https://example.com/", "prompt": "Summarize the page"}),
            json!({"url": "https://example.com/", "code": 200, "result": "An example page."}),
            "An example page.",
        ),
        Call::new(
            "WebSearch",
            json!({"query": "example"}),
            json!({"query": "example", "results": []}),
            "No results.",
        ),
        Call::new(
            "mcp__demo__search",
            json!({"query": "example"}),
            json!([{"type": "text", "text": "No results."}]),
            "No results.",
        ),
        Call::new(
            "Agent",
            json!({"description": "Look for unused code", "prompt": "Find functions that nothing calls.",
                   "subagent_type": "general-purpose"}),
            json!({"status": "completed", "content": [{"type": "text", "text": "None found."}]}),
            "None found.",
        ),
        Call::new(
            "TodoWrite",
            json!({"todos": [{"content": "Write tests", "status": "pending", "activeForm": "Writing tests"}]}),
            json!({"oldTodos": [], "newTodos": []}),
            "TODO list updated.",
        ),
        Call::new(
            "AskUserQuestion",
            json!({"questions": [{"question": "Which one?", "header": "Choice", "multiSelect": false,
                                  "options": [{"label": "A", "description": "The first"}]}]}),
            json!({"answers": {"Which one?": "A"}}),
            "A",
        ),
        Call::new(
            "mcp__demo__lookup",
            json!({"query": "example"}),
            json!([{"type": "text", "text": "nothing found"}]),
            "nothing found",
        ),
    ]
}
