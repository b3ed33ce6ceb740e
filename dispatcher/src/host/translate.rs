//! A payload in another host's words as Claude Code's: names of members, tools and arguments.

use super::results;
use super::tools::{self, Naming, Tool, mcp_name};
use super::{Decoded, View, is_uninspectable};
use crate::contract::{Contract, Subject};
use crate::json::{self, Kind, push_string, quoted};
use crate::patch::{self, Change};
use crate::payload::Fields;
use std::borrow::Cow;

/// Shows an event to hooks: one view, or one for each file of a patch and each thing of a list.
pub(super) fn decode<'p>(
    naming: &Naming,
    document: &'p [u8],
    fields: &Fields<'p>,
    contract: &Contract,
) -> Decoded<'p> {
    let seen = Seen {
        document,
        fields,
        contract,
    };
    let mut decoded = Decoded {
        cwd: fields.text("cwd"),
        stop_hook_active: fields.get("stop_hook_active") == Some(b"true"),
        uninspectable: false,
        views: Vec::new(),
        unreadable: None,
    };
    if contract.subject != Subject::Tool {
        let subject = seen.subject();
        decoded.views.push(seen.view(subject, None));
        return decoded;
    }
    let call = ToolCall::read(naming, fields);
    match call.changes() {
        Some(Ok(changes)) => {
            decoded.views = changes
                .iter()
                .map(|change| seen.view_of_change(change))
                .collect();
        }
        Some(Err(why)) => {
            decoded.unreadable = Some(why);
            decoded
                .views
                .push(seen.view(Some("Edit".into()), call.input()));
        }
        None => {
            let input = call.input();
            let list = call.tool.and_then(|tool| naming.list_of(tool));
            let things = list.and_then(|list| list.apart(input.as_deref()?));
            decoded.uninspectable = match (list, &things) {
                (Some(_), things) => things.is_none(),
                (None, _) => call
                    .name()
                    .is_some_and(|name| is_uninspectable(name, input.as_deref())),
            };
            let name = call.name().map(|name| Cow::Owned(name.to_owned()));
            decoded.views = match things {
                Some(things) => {
                    let are_several = things.len() > 1;
                    let of_thing = |(thing, input): (String, Vec<u8>)| {
                        let mut view = seen.view(name.clone(), Some(Cow::Owned(input)));
                        view.file = are_several.then_some(thing);
                        view
                    };
                    things.into_iter().map(of_thing).collect()
                }
                None => vec![seen.view(name, input)],
            };
            for view in &mut decoded.views {
                if decoded.uninspectable {
                    mark_uninspectable(view);
                }
                view.other_names = call.other_names();
            }
        }
    }
    decoded
}

/// A rewritten input in the argument names that this call uses.
pub(super) fn own_input<'v>(naming: &Naming, fields: &Fields, input: &'v [u8]) -> Cow<'v, [u8]> {
    match ToolCall::read(naming, fields).tool {
        Some(tool) => Cow::Owned(naming.to_host(tool, input)),
        None => Cow::Borrowed(input),
    }
}

fn is_patch(tool: &str) -> bool {
    matches!(tool, "apply_patch" | "copilot_applyPatch")
}

/// The tool of a payload, in both worlds.
struct ToolCall<'p> {
    tool: Option<&'static Tool>,
    said: Option<Cow<'p, str>>,
    raw: Option<Cow<'p, [u8]>>,
    /// Claude's names of the tool, where it is an MCP server's.
    mcp: Vec<String>,
    /// A permission request shows Claude's argument names already.
    in_claudes_names: bool,
}

impl<'p> ToolCall<'p> {
    fn read(naming: &Naming, fields: &Fields<'p>) -> Self {
        let said = fields.text("tool_name").or_else(|| fields.text("toolName"));
        let permission = fields.get("toolInput");
        // Copilot's PreMcpToolCall names the server apart from the tool.
        let server = fields.text("serverName");
        let raw = permission
            .or_else(|| fields.get("tool_input"))
            .or_else(|| fields.get("toolArgs"))
            .or_else(|| server.as_ref().and(fields.get("arguments")));
        let tool = match (said.as_deref(), &server) {
            (Some(name), None) => tools::by_name(naming.tools, name),
            _ => None,
        };
        let mcp = match (said.as_deref(), &server) {
            (Some(name), Some(server)) => vec![mcp_name(server, name)],
            (Some(name), None) if tool.is_none() => (naming.of_mcp)(name),
            _ => Vec::new(),
        };
        Self {
            tool,
            mcp,
            raw: raw.map(unpacked),
            in_claudes_names: permission.is_some(),
            said,
        }
    }

    /// Claude's name of the tool, or the host's where Claude has none or it could be several.
    fn name(&self) -> Option<&str> {
        match (self.tool, self.mcp.as_slice()) {
            (Some(tool), _) => Some(tool.claude),
            (None, [name]) => Some(name),
            _ => self.said.as_deref(),
        }
    }

    /// The names beside [`Self::name`] under which a matcher may mean an MCP tool.
    fn other_names(&self) -> Vec<String> {
        match self.mcp.as_slice() {
            [_] => self
                .said
                .as_deref()
                .map(str::to_owned)
                .into_iter()
                .collect(),
            names => names.to_vec(),
        }
    }

