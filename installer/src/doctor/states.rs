//! What the survey says is dropped, off or gone, as findings.

use super::code::Code;
use super::codes::{files, repository, roots, sources};
use super::finding::Finding;
use super::hooks::unknown_event;
use crate::survey::{
    Cause, Fault, Gap, Hook, HookState, Kind, Origin, Plugin, Source, Standing, State, Survey,
    Switch, Wrong,
};
use hookkit_dispatch::contract::Contract;
use std::collections::BTreeSet;
use std::path::Path;

/// What became of every plugin, file and hook.
pub(super) fn judge(survey: &Survey, findings: &mut Vec<Finding>) {
    for unread in &survey.unread {
        let what = format!("cannot be read: {}", unread.why);
        findings.push(Finding::new(&files::UNREADABLE, what).at(&unread.path, None));
    }
    for plugin in &survey.plugins {
        findings.extend(of_plugin(plugin));
    }
    for source in &survey.sources {
        of_source(source, findings);
    }
}

fn of_plugin(plugin: &Plugin) -> Option<Finding> {
    let (file, line) = &plugin.named;
    let finding = match &plugin.standing {
        Standing::Gone(gap) => {
            let code = match gap {
                Gap::Marketplace(_) | Gap::MarketplaceFolder(_) => &roots::MARKET_GONE,
                Gap::Literal(_) => &roots::LITERAL,
                Gap::OtherMachine(_) => &roots::ELSEWHERE,
                _ => &roots::CACHE_GONE,
            };
            Finding::new(
                code,
                format!("{} is not loaded: {}", plugin.id, gap.sentence()),
            )
        }
        Standing::Off(cause) => off(plugin.host, &plugin.id, cause)?,
        Standing::Loaded if plugin.origin == Origin::Direct => {
            let what = format!("{} is a copy that no update reaches", plugin.id);
            Finding::new(&roots::DIRECT, what)
        }
        Standing::Loaded => return None,
    };
    Some(finding.of(plugin.host).at(file, Some(*line)))
}

/// A thing that somebody switched off; nothing where that is what the user wanted.
fn off(host: &'static str, name: &str, cause: &Cause) -> Option<Finding> {
    let code: &'static Code = match &cause.switch {
        Switch::AllHooksDisabled | Switch::FeatureOff => &sources::ALL_OFF,
        Switch::NotEnabled => &sources::PLUGIN_OFF,
        Switch::Disabled => &sources::HOOK_OFF,
        Switch::ManagedOnly | Switch::PluginsOnly => &sources::MANAGED_ONLY,
        Switch::FolderUntrusted => &sources::UNTRUSTED,
        Switch::NotTrusted | Switch::Changed => &sources::CODEX_TRUST,
        Switch::Setting(_) => &sources::LOCAL_OFF,
        Switch::Shadowed(chosen) if is_root_file(chosen) => &files::SHADOWED,
        Switch::Shadowed(_) | Switch::Outranked => return None,
    };
    // Who never enabled a plugin, or left VS Code's settings as they come, wants it so.
    let is_chosen = cause.place.is_some();
    if !is_chosen && (*code == sources::PLUGIN_OFF || *code == sources::LOCAL_OFF) {
        return None;
    }
    let what = match &cause.place {
        Some((file, line)) if *code == sources::ALL_OFF || *code == sources::MANAGED_ONLY => {
            format!("hooks are switched off by {}:{line}", file.display())
        }
        _ => format!("{name} is off: {}", cause.sentence()),
    };
    Some(Finding::new(code, what).of(host))
}

/// A plugin's `hooks.json` beside its folders, which nobody named.
fn is_root_file(file: &Path) -> bool {
    file.ends_with("hooks.json") && !file.ends_with("hooks/hooks.json")
}

fn of_source(source: &Source, findings: &mut Vec<Finding>) {
    match &source.state {
        State::Read => {}
        State::Dropped(fault) => {
            // What cannot be read is said once, for all hosts.
            if !matches!(fault.wrong, Wrong::Unreadable(_)) {
                findings.push(dropped(source, fault));
            }
        }
        State::Off(cause) => {
            if source.plugin.is_none() || matches!(cause.switch, Switch::Shadowed(_)) {
                findings.extend(off_source(source, cause));
            }
        }
    }
    let mut causes = Vec::new();
    let mut events = BTreeSet::new();
    for hook in &source.hooks {
        match &hook.state {
            HookState::Armed | HookState::Within(_) => {}
            HookState::Dropped(Fault {
                wrong: Wrong::Event(event),
                ..
            }) => {
                if events.insert(hook.event_line) {
                    let finding = unknown_event(event, source.host);
                    findings.push(
                        finding
                            .of(source.host)
                            .at(&source.file, Some(hook.event_line)),
                    );
                }
            }
            HookState::Dropped(fault) if is_said(source, fault) => {}
            HookState::Dropped(fault) => findings.push(dropped(source, fault)),
            HookState::Off(cause) if cause.switch == Switch::Disabled => {
                findings.extend(one_off(source, hook, cause));
            }
            HookState::Off(cause) => {
                if !causes.contains(&cause) {
                    causes.push(cause);
                }
            }
        }
    }
    for cause in causes {
        findings.extend(off_source(source, cause));
    }
}

