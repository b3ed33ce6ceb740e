//! Copilot's tools and their arguments, as Claude Code names them.
//!
//! Under PascalCase keys the client sends Claude's tool names but its own argument names (seen on
//! 1.0.102), so a tool is known by either name and its arguments are renamed in any case.

use crate::json;

/// One tool: native names, Claude's name, and arguments as (Copilot's, Claude's).
pub(super) struct Tool {
    natives: &'static [&'static str],
    pub(super) claude: &'static str,
    arguments: &'static [(&'static str, &'static str)],
}

const EDIT_ARGUMENTS: &[(&str, &str)] = &[
    ("path", "file_path"),
    ("old_str", "old_string"),
    ("new_str", "new_string"),
];

/// `str_replace_editor` does several things under Claude's one name: its `file_text` is content.
const TOOLS: &[Tool] = &[
    Tool {
        natives: &["bash", "powershell"],
        claude: "Bash",
        arguments: &[],
    },
    Tool {
        natives: &["create"],
        claude: "Write",
        arguments: &[("path", "file_path"), ("file_text", "content")],
    },
    Tool {
        natives: &["edit", "apply_patch"],
        claude: "Edit",
        arguments: EDIT_ARGUMENTS,
    },
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
    Tool {
        natives: &["grep", "rg"],
        claude: "Grep",
        arguments: &[],
    },
    Tool {
        natives: &["glob"],
        claude: "Glob",
        arguments: &[],
    },
    Tool {
        natives: &["task"],
        claude: "Agent",
        arguments: &[("agent_type", "subagent_type")],
    },
    Tool {
        natives: &["web_fetch"],
        claude: "WebFetch",
        arguments: &[],
    },
    Tool {
        natives: &["web_search"],
        claude: "WebSearch",
        arguments: &[],
    },
    Tool {
        natives: &["ask_user"],
        claude: "AskUserQuestion",
        arguments: &[],
    },
    Tool {
        natives: &["update_todo"],
        claude: "TodoWrite",
        arguments: &[],
    },
];

/// The tool of a native or a Claude name; `None` for those that have only one.
pub(super) fn by_name(name: &str) -> Option<&'static Tool> {
    TOOLS
        .iter()
        .find(|tool| tool.natives.contains(&name) || tool.claude == name)
}

/// An input in Claude's argument names. What is no object stays as it is.
pub(super) fn to_claude(tool: &Tool, input: &[u8]) -> Vec<u8> {
    renamed(input, |name| {
        tool.arguments
            .iter()
            .find(|(native, _)| *native == name)
            .map(|(_, claude)| *claude)
    })
}

/// An input in Copilot's argument names.
pub(super) fn to_host(tool: &Tool, input: &[u8]) -> Vec<u8> {
    renamed(input, |name| {
        tool.arguments
            .iter()
            .find(|(_, claude)| *claude == name)
            .map(|(native, _)| *native)
    })
}

/// Renames keys over raw values.
fn renamed(object: &[u8], rename: impl Fn(&str) -> Option<&'static str>) -> Vec<u8> {
    let Some(members) = json::members(object) else {
        return object.to_vec();
    };
    let mut out = Vec::with_capacity(object.len() + 32);
    out.push(b'{');
    for (index, member) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match rename(&member.key()) {
            Some(name) => json::push_string(&mut out, name),
            None => out.extend_from_slice(member.raw_key),
        }
        out.push(b':');
        out.extend_from_slice(member.value);
    }
    out.push(b'}');
    out
}

#[cfg(test)]
mod tests {
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
            let tool = by_name(name).expect(name);
            let claude = to_claude(tool, native.as_bytes());
            assert_eq!(to_host(tool, &claude), native.as_bytes(), "{name}");
        }
        let edit = by_name("Edit").expect("Claude's name");
        assert_eq!(
            to_claude(edit, br#"{"path":"/a","new_str":"y"}"#),
            br#"{"file_path":"/a","new_string":"y"}"#
        );
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        let tool = by_name("create").expect("a tool");
        assert_eq!(to_claude(tool, b"\"path\""), b"\"path\"");
    }
}
