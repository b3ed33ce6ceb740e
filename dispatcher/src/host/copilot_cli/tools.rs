//! Copilot's tools.
//!
//! Under PascalCase keys the client sends Claude's tool names but its own argument names (seen on
//! 1.0.102), so a tool is known by either name and its arguments are renamed in any case.

use super::super::tools::{Naming, Tool, mcp_name};

pub(super) const NAMING: Naming = Naming {
    tools: TOOLS,
    of_mcp,
    lists: &[],
};

/// More dashes than a name that a model may be offered has.
const DASHES: usize = 128;

/// A tool of an MCP server is `server-tool`, and `server/tool` in a permission request (seen on
/// 1.0.102). Both parts may have dashes of their own, so one name can be that of several tools.
fn of_mcp(name: &str) -> Vec<String> {
    let parts = |at: usize| (&name[..at], &name[at + 1..]);
    let places: Vec<usize> = match name.find('/') {
        Some(slash) => vec![slash],
        None => name
            .match_indices('-')
            .map(|(at, _)| at)
            .take(DASHES)
            .collect(),
    };
    places
        .into_iter()
        .map(parts)
        .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
        .map(|(server, tool)| mcp_name(server, tool))
        .collect()
}

pub(super) const TOOLS: &[Tool] = &[
    Tool::same(&["bash", "powershell"], "Bash"),
    Tool {
        natives: &["create"],
        claude: "Write",
        arguments: &[("path", "file_path"), ("file_text", "content")],
    },
    Tool {
        natives: &["edit", "apply_patch"],
        claude: "Edit",
        arguments: &[
            ("path", "file_path"),
            ("old_str", "old_string"),
            ("new_str", "new_string"),
        ],
    },
    // It does several things under Claude's one name: its `file_text` is content.
    Tool {
        natives: &["str_replace_editor"],
        claude: "Edit",
        arguments: &[
            ("path", "file_path"),
            ("old_str", "old_string"),
            ("new_str", "new_string"),
            ("file_text", "content"),
        ],
    },
    Tool {
        natives: &["view"],
        claude: "Read",
        arguments: &[("path", "file_path")],
    },
    Tool::same(&["grep", "rg"], "Grep"),
    Tool::same(&["glob"], "Glob"),
    Tool {
        natives: &["task"],
        claude: "Agent",
        arguments: &[("agent_type", "subagent_type")],
    },
    Tool::same(&["web_fetch"], "WebFetch"),
    Tool::same(&["web_search"], "WebSearch"),
    Tool::same(&["ask_user"], "AskUserQuestion"),
    Tool::same(&["update_todo"], "TodoWrite"),
];

#[cfg(test)]
mod tests {
    use super::super::super::tools::by_name;
    use super::*;

    #[test]
    fn arguments_go_there_and_back() {
        for (name, native) in [
            ("create", r#"{"path":"/a","file_text":"x"}"#),
            ("edit", r#"{"path":"/a","old_str":"x","new_str":"y"}"#),
            ("view", r#"{"path":"/a","view_range":[1,2]}"#),
            ("bash", r#"{"command":"ls","description":"d"}"#),
            ("task", r#"{"agent_type":"explore","prompt":"p"}"#),
        ] {
            let tool = by_name(TOOLS, name).expect(name);
            let claude = tool.to_claude(native.as_bytes());
            assert_eq!(tool.to_host(&claude), native.as_bytes(), "{name}");
        }
        let edit = by_name(TOOLS, "Edit").expect("Claude's name");
        assert_eq!(
            edit.to_claude(br#"{"path":"/a","new_str":"y"}"#),
            br#"{"file_path":"/a","new_string":"y"}"#
        );
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        let tool = by_name(TOOLS, "create").expect("a tool");
        assert_eq!(tool.to_claude(b"\"path\""), b"\"path\"");
    }
}
