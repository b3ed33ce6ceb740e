//! VS Code's tools (names: microsoft/vscode-copilot-chat @1c52dab, `toolNames.ts`; arguments: its
//! `package.json`; the list of pages that `fetch_webpage` takes: @001a058).

use super::super::tools::{Naming, Several, Tool};

pub(super) const NAMING: Naming = Naming {
    lists: &[Several {
        tool: "WebFetch",
        many: "urls",
        one: "url",
    }],
    ..Naming::of(TOOLS)
};

const FILE: &[(&str, &str)] = &[("filePath", "file_path")];

pub(super) const TOOLS: &[Tool] = &[
    Tool::same(&["run_in_terminal"], "Bash"),
    Tool {
        natives: &["create_file", "copilot_createFile"],
        claude: "Write",
        arguments: FILE,
    },
    Tool {
        natives: &["replace_string_in_file", "copilot_replaceString"],
        claude: "Edit",
        arguments: &[
            ("filePath", "file_path"),
            ("oldString", "old_string"),
            ("newString", "new_string"),
        ],
    },
    Tool {
        natives: &["insert_edit_into_file", "copilot_insertEdit"],
        claude: "Edit",
        arguments: &[("filePath", "file_path"), ("code", "new_string")],
    },
    Tool::same(&["apply_patch", "copilot_applyPatch"], "Edit"),
    Tool {
        natives: &["edit_notebook_file", "copilot_editNotebook"],
        claude: "NotebookEdit",
        arguments: &[("filePath", "notebook_path"), ("newCode", "new_source")],
    },
    Tool {
        natives: &["read_file", "copilot_readFile"],
        claude: "Read",
        arguments: FILE,
    },
    Tool {
        natives: &["grep_search", "copilot_findTextInFiles"],
        claude: "Grep",
        arguments: &[("query", "pattern")],
    },
    Tool {
        natives: &["file_search", "copilot_findFiles"],
        claude: "Glob",
        arguments: &[("query", "pattern")],
    },
    Tool {
        natives: &["fetch_webpage", "copilot_fetchWebPage"],
        claude: "WebFetch",
        arguments: &[("query", "prompt")],
    },
    Tool {
        natives: &["runSubagent"],
        claude: "Agent",
        arguments: &[("agentName", "subagent_type")],
    },
    Tool::same(&["manage_todo_list"], "TodoWrite"),
];

/// Tools that Claude has no name for and that change nothing by themselves.
const HARMLESS: &[&str] = &[
    "semantic_search",
    "get_vscode_api",
    "test_failure",
    "list_dir",
    "get_errors",
    "get_changed_files",
    "read_project_structure",
    "search_workspace_symbols",
    "list_code_usages",
    "copilot_getNotebookSummary",
    "read_notebook_cell_output",
    "test_search",
    "get_project_setup_info",
    "get_search_view_results",
    "get_doc_info",
    "get_terminal_output",
    "terminal_selection",
    "terminal_last_command",
    "get_task_output",
    "search_subagent",
    "ask_questions",
    "vscode_get_confirmation",
];

/// Is it known what this tool does? `name` is Claude's name, or VS Code's where Claude has none.
pub(super) fn is_known(name: &str) -> bool {
    TOOLS.iter().any(|tool| tool.claude == name) || HARMLESS.contains(&name)
}
