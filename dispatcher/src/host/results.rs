//! Tool results of other hosts, as Claude Code shapes them.
//!
//! Copilot has one shape for all tools, `{resultType, textResultForLlm}`; Claude's differs by tool.
//! Hooks find what they look for under Claude's names, and Copilot's own members beside it.

use crate::json::{self, Kind, push_string, quoted};

/// `tool_response` for a hook.
pub(super) fn to_claude(tool: Option<&str>, result: &[u8]) -> Vec<u8> {
    let Some(read) = ToolResult::read(result) else {
        return result.to_vec();
    };
    let mut members: Vec<(&str, Vec<u8>)> = match tool {
        Some("Bash") => vec![
            ("stdout", read.text.clone()),
            ("stderr", b"\"\"".to_vec()),
            ("interrupted", b"false".to_vec()),
            ("isImage", b"false".to_vec()),
        ],
        Some("Write" | "Edit") => vec![("success", word(read.succeeded()))],
        // Only a result with members of its own is known to be more than a text.
        _ if json::kind(result) == Some(Kind::Text) => return result.to_vec(),
        _ => Vec::new(),
    };
    members.push(("result_type", read.kind));
    members.push(("text_result_for_llm", read.text));
    object(&members)
}

/// A rewritten result in Copilot's shape; `None` when it has no text.
pub(super) fn to_copilot(result: &[u8]) -> Option<Vec<u8>> {
    let (kind, text) = kind_and_text(result)?;
    Some(object(&[("resultType", kind), ("textResultForLlm", text)]))
}

/// The text of a rewritten result, as a raw JSON string; `None` when it has none.
pub(super) fn to_text(result: &[u8]) -> Option<Vec<u8>> {
    kind_and_text(result).map(|(_, text)| text)
}

/// Reads a text, Claude's Bash result, or the very members that a hook was shown.
fn kind_and_text(result: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    Some(match json::kind(result)? {
        Kind::Text => (quoted("success"), result.to_vec()),
        Kind::Object => {
            let members = json::members(result)?;
            let find = |name: &str| json::find(&members, name);
            let text_of = |name: &str| find(name).filter(|value| is_text(value));
            let shown = text_of("text_result_for_llm").or_else(|| text_of("textResultForLlm"));
            let printed = find("stdout").map(|stdout| {
                let parts = [Some(stdout), find("stderr")];
                let texts: Vec<_> = parts
                    .into_iter()
                    .flatten()
                    .filter_map(json::text)
                    .filter(|part| !part.is_empty())
                    .collect();
                quoted(&texts.join("\n"))
            });
            // A hook that was shown both and changed `stdout` meant the text.
            let text = printed.or_else(|| shown.map(<[u8]>::to_vec))?;
            let kind = text_of("result_type").or_else(|| text_of("resultType"));
            (kind.map_or_else(|| quoted("success"), <[u8]>::to_vec), text)
        }
        _ => return None,
    })
}

fn is_text(value: &[u8]) -> bool {
    json::kind(value) == Some(Kind::Text)
}

struct ToolResult {
    kind: Vec<u8>,
    text: Vec<u8>,
}

impl ToolResult {
    fn read(result: &[u8]) -> Option<Self> {
        if json::kind(result) == Some(Kind::Text) {
            return Some(Self {
                kind: quoted("success"),
                text: result.to_vec(),
            });
        }
        let members = json::members(result)?;
        let find = |snake: &str, camel: &str| {
            members
                .iter()
                .rev()
                .find(|member| member.key() == snake || member.key() == camel)
                .map(|member| member.value.to_vec())
        };
        Some(Self {
            kind: find("result_type", "resultType")?,
            text: find("text_result_for_llm", "textResultForLlm")?,
        })
    }

    fn succeeded(&self) -> bool {
        self.kind == b"\"success\""
    }
}

fn word(value: bool) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn object(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![b'{'];
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_string(&mut out, name);
        out.push(b':');
        out.extend_from_slice(value);
    }
    out.push(b'}');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn value(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).expect("valid JSON")
    }

    #[test]
    fn a_shell_result_has_stdout_and_a_file_result_success() {
        let native = br#"{"resultType":"success","textResultForLlm":"hi"}"#;
        assert_eq!(value(&to_claude(Some("Bash"), native))["stdout"], "hi");
        assert_eq!(value(&to_claude(Some("Write"), native))["success"], true);
        assert_eq!(
            value(&to_claude(Some("mcp"), native)),
            json!({"result_type": "success", "text_result_for_llm": "hi"})
        );
        assert_eq!(
            value(&to_claude(Some("Bash"), b"\"text\""))["stdout"],
            "text"
        );
        assert_eq!(to_claude(Some("mcp__x__y"), b"\"text\""), b"\"text\"");
    }

    #[test]
    fn a_rewritten_result_goes_back_in_copilots_shape() {
        let expected = json!({"resultType": "success", "textResultForLlm": "x"});
        for result in [
            &br#""x""#[..],
            br#"{"stdout":"x","stderr":"","interrupted":false}"#,
            br#"{"result_type":"success","text_result_for_llm":"x"}"#,
        ] {
            assert_eq!(value(&to_copilot(result).expect("a form")), expected);
        }
        assert_eq!(to_copilot(b"[1]"), None);
        assert_eq!(to_copilot(b"{}"), None);
        assert_eq!(to_copilot(br#"{"text_result_for_llm":5}"#), None);
    }
}