    fn input(&self) -> Option<Cow<'p, [u8]>> {
        let raw = self.raw.clone()?;
        Some(match self.tool {
            Some(tool) if !self.in_claudes_names => Cow::Owned(tool.to_claude(&raw)),
            _ => raw,
        })
    }

    /// The files of a patch, when the call is one.
    fn changes(&self) -> Option<Result<Vec<Change>, String>> {
        let raw = self.raw.as_deref()?;
        let named_patch = self.said.as_deref().is_some_and(is_patch);
        let text = match json::kind(raw)? {
            Kind::Text => json::text(raw),
            Kind::Object if named_patch => patch::text_in(raw),
            _ => None,
        };
        match text {
            Some(text) if named_patch || patch::looks_like_one(&text) => Some(patch::read(&text)),
            _ if named_patch => Some(Err("its text is missing".to_owned())),
            _ => None,
        }
    }
}

/// Older clients send the arguments as JSON inside a string.
fn unpacked(raw: &[u8]) -> Cow<'_, [u8]> {
    if json::kind(raw) == Some(Kind::Text)
        && let Some(inner) = json::text(raw)
        && json::kind(inner.trim().as_bytes()) == Some(Kind::Object)
        && json::is_document(inner.as_bytes()).is_ok()
    {
        return Cow::Owned(inner.trim().as_bytes().to_vec());
    }
    Cow::Borrowed(raw)
}

struct Seen<'a, 'p> {
    document: &'p [u8],
    fields: &'a Fields<'p>,
    contract: &'a Contract,
}

impl<'p> Seen<'_, 'p> {
    fn subject(&self) -> Option<Cow<'p, str>> {
        let subject = match self.contract.subject {
            Subject::Field(name) => self
                .fields
                .text(name)
                .or_else(|| self.fields.text(&camel_case(name))),
            _ => None,
        };
        if self.contract.event == "SessionStart" && subject.as_deref() == Some("new") {
            return Some("startup".into());
        }
        subject
    }

    fn view_of_change(&self, change: &Change) -> View<'p> {
        let mut view = self.view(Some(change.tool().into()), Some(Cow::Owned(change.input())));
        view.file = Some(change.path.clone());
        view
    }

    /// Claude's payload: known members under Claude's names, the others as they are, and the
    /// host's own document under `hookkit.native`.
    fn view(&self, subject: Option<Cow<'p, str>>, input: Option<Cow<'p, [u8]>>) -> View<'p> {
        let mut out = DocumentBuilder::default();
        out.member("hook_event_name", Cow::Owned(quoted(self.contract.event)));
        for member in self.fields.members() {
            let key = member.key();
            let Some(name) = claude_name(&key) else {
                continue;
            };
            // Of two members with one name the later counts, for hooks as for the host.
            let value = self.fields.get(&key).unwrap_or(member.value);
            let value = match &*name {
                "source" if self.contract.event == "SessionStart" => {
                    Cow::Owned(quoted(subject.as_deref().unwrap_or_default()))
                }
                "tool_response" => Cow::Owned(results::to_claude(subject.as_deref(), value)),
                _ => Cow::Borrowed(value),
            };
            out.member(&name, value);
        }
        let mut input_piece = None;
        if self.contract.subject == Subject::Tool {
            if let Some(tool) = &subject {
                out.member("tool_name", Cow::Owned(quoted(tool)));
            }
            if let Some(input) = &input {
                out.member("tool_input", input.clone());
                input_piece = out.last_value();
            }
        }
        View {
            subject,
            might_be: &[],
            other_names: Vec::new(),
            document: out.finish(self.document),
            input,
            input_piece,
            file: None,
        }
    }
}

/// The name under which hooks see a member; `None` for those that are written apart or dropped.
fn claude_name(name: &str) -> Option<Cow<'_, str>> {
    Some(match name {
        "hook_event_name" | "hookName" | "tool_name" | "toolName" | "tool_input" | "toolInput"
        | "toolArgs" | "arguments" => return None,
        "toolCallId" => "tool_use_id".into(),
        "tool_result" | "toolResult" => "tool_response".into(),
        "response" => "last_assistant_message".into(),
        name if name.bytes().any(|byte| byte.is_ascii_uppercase()) => snake_case(name).into(),
        name => name.into(),
    })
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// Builds an object of pieces, so that a value of megabytes is not copied.
#[derive(Default)]
struct DocumentBuilder<'p> {
    pieces: Vec<Cow<'p, [u8]>>,
    keys: Vec<String>,
}

impl<'p> DocumentBuilder<'p> {
    /// Adds a member; the first of a name stands (both casings of one may be there).
    fn member(&mut self, name: &str, value: Cow<'p, [u8]>) {
        if self.keys.iter().any(|key| key == name) {
            return;
        }
        let mut lead = vec![if self.keys.is_empty() { b'{' } else { b',' }];
        push_string(&mut lead, name);
        lead.push(b':');
        self.keys.push(name.to_owned());
        self.pieces.push(Cow::Owned(lead));
        self.pieces.push(value);
    }

    fn last_value(&self) -> Option<usize> {
        self.pieces.len().checked_sub(1)
    }

    fn finish(mut self, native: &'p [u8]) -> Vec<Cow<'p, [u8]>> {
        self.pieces
            .push(Cow::Borrowed(b",\"hookkit\":{\"native\":"));
        self.pieces.push(Cow::Borrowed(native));
        self.pieces.push(Cow::Borrowed(b"}}"));
        self.pieces
    }
}

fn mark_uninspectable(view: &mut View) {
    let last = view.document.len() - 1;
    view.document[last] = Cow::Borrowed(b",\"uninspectable\":true}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_their_case_both_ways() {
        assert_eq!(snake_case("transcriptPath"), "transcript_path");
        assert_eq!(camel_case("agent_type"), "agentType");
        assert_eq!(camel_case("source"), "source");
    }
}
