//! What is odd about one hook: its event, timeout, fields and matcher.

use super::codes::files as code;
use super::finding::Finding;
use super::matchers;
use crate::edit::outline::Member;
use crate::survey::{Hook, Source};
use hookkit_dispatch::host::HOSTS;

/// Everything about a hook but what it starts.
pub(super) fn judge(source: &Source, hook: &Hook, findings: &mut Vec<Finding>) {
    timeouts(source, hook, findings);
    ignored(source, hook, findings);
    matchers::judge(source, hook, findings);
}

/// What is said of an event that the host does not have.
pub(super) fn unknown_event(event: &str, host: &'static str) -> Finding {
    let rows = || HOSTS.iter().flat_map(|host| host.contracts());
    let is_known = rows().any(|row| row.event == event || row.native == Some(event));
    if is_known {
        return Finding::new(
            &code::OTHER_EVENT,
            format!("{host} has no event `{event}`, so what stands under it runs on other agents"),
        );
    }
    let own = HOSTS.iter().filter(|known| known.name() == host);
    let similar = own
        .flat_map(|host| host.contracts())
        .flat_map(|row| row.native.into_iter().chain([row.event]))
        .find(|name| name.eq_ignore_ascii_case(event));
    let finding = Finding::new(
        &code::NO_EVENT,
        format!("`{event}` is no event, so what stands under it never runs"),
    );
    match similar {
        Some(name) => finding.fixed_by(format!("write `{name}`")),
        None => finding,
    }
}

/// How long the hosts let a hook of the end of a session run.
fn longest(host: &str, event: &str) -> Option<f64> {
    match (host, event) {
        ("claude-code", "SessionEnd") => Some(60.0),
        ("codex", "SessionEnd" | "Interrupt") => Some(3.0),
        _ => None,
    }
}

/// The member that says how long a hook may take, on this host.
fn timeout<'h>(host: &str, hook: &'h Hook) -> Option<&'h Member> {
    let reads_both = matches!(
        host,
        "copilot-cli" | "vscode-copilot" | "vscode-local" | "copilot-cloud"
    );
    let both = reads_both.then(|| member(hook, "timeoutSec")).flatten();
    both.or_else(|| member(hook, "timeout"))
}

fn member<'h>(hook: &'h Hook, key: &str) -> Option<&'h Member> {
    let members = hook.entry.members().iter();
    members.rev().find(|member| &*member.key == key)
}

/// How long a hook may take on this host, in seconds.
pub(super) fn limit(host: &str, hook: &Hook) -> f64 {
    let own = timeout(host, hook).and_then(|own| own.node.number());
    let seconds = own
        .or_else(|| Some(hook.contract?.default_timeout))
        .unwrap_or(f64::MAX);
    longest(host, &hook.event).map_or(seconds, |longest| seconds.min(longest))
}

fn timeouts(source: &Source, hook: &Hook, findings: &mut Vec<Finding>) {
    let mut say = |finding: Finding, line: usize| {
        findings.push(finding.of(source.host).at(&source.file, Some(line)));
    };
    let own = timeout(source.host, hook);
    if own.is_none()
        && let Some(other) = ["timeoutSec", "timeout_sec", "timeoutMs", "timeout_ms"]
            .into_iter()
            .find_map(|key| member(hook, key))
    {
        let what = format!("`{}` is not read by {}", other.key, source.host);
        say(Finding::new(&code::TIMEOUT_KEY, what), other.line);
    }
    let limit = longest(source.host, &hook.event);
    let Some((seconds, line)) = own.and_then(|own| Some((own.node.number()?, own.line))) else {
        if let Some(limit) = limit {
            let what = format!("names no timeout, so it is ended early; {limit} s are allowed");
            say(
                Finding::new(&super::codes::sources::ENDED_EARLY, what),
                hook.line,
            );
        }
        return;
    };
    if seconds >= 1000.0 {
        let minutes = (seconds / 60.0).round();
        let what = format!("the timeout is {minutes} minutes, for it is read as seconds");
        let fix = format!("write {}, if milliseconds were meant", seconds / 1000.0);
        say(Finding::new(&code::TIMEOUT_LONG, what).fixed_by(fix), line);
    } else if let Some(limit) = limit.filter(|limit| seconds > *limit) {
        let what = format!(
            "the timeout is {seconds} s, but {} gives {limit} s",
            source.host
        );
        say(Finding::new(&code::TIMEOUT_CUT, what), line);
    }
}

/// Fields that would change when or how often a hook runs (copilot-cli.md section 5,
/// claude-code.md section 3, codex-and-vscode.md section 0).
fn ignored(source: &Source, hook: &Hook, findings: &mut Vec<Finding>) {
    let fields: &[&str] = match source.host {
        "claude-code" => &["cwd", "env"],
        "copilot-cli" | "vscode-copilot" => &["if", "once", "async"],
        "codex" => &["cwd", "env", "args", "shell", "if", "once"],
        _ => &[],
    };
    for member in hook.entry.members() {
        if fields.contains(&&*member.key) && member.node.boolean() != Some(false) {
            let what = format!("{} ignores `{}`", source.host, member.key);
            findings.push(
                Finding::new(&code::FIELD_IGNORED, what)
                    .of(source.host)
                    .at(&source.file, Some(member.line)),
            );
        }
    }
}
