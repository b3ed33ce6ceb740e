//! The patch format of `apply_patch`, decoded into one change for each file.
//!
//! Both Copilot CLI (models that are offered `apply_patch`) and Codex send it: `*** Begin Patch`,
//! then sections `*** Add File:`, `*** Update File:` (with `*** Move to:`), `*** Delete File:`, then
//! `*** End Patch`. A hook sees an added file as Write, anything else as Edit.

use crate::json;

/// More files than this are not looked at one by one: the call is refused instead.
const MOST_FILES: usize = 64;

/// What a patch does with one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The path as the patch has it.
    pub path: String,
    /// What is done with it.
    pub action: Action,
}

/// One action on one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Add { content: String },
    Update { old: String, new: String },
    Delete,
}

impl Change {
    /// Claude's tool for it.
    pub fn tool(&self) -> &'static str {
        match self.action {
            Action::Add { .. } => "Write",
            Action::Update { .. } | Action::Delete => "Edit",
        }
    }

    /// Claude's input for it, as raw JSON.
    pub fn input(&self) -> Vec<u8> {
        let texts: Vec<(&str, &str)> = match &self.action {
            Action::Add { content } => vec![("content", content)],
            Action::Update { old, new } => vec![("old_string", old), ("new_string", new)],
            Action::Delete => vec![("old_string", ""), ("new_string", "")],
        };
        let mut out = b"{\"file_path\":".to_vec();
        json::push_string(&mut out, &self.path);
        for (name, text) in texts {
            out.push(b',');
            json::push_string(&mut out, name);
            out.push(b':');
            json::push_string(&mut out, text);
        }
        out.push(b'}');
        out
    }
}

/// Does a text begin as a patch does?
pub fn looks_like_one(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch")
}

/// The patch in a tool's input object, under the names that hosts use.
pub fn text_in(input: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
    let members = json::members(input)?;
    ["input", "patch", "command"].iter().find_map(|name| {
        let value = json::find(&members, name)?;
        match json::kind(value)? {
            json::Kind::Text => json::text(value),
            // `["apply_patch", "*** Begin Patch ..."]`
            json::Kind::Array => json::text(json::elements(value)?.last()?),
            _ => None,
        }
    })
}

/// Reads a patch; the error says what stands in the way of reading it.
pub fn read(text: &str) -> Result<Vec<Change>, String> {
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    if lines.next().map(str::trim_end) != Some("*** Begin Patch") {
        return Err("it does not begin with `*** Begin Patch`".to_owned());
    }
    let mut changes: Vec<Change> = Vec::new();
    let mut ended = false;
    for line in lines.by_ref() {
        let header = line.trim_end();
        if header == "*** End Patch" {
            ended = true;
            break;
        }
        if let Some((path, action)) = section(header) {
            if path.is_empty() {
                return Err("a section names no file".to_owned());
            }
            changes.push(Change { path, action });
        } else if let Some(target) = header.strip_prefix("*** Move to: ") {
            // The file is written under the new name as well: both are shown.
            changes.push(Change {
                path: target.trim().to_owned(),
                action: Action::Update {
                    old: String::new(),
                    new: String::new(),
                },
            });
        } else if header != "*** End of File" {
            let Some(change) = changes.last_mut() else {
                return Err("a line stands before the first file".to_owned());
            };
            body_line(change, line)?;
        }
        if changes.len() > MOST_FILES {
            return Err(format!("it changes more than {MOST_FILES} files"));
        }
    }
    if !ended {
        return Err("it has no `*** End Patch`".to_owned());
    }
    if lines.any(|line| !line.trim().is_empty()) {
        return Err("it goes on after `*** End Patch`".to_owned());
    }
    if changes.is_empty() {
        return Err("it changes no file".to_owned());
    }
    Ok(changes)
}

fn section(header: &str) -> Option<(String, Action)> {
    let (action, path) = if let Some(path) = header.strip_prefix("*** Add File: ") {
        let content = String::new();
        (Action::Add { content }, path)
    } else if let Some(path) = header.strip_prefix("*** Update File: ") {
        let (old, new) = (String::new(), String::new());
        (Action::Update { old, new }, path)
    } else if let Some(path) = header.strip_prefix("*** Delete File: ") {
        (Action::Delete, path)
    } else {
        return None;
    };
    Some((path.trim().to_owned(), action))
}

fn body_line(change: &mut Change, line: &str) -> Result<(), String> {
    let push = |text: &mut String, line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    match &mut change.action {
        Action::Add { content } => match line.strip_prefix('+') {
            Some(added) => push(content, added),
            None => return Err(format!("`{}` has a line without `+`", change.path)),
        },
        Action::Update { old, new } => {
            if line.starts_with("@@") {
            } else if let Some(removed) = line.strip_prefix('-') {
                push(old, removed);
            } else if let Some(added) = line.strip_prefix('+') {
                push(new, added);
            } else if line.is_empty() || line.starts_with(' ') {
                let kept = line.get(1..).unwrap_or_default();
                push(old, kept);
                push(new, kept);
            } else {
                return Err(format!(
                    "`{}` has a line that is no part of a change",
                    change.path
                ));
            }
        }
        Action::Delete if line.trim().is_empty() => {}
        Action::Delete => return Err(format!("`{}` is deleted but has lines", change.path)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_patch_is_a_change() {
        let changes = read(
            "*** Begin Patch\n*** Add File: a\n+1\n+2\n*** Update File: b\n*** Move to: c\n@@ fn\n \
             kept\n-old\n+new\n*** End of File\n*** Delete File: d\n*** End Patch\n",
        )
        .expect("a patch");
        let paths: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, ["a", "b", "c", "d"]);
        assert_eq!(
            changes[0].action,
            Action::Add {
                content: "1\n2\n".to_owned()
            }
        );
        assert_eq!(
            changes[2].action,
            Action::Update {
                old: "kept\nold\n".to_owned(),
                new: "kept\nnew\n".to_owned()
            }
        );
        assert_eq!(changes[0].tool(), "Write");
        assert_eq!(changes[3].tool(), "Edit");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for broken in [
            "",
            "hello",
            "*** Begin Patch\n",
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\nstray\n*** End Patch",
            "*** Begin Patch\n*** Add File: a\nno plus\n*** End Patch",
            "*** Begin Patch\n*** Add File: \n+x\n*** End Patch",
            "*** Begin Patch\n*** Update File: a\n+x\n",
            "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: b",
        ] {
            assert!(read(broken).is_err(), "{broken:?}");
        }
        let many = "*** Delete File: f\n".repeat(65);
        assert!(read(&format!("*** Begin Patch\n{many}*** End Patch")).is_err());
    }

    #[test]
    fn a_patch_is_found_in_an_input() {
        for input in [
            r#"{"input":"*** Begin Patch"}"#,
            r#"{"command":["apply_patch","*** Begin Patch"]}"#,
        ] {
            assert_eq!(
                text_in(input.as_bytes()).as_deref(),
                Some("*** Begin Patch")
            );
        }
        assert_eq!(text_in(br#"{"other":1}"#), None);
    }
}
