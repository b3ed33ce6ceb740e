//! What hosts will really run, and why not: `hookkit doctor`.
//!
//! ```text
//! Survey::take -> states, hooks, launch, programs, sources, repository -> findings -> Report
//! ```
//!
//! The survey says what each host reads and drops; the judges here say what that means, and what of
//! the rest does other than it seems. [`codes`] is the one table from which findings, `--explain` and
//! docs/doctor.md are made. Nothing is started for it but hookkit's own dispatchers, with `--version`:
//! the one that stands beside `hookkit`, and the installed one where it is another; and what [`Beyond`]
//! asks for.

mod code;
pub(crate) mod codes;
mod explain;
mod finding;
mod git;
mod hooks;
mod launch;
mod logs;
mod manifests;
mod matchers;
mod outside;
mod own;
mod probe;
mod programs;
mod report;
mod repository;
mod roots;
mod sources;
mod starts;
mod states;
mod versions;

pub(crate) use explain::{document, explain, list, page};
pub(crate) use finding::Finding;
pub(crate) use report::Report;

use crate::install::{Data, Found, Plan};
use crate::outcome::Stop;
use crate::survey::{Hook, HookState, Places, Source, State, Survey, Switch, Twins};
use hookkit_dispatch::env::Env;
use launch::{Reader, Text};
use own::Own;
use probe::Named;
use programs::Machine;
use serde_json::Value;
use starts::Starts;

/// What was looked at, and what mends what is hookkit's own.
pub(crate) struct Examined {
    pub(crate) report: Report,
    pub(crate) repairs: Vec<Plan>,
}

/// What is done beyond reading, because somebody asked for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beyond {
    /// The clients are started and asked what they read.
    pub(crate) ask_hosts: bool,
    /// The hooks of these plugins are run on made-up payloads, whoever made them.
    pub(crate) probe: Vec<String>,
}

/// Looks at everything that these hosts read; all of them where none is named.
pub(crate) fn examine(
    places: &Places,
    hosts: &[&str],
    data: Option<&Data>,
    found: &[Found],
    mends: bool,
    env: &Env,
    beyond: &Beyond,
) -> Result<Examined, Stop> {
    let survey = Survey::take(places, hosts);
    let machine = Machine::of(env);
    // Nothing is started before every name is known.
    let probed: Vec<Named> = beyond
        .probe
        .iter()
        .map(|name| probe::find(name, data, &survey))
        .collect::<Result<_, _>>()?;
    let mut findings = Vec::new();
    states::judge(&survey, &mut findings);
    if hosts.is_empty() || hosts.contains(&"claude-code") {
        sources::environment(places, &mut findings);
        roots::orphaned(places, &mut findings);
    }
    let twins = Twins::of(&survey);
    for source in &survey.sources {
        sources::twice(source, &mut findings);
        for hook in &source.hooks {
            let judged = Judge {
                source,
                hook,
                places,
                machine: &machine,
            };
            judged.all(&mut findings);
            findings.extend(sources::doubled(&twins, source, hook));
        }
    }
    sources::in_repository_twice(&survey, &mut findings);
    manifests::judge(&survey, &mut findings);
    repository::judge(&survey, places, &machine, &mut findings);
    logs::judge(places, hosts, &mut findings);
    let is_asked = |found: &&Found| hosts.is_empty() || hosts.contains(&found.name());
    let found: Vec<Found> = found.iter().filter(is_asked).cloned().collect();
    versions::judge(&found, &mut findings);
    outside::sessions(&survey, &found, &mut findings);
    if beyond.ask_hosts {
        outside::hosts(&survey, places, &found, &mut findings);
    }
    for named in &probed {
        probe::probe(named, &survey, &machine, env, &mut findings);
    }
    let own = data.map(|data| Own::look(data, &found, mends, env));
    let repairs = own.map_or_else(Vec::new, |own| {
        findings.extend(own.findings);
        own.repairs
    });
    Ok(Examined {
        report: Report::of(&survey, &found, findings),
        repairs,
    })
}

/// One hook, in its source, on this machine.
struct Judge<'j> {
    source: &'j Source,
    hook: &'j Hook,
    places: &'j Places,
    machine: &'j Machine,
}

