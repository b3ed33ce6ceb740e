//! The manifest as it stands in a built tree: the author's text, and the dispatcher it needs.

use hookkit_dispatch::json;

/// The oldest dispatcher that reads a manifest of this build.
fn needed() -> String {
    format!("\">={}\"", hookkit_dispatch::version())
}

/// The author's text with `"dispatch": ">=VERSION"`, else unchanged: order, layout and line ends
/// are kept.
///
/// An older dispatcher refuses such a manifest and names both versions. A text that is no object
/// comes back as it is.
pub(super) fn built(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some(members) = json::members(text.trim().as_bytes()) else {
        return text.to_owned();
    };
    let span = |value: &[u8]| json::span_in(text.as_bytes(), value);
    if let Some(written) = members.iter().find(|member| member.key() == "dispatch")
        && let Some(span) = span(written.value)
    {
        return format!("{}{}{}", &text[..span.start], needed(), &text[span.end..]);
    }
    let after = members
        .iter()
        .find(|member| member.key() == "version")
        .or(members.first());
    let Some((key, value)) =
        after.and_then(|member| Some((span(member.raw_key)?, span(member.value)?)))
    else {
        return text.to_owned();
    };
    // The new member is set off from its neighbour as the neighbour is from what stands before it.
    let before = &text[..key.start];
    let gap = &before[before.trim_end().len()..];
    let gap = if gap.is_empty() { " " } else { gap };
    format!(
        "{},{gap}\"dispatch\": {}{}",
        &text[..value.end],
        needed(),
        &text[value.end..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_added_in_the_authors_layout() {
        let version = hookkit_dispatch::version();
        for (text, expected) in [
            (
                "{\r\n\t\"version\": \"1\",\r\n\t\"hooks\": []\r\n}\r\n",
                format!(
                    "{{\r\n\t\"version\": \"1\",\r\n\t\"dispatch\": \">={version}\",\r\n\t\"hooks\": []\r\n}}\r\n"
                ),
            ),
            (
                "\u{feff}{\"name\":\"a\",\"version\":\"1\"}",
                format!("{{\"name\":\"a\",\"version\":\"1\", \"dispatch\": \">={version}\"}}"),
            ),
            (
                "{ \"dispatch\": \">=0.0.1\", \"version\": \"1\" }",
                format!("{{ \"dispatch\": \">={version}\", \"version\": \"1\" }}"),
            ),
        ] {
            assert_eq!(built(text), expected);
        }
    }
}
