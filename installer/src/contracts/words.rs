//! Every value of the table as words.

use hookkit_dispatch::contract::{Contract, Effect, Failure, Form, Grade, Subject};
use hookkit_dispatch::host::Host;
use hookkit_dispatch::turns::MOST_BLOCKS;

/// What a matcher looks at.
pub(super) fn subject(subject: Subject) -> String {
    match subject {
        Subject::Nothing => "nothing".to_owned(),
        Subject::Tool => "the tool's name".to_owned(),
        Subject::Field(name) => name.to_owned(),
        Subject::FileName(name) => format!("the file's name in {name}"),
    }
}

/// The forms of a row, by the outcome that they say, in the order of the documentation.
pub(super) fn forms(contract: &Contract) -> [(&'static str, Form); 10] {
    [
        ("allow", contract.allow),
        ("ask", contract.ask),
        ("defer", contract.defer),
        ("deny", contract.deny),
        ("block", contract.block),
        ("context", contract.context),
        ("new input", contract.rewrite_input),
        ("new result", contract.rewrite_result),
        ("stop", contract.stop),
        ("notice", contract.notice),
    ]
}

/// How an outcome is said; nothing where the host has no form for it.
pub(super) fn form(form: Form) -> Option<String> {
    Some(match form {
        Form::Absent => return None,
        Form::Silence => "by saying nothing".to_owned(),
        Form::NestedDecision(word) => format!("hookSpecificOutput.permissionDecision \"{word}\""),
        Form::RootDecision(word) => format!("permissionDecision \"{word}\""),
        Form::Block => "decision \"block\" with reason".to_owned(),
        Form::RootDeny => "decision \"deny\" with reason".to_owned(),
        Form::BlockTwice => {
            "decision \"block\" with reason, and the same in hookSpecificOutput".to_owned()
        }
        Form::BlockWithResult => "decision \"block\" with the result as reason".to_owned(),
        Form::NestedBehavior(word) => {
            format!("hookSpecificOutput.decision.behavior \"{word}\"")
        }
        Form::RootBehavior(word) => format!("behavior \"{word}\""),
        Form::NestedAction(word) => format!("hookSpecificOutput.action \"{word}\""),
        Form::Retry => "hookSpecificOutput.retry true".to_owned(),
        Form::Exit(code) => format!("exit code {code} with the reason on stderr"),
        Form::NestedContext => "hookSpecificOutput.additionalContext".to_owned(),
        Form::RootContext => "additionalContext".to_owned(),
        Form::SystemMessage => "systemMessage".to_owned(),
        Form::NestedInput => "hookSpecificOutput.updatedInput".to_owned(),
        Form::NestedToolInput => "hookSpecificOutput.tool_input".to_owned(),
        Form::NestedInputAllowed => {
            "hookSpecificOutput.updatedInput beside permissionDecision \"allow\"".to_owned()
        }
        Form::NestedInputAsked => {
            "hookSpecificOutput.updatedInput beside permissionDecision \"ask\"".to_owned()
        }
        Form::BehaviorInput => {
            "hookSpecificOutput.decision.updatedInput beside behavior \"allow\"".to_owned()
        }
        Form::RootArgs => "modifiedArgs".to_owned(),
        Form::RootPrompt => "modifiedPrompt".to_owned(),
        Form::NestedOutput => "hookSpecificOutput.updatedToolOutput".to_owned(),
        Form::NestedContent => "hookSpecificOutput.content beside action \"accept\"".to_owned(),
        Form::RootResult => "modifiedResult".to_owned(),
        Form::RootResponse => "modifiedResponse".to_owned(),
        Form::StopTurn => "continue false with stopReason".to_owned(),
        Form::StopTurnAndDeny => "continue false with stopReason, and deny".to_owned(),
        Form::DenyAndInterrupt => "deny, with interrupt true".to_owned(),
    })
}

/// What the host does when a hook fails; ways that end alike stand together.
pub(super) fn failure(failure: Failure) -> Vec<(Effect, Vec<&'static str>)> {
    let mut groups: Vec<(Effect, Vec<&'static str>)> = Vec::new();
    for (way, effect) in ways(failure) {
        match groups.iter_mut().find(|(other, _)| *other == effect) {
            Some((_, ways)) => ways.push(way),
            None => groups.push((effect, vec![way])),
        }
    }
    groups
}

/// The ways in which a hook can fail, and what follows.
pub(super) fn ways(failure: Failure) -> [(&'static str, Effect); 6] {
    [
        ("timeout", failure.timeout),
        ("crash", failure.crash),
        ("exit 1", failure.exit_1),
        ("exit 2", failure.exit_2),
        ("unreadable output", failure.malformed),
        ("no start", failure.not_started),
    ]
}

/// [`failure`] as one sentence.
pub(super) fn failures(contract: &Contract) -> String {
    let groups = failure(contract.failure);
    if let [(alone, _)] = &groups[..] {
        return format!("always: {}", effect(*alone));
    }
    let parts = groups
        .iter()
        .map(|(then, ways)| format!("{}: {}", ways.join(", "), effect(*then)));
    parts.collect::<Vec<_>>().join("; ")
}

pub(super) fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Open => "goes on unguarded",
        Effect::Closed => "is refused",
        Effect::Continues => "the agent goes on working",
        Effect::Told => "stderr reaches the model",
        Effect::NoGate => "goes on; nothing waits for it",
        Effect::Unknown => "not known",
    }
}

pub(super) fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Observed => "observed",
        Grade::Official => "official",
        Grade::Silent => "silent",
    }
}

/// A limit in seconds.
pub(super) fn seconds(seconds: f64) -> String {
    format!("{seconds} s")
}

/// What bounds the blocks of an event, where something does.
pub(super) fn cap(contract: &Contract) -> Option<String> {
    contract.is_uncapped.then(|| {
        format!("the agent sets none to blocks; hookkit ends a turn after {MOST_BLOCKS} in a row")
    })
}

/// The version that a host was seen at; `None` where no row of it was seen.
pub(super) fn seen_on(host: &dyn Host) -> Option<&'static str> {
    let is_seen = host
        .contracts()
        .iter()
        .any(|row| row.grade == Grade::Observed);
    hookkit_launchers::host::by_name(host.name())
        .and_then(hookkit_launchers::host::Launch::seen_on)
        .filter(|_| is_seen)
}
