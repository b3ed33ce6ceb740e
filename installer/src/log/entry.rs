//! One line of the log.

use crate::screen::{BAD, BOLD, CAREFUL, DIM, GOOD};
use crate::text::brief;
use anstyle::Style;
use hookkit_dispatch::log::SCHEMA;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What the dispatcher wrote about one hook, or about an event that no hook was asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    schema: u32,
    /// By RFC 3339, in UTC.
    pub(crate) time: String,
    pub(crate) plugin: String,
    pub(crate) host: String,
    pub(crate) event: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hook: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// What counted of what the hook said.
    pub(crate) outcome: String,
    /// What it said, and nobody heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    discarded: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fault: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    /// How long the hook ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
}

/// Which entries are wanted.
#[derive(Default)]
pub(crate) struct Filter<'f> {
    pub(crate) plugin: Option<&'f str>,
    pub(crate) host: Option<&'f str>,
}

impl Filter<'_> {
    pub(crate) fn takes(&self, entry: &Entry) -> bool {
        self.plugin.is_none_or(|plugin| plugin == entry.plugin)
            && self.host.is_none_or(|host| host == entry.host)
    }
}

impl Entry {
    /// Reads a line. A disk that was full may have cut off one before it, which then stands in front
    /// of it in the same line.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let whole = || serde_json::from_str(line).ok();
        let behind = || serde_json::from_str(&line[line.rfind("{\"schema\":")?..]).ok();
        let entry: Self = whole().or_else(behind)?;
        (entry.schema <= SCHEMA).then_some(entry)
    }

    pub(crate) fn elapsed(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.ms? / 1000.0).ok()
    }

    /// Plugin and hook in one word.
    pub(crate) fn who(&self) -> String {
        match &self.hook {
            Some(hook) => format!("{}/{hook}", self.plugin),
            None => self.plugin.clone(),
        }
    }

    /// For people, in columns.
    pub(crate) fn line(&self) -> String {
        let time = self.time.get(..19).unwrap_or(&self.time).replace('T', " ");
        let mut rest: Vec<String> = Vec::new();
        rest.extend(self.elapsed().map(crate::times::milliseconds));
        rest.extend(self.exit.map(|exit| format!("exit {exit}")));
        rest.extend(self.fault.as_ref().map(|fault| format!("fault {fault}")));
        rest.extend(
            self.discarded
                .as_ref()
                .map(|said| format!("said {said}, which does not count")),
        );
        let style = self.style();
        // The file may hold what no dispatcher wrote: no control character reaches a terminal.
        format!(
            "{DIM}{}{DIM:#}  {:12} {:18} {BOLD}{:28}{BOLD:#} {style}{:8}{style:#} {}\n",
            brief(&time, 19),
            brief(&self.host, 40),
            brief(&self.event, 40),
            brief(&self.who(), 120),
            brief(&self.outcome, 20),
            brief(&rest.join(", "), 120),
        )
    }

    fn style(&self) -> Style {
        if self.fault.is_some() || self.discarded.is_some() {
            return CAREFUL;
        }
        match &*self.outcome {
            "deny" | "block" | "stop" => BAD,
            "none" | "unread" => Style::new(),
            _ => GOOD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"schema":1,"time":"2026-11-30T19:00:00.001Z","plugin":"guard","host":"claude-code","event":"PreToolUse","hook":"no","mode":"gate","outcome":"deny","exit":2,"ms":12.345}"#;

    #[test]
    fn a_line_is_read_also_behind_one_that_was_cut_off() {
        let read = |line: &str| Entry::read(line).map(|entry| entry.who());
        assert_eq!(read(LINE).as_deref(), Some("guard/no"));
        let cut = format!("{}{LINE}", &LINE[..40]);
        assert_eq!(read(&cut).as_deref(), Some("guard/no"));
        assert_eq!(read(&LINE[..40]), None);
        assert_eq!(read(""), None);
        assert_eq!(read(&LINE.replace(":1,", ":2,")), None);
    }

    #[test]
    fn no_control_character_reaches_a_terminal() {
        let mut entry = Entry::read(LINE).expect("a line");
        entry.host = "a\u{1b}]0;b\nc".to_owned();
        let shown = anstream::adapter::strip_str(&entry.line()).to_string();
        assert!(
            shown.contains("a ]0;b c") || shown.contains("a b c"),
            "{shown:?}"
        );
        assert_eq!(shown.matches('\n').count(), 1);
    }
}