/// Was it said of the whole file already?
fn is_said(source: &Source, fault: &Fault) -> bool {
    matches!(&source.state, State::Dropped(whole) if whole.line == fault.line)
}

fn off_source(source: &Source, cause: &Cause) -> Option<Finding> {
    let finding = off(source.host, "what stands here", cause)?;
    Some(match (&cause.place, finding.code) {
        (Some((file, line)), code) if super::codes::sources::SWITCHES.contains(&code) => {
            finding.at(file, Some(*line))
        }
        _ => finding.at(&source.file, None),
    })
}

/// A single hook that somebody switched off: what it could have refused is said with it.
fn one_off(source: &Source, hook: &Hook, cause: &Cause) -> Option<Finding> {
    let refuses = hook.contract.is_some_and(Contract::can_block);
    let name = if refuses {
        format!("a hook that may refuse ({})", hook.event)
    } else {
        format!("a hook of {}", hook.event)
    };
    let finding = off(source.host, &name, cause)?;
    Some(finding.at(&source.file, Some(hook.line)))
}

fn dropped(source: &Source, fault: &Fault) -> Finding {
    let (code, what) = match &fault.wrong {
        Wrong::Whole(wrong) => (whole(source, wrong), fault.wrong.sentence()),
        wrong => (single(source, wrong), wrong.sentence()),
    };
    let line = (fault.line > 0).then_some(fault.line);
    Finding::new(code, what)
        .of(source.host)
        .at(&source.file, line)
}

/// One thing for which the host drops all of a file or a plugin.
fn whole(source: &Source, wrong: &Wrong) -> &'static Code {
    let is_entry = !matches!(
        wrong,
        Wrong::Unparsed(_)
            | Wrong::Mark
            | Wrong::Comment
            | Wrong::Comma
            | Wrong::NoHooks
            | Wrong::Version
            | Wrong::Key(_)
    );
    match source.kind {
        _ if !is_entry => single(source, wrong),
        Kind::ClaudeSkill | Kind::ClaudeAgent => &files::ENTRY_SKIPPED,
        Kind::ClaudeSettings | Kind::ClaudeManaged | Kind::ClaudePlugin
            if *wrong == Wrong::Flat =>
        {
            &files::FLAT
        }
        Kind::ClaudeSettings | Kind::ClaudeManaged => &files::DROPS_SETTINGS,
        Kind::ClaudePlugin => &files::DROPS_PLUGIN,
        Kind::CodexHooks | Kind::CodexConfig | Kind::CodexPlugin | Kind::CodexRequirements => {
            &files::CODEX_HANDLER
        }
        _ => single(source, wrong),
    }
}

fn single(source: &Source, wrong: &Wrong) -> &'static Code {
    match wrong {
        _ if source.host == "copilot-cloud" => &repository::CLOUD_CANNOT,
        Wrong::Unreadable(_) => &files::UNREADABLE,
        Wrong::Unparsed(_) | Wrong::NoTable(_) => &files::NOT_JSON,
        Wrong::Mark => &files::BOM,
        Wrong::Comment | Wrong::Comma => &files::COMMENT,
        Wrong::NoList(_) => &files::NOT_A_LIST,
        Wrong::NoHooks => &files::NO_HOOKS,
        Wrong::Version => &files::VERSION,
        Wrong::Key(_) if source.host == "claude-code" => &files::ENTRY_SKIPPED,
        Wrong::Key(_) => &files::CODEX_KEY,
        Wrong::Event(_) => &files::NO_EVENT,
        Wrong::Flat if source.host == "claude-code" => &files::FLAT,
        Wrong::Value { key, .. } if key.starts_with("timeout") => &files::TIMEOUT_BAD,
        Wrong::Value { key, .. } if key == "url" => &files::HTTP,
        Wrong::Value { key, .. } if key == "disabledHooks" => &files::DISABLED_HOOKS,
        Wrong::Value { key, .. } if key == "hooks" => &files::HOOKS_FORM,
        Wrong::Type(kind) if kind == "prompt" && source.host != "codex" => &files::PROMPT,
        Wrong::ExecAndShell(_) => &files::EXEC_AND_SHELL,
        Wrong::EmptyMatcher => &files::MATCHER_EMPTY,
        Wrong::Pattern(_) => &files::MATCHER_INVALID,
        Wrong::Outside(_) | Wrong::Missing(_) => &files::HOOKS_FORM,
        Wrong::Whole(wrong) => whole(source, wrong),
        _ => &files::ENTRY_SKIPPED,
    }
}