impl Judge<'_> {
    fn all(&self, findings: &mut Vec<Finding>) {
        let Self { source, hook, .. } = *self;
        // What the host does not read does nothing, whatever it says.
        let is_unread = match &source.state {
            State::Dropped(_) => true,
            State::Off(cause) => {
                matches!(cause.switch, Switch::Shadowed(_) | Switch::Outranked)
            }
            State::Read => false,
        };
        if is_unread || matches!(hook.state, HookState::Dropped(_)) {
            return;
        }
        hooks::judge(source, hook, findings);
        let entry = hook.entry.json();
        self.forms(&entry, findings);
        let place = launch::Place {
            host: source.host,
            event: &hook.event,
            is_plugin: source.plugin.is_some(),
            can_block: hook
                .contract
                .is_some_and(hookkit_dispatch::contract::Contract::can_block),
        };
        let runs = hook.state.counts() && source.state == State::Read;
        for text in launch::texts(&entry, source.host) {
            for (code, what) in launch::judge(&text, &place).0 {
                let what = format!("`{}`: {what}", text.key);
                findings.push(self.placed(Finding::new(code, what), &text));
            }
            if text.is_here && cfg!(not(windows)) && roots::of_windows(&text.text) {
                let what = format!("`{}` names a path of Windows", text.key);
                findings.push(self.placed(Finding::new(&codes::roots::ELSEWHERE, what), &text));
            }
            if text.is_here && runs {
                self.started(&text, &entry, findings);
            }
        }
    }

    fn placed(&self, finding: Finding, text: &Text) -> Finding {
        let members = self.hook.entry.members().iter();
        let line = members
            .rev()
            .find(|member| &*member.key == text.key)
            .map(|member| member.line);
        finding
            .of(self.source.host)
            .at(&self.source.file, Some(line.unwrap_or(self.hook.line)))
    }

    fn started(&self, text: &Text, entry: &Value, findings: &mut Vec<Finding>) {
        let starts = Starts::of(text, entry["cwd"].as_str(), self.source, self.places);
        let root = self
            .source
            .plugin
            .as_ref()
            .and_then(|plugin| plugin.root.as_deref());
        let is_alone = text.reader == Reader::Nobody;
        for finding in programs::judge(&starts, is_alone, root, self.machine) {
            findings.push(self.placed(finding, text));
        }
    }

    /// Entries that say one thing to one host and another to the next.
    fn forms(&self, entry: &Value, findings: &mut Vec<Finding>) {
        use codes::launch as code;
        let Self { source, hook, .. } = *self;
        let is_copilot = matches!(source.host, "copilot-cli" | "vscode-copilot");
        let has = |key: &str| entry.get(key).is_some();
        let mut say = |code, what: &str| {
            let finding = Finding::new(code, what).of(source.host);
            findings.push(finding.at(&source.file, Some(hook.line)));
        };
        if is_copilot
            && has("args")
            && has("command")
            && !has("exec")
            && !(has("bash") && has("powershell"))
        {
            let is_claudes = source
                .file
                .parent()
                .is_some_and(|folder| folder.ends_with(".claude"));
            if is_claudes {
                say(
                    &code::PROJECT_EXEC,
                    "`command` is run by bash, without its `args`",
                );
            } else {
                say(
                    &code::ARGS_IGNORED,
                    "`args` is dropped: only `exec` has words of its own",
                );
            }
        }
        let has_posix = ["bash", "command", "linux", "osx", "exec"]
            .into_iter()
            .any(has);
        let wants_powershell = match source.host {
            "claude-code" => entry["shell"] == "powershell",
            _ => is_copilot && has("powershell") && !has_posix,
        };
        let names = if cfg!(windows) && is_copilot {
            &["pwsh", "powershell"][..]
        } else {
            &["pwsh"]
        };
        if wants_powershell
            && names
                .iter()
                .all(|name| self.machine.search.find(name).is_none())
        {
            say(
                &code::NO_PWSH,
                "pwsh is in no folder of the PATH, so this cannot start",
            );
        }
    }
}
