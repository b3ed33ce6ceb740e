//! A host's tools and their arguments, as Claude Code names them.

use crate::json::{self, Member};

/// How a host names tools.
pub(super) struct Naming {
    pub(super) tools: &'static [Tool],
    /// Claude's names of the MCP tool that the host may mean by a name; several where it does not
    /// say where the server's part ends.
    pub(super) of_mcp: fn(&str) -> Vec<String>,
    pub(super) lists: &'static [Several],
}

/// An argument with which a host's tool does several times what Claude's does once.
pub(super) struct Several {
    /// Claude's name of the tool.
    pub(super) tool: &'static str,
    /// The host's argument, a list of texts.
    pub(super) many: &'static str,
    /// Claude's argument, one of them.
    pub(super) one: &'static str,
}

/// More things in one call are not looked at one by one.
const MOST_THINGS: usize = 64;

impl Several {
    /// The calls of Claude's tool, each with what it is about. `None` where that cannot be told or
    /// is too much.
    pub(super) fn apart(&self, input: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
        let members = json::members(input)?;
        let things = json::elements(json::find(&members, self.many)?)?;
        if things.is_empty() || things.len() > MOST_THINGS {
            return None;
        }
        let call = |thing: &[u8]| {
            let mut out = vec![b'{'];
            json::push_string(&mut out, self.one);
            out.push(b':');
            out.extend_from_slice(thing);
            for member in &members {
                if member.key() != self.many && member.key() != self.one {
                    out.push(b',');
                    out.extend_from_slice(member.raw_key);
                    out.push(b':');
                    out.extend_from_slice(member.value);
                }
            }
            out.push(b'}');
            Some((json::text(thing)?.into_owned(), out))
        };
        things.into_iter().map(call).collect()
    }

    /// A call of Claude's tool as the host's.
    fn together(&self, input: &[u8]) -> Vec<u8> {
        let Some(members) = json::members(input) else {
            return input.to_vec();
        };
        let mut out = vec![b'{'];
        for member in &members {
            if out.len() > 1 {
                out.push(b',');
            }
            if member.key() == self.one {
                json::push_string(&mut out, self.many);
                out.extend_from_slice(b":[");
                out.extend_from_slice(member.value);
                out.push(b']');
            } else {
                out.extend_from_slice(member.raw_key);
                out.push(b':');
                out.extend_from_slice(member.value);
            }
        }
        out.push(b'}');
        out
    }
}

impl Naming {
    /// A host whose names of MCP tools are left as they are.
    pub(super) const fn of(tools: &'static [Tool]) -> Self {
        Self {
            tools,
            of_mcp: |_| Vec::new(),
            lists: &[],
        }
    }

    /// The argument by which a tool of the host's does several things.
    pub(super) fn list_of(&self, tool: &Tool) -> Option<&'static Several> {
        self.lists.iter().find(|list| list.tool == tool.claude)
    }

    /// A rewritten input of Claude's tool in the host's arguments.
    pub(super) fn to_host(&self, tool: &Tool, input: &[u8]) -> Vec<u8> {
        let input = tool.to_host(input);
        match self.list_of(tool) {
            Some(list) => list.together(&input),
            None => input,
        }
    }
}

/// Claude's name of a tool of an MCP server.
pub(super) fn mcp_name(server: &str, tool: &str) -> String {
    format!("mcp__{server}__{tool}")
}

/// One tool: the host's names, Claude's name, and arguments as (the host's, Claude's).
pub(super) struct Tool {
    pub(super) natives: &'static [&'static str],
    pub(super) claude: &'static str,
    pub(super) arguments: &'static [(&'static str, &'static str)],
}

impl Tool {
    /// A tool whose arguments have Claude's names.
    pub(super) const fn same(natives: &'static [&'static str], claude: &'static str) -> Self {
        Self {
            natives,
            claude,
            arguments: &[],
        }
    }

    /// An input in Claude's argument names. What is no object stays as it is.
    pub(super) fn to_claude(&self, input: &[u8]) -> Vec<u8> {
        renamed(input, |name| {
            self.arguments
                .iter()
                .find(|(native, _)| *native == name)
                .map(|(_, claude)| *claude)
        })
    }

    /// An input in the host's argument names.
    pub(super) fn to_host(&self, input: &[u8]) -> Vec<u8> {
        renamed(input, |name| {
            self.arguments
                .iter()
                .find(|(_, claude)| *claude == name)
                .map(|(native, _)| *native)
        })
    }
}

/// The tool of a host's or of Claude's name; `None` for those that have only one.
pub(super) fn by_name(tools: &'static [Tool], name: &str) -> Option<&'static Tool> {
    tools
        .iter()
        .find(|tool| tool.natives.contains(&name))
        .or_else(|| tools.iter().find(|tool| tool.claude == name))
}

/// A host's own names of a tool that Claude Code knows by this name.
pub(super) fn natives(tools: &'static [Tool], claude: &str) -> &'static [&'static str] {
    // `Task` is the older name of `Agent`.
    let claude = if claude == "Task" { "Agent" } else { claude };
    tools
        .iter()
        .find(|tool| tool.claude == claude)
        .map_or(&[], |tool| tool.natives)
}

/// Renames keys over raw values.
///
/// A member that has one of the new names already gives way: the tool itself does not read it, and
/// to whoever does it would hide the one that counts.
fn renamed(object: &[u8], rename: impl Fn(&str) -> Option<&'static str>) -> Vec<u8> {
    let Some(members) = json::members(object) else {
        return object.to_vec();
    };
    let new_names: Vec<_> = members.iter().map(|member| rename(&member.key())).collect();
    let gives_way = |member: &Member| new_names.iter().flatten().any(|new| member.key() == *new);
    let mut out = Vec::with_capacity(object.len() + 32);
    out.push(b'{');
    for (member, new_name) in members.iter().zip(&new_names) {
        if new_name.is_none() && gives_way(member) {
            continue;
        }
        if out.len() > 1 {
            out.push(b',');
        }
        match new_name {
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
    fn the_argument_that_the_tool_reads_counts() {
        let tool = Tool {
            natives: &["create"],
            claude: "Write",
            arguments: &[("path", "file_path")],
        };
        for call in [
            r#"{"path":"/etc/passwd","file_path":"/tmp/a"}"#,
            r#"{"file\u005fpath":"/tmp/a","path":"/etc/passwd"}"#,
        ] {
            assert_eq!(
                tool.to_claude(call.as_bytes()),
                br#"{"file_path":"/etc/passwd"}"#
            );
        }
        assert_eq!(
            tool.to_host(br#"{"path":"/tmp/a","file_path":"/b"}"#),
            br#"{"path":"/b"}"#
        );
    }
}
