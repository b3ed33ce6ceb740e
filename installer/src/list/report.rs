//! What is listed, as one document.

use super::ours::Ours;
use crate::edit::outline::Node;
use crate::install::{self, Receipt};
use crate::survey::{
    self, Fires, Gap, Hook, HookState, Moment, Plugin, Source, Standing, State, Survey, Twins,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is asked for.
pub(crate) struct Wanted {
    pub(crate) moment: Moment,
    /// Only what does not count.
    pub(crate) only_problems: bool,
}

impl Wanted {
    /// Is it about one moment, so that it is worth saying which hooks fire?
    fn is_a_moment(&self) -> bool {
        self.moment.event.is_some() || self.moment.tool.is_some()
    }
}

/// The list, for people and for programs.
#[derive(Serialize)]
pub(crate) struct Report {
    schema: u32,
    /// The folder that a session would start in.
    pub(super) folder: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tool: Option<String>,
    pub(super) hosts: Vec<OnHost>,
    /// What is there and could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unread: Vec<Unread>,
}

#[derive(Serialize)]
pub(super) struct Unread {
    pub(super) path: PathBuf,
    pub(super) why: String,
}

/// What one host reads.
#[derive(Serialize)]
pub(super) struct OnHost {
    pub(super) host: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    /// Sessions that run now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sessions: Vec<Live>,
    /// In the order in which it reads them.
    pub(super) sources: Vec<Listed>,
    /// Where an administrator may have said more, and hookkit does not look.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) not_looked_at: &'static [&'static str],
    /// Plugins that it was told of and loads nothing of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) missing: Vec<Missing>,
}

/// A session that runs now.
#[derive(Serialize)]
pub(super) struct Live {
    pub(super) process: u32,
    /// In seconds since 1970.
    pub(super) since: u64,
    /// What it read at its start and is another now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) holds: Vec<Holding>,
}

#[derive(Serialize)]
pub(super) struct Holding {
    pub(super) path: PathBuf,
    /// `gone` or `replaced`.
    pub(super) state: &'static str,
}

/// A file that it reads.
#[derive(Serialize)]
pub(super) struct Listed {
    pub(super) file: PathBuf,
    pub(super) kind: crate::survey::Kind,
    pub(super) scope: crate::survey::Scope,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plugin: Option<OfPlugin>,
    /// What of it hookkit installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hookkit: Option<Ours>,
    pub(super) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    pub(super) hooks: Vec<OneHook>,
}

#[derive(Serialize)]
pub(super) struct OfPlugin {
    pub(super) id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) root: Option<PathBuf>,
    pub(super) origin: crate::survey::Origin,
}

/// A plugin that is told of and not there.
#[derive(Serialize)]
pub(super) struct Missing {
    pub(super) plugin: String,
    pub(super) file: PathBuf,
    pub(super) line: usize,
    pub(super) state: &'static str,
    pub(super) why: String,
}

/// A hook in it.
#[derive(Serialize)]
pub(super) struct OneHook {
    /// As it is written.
    pub(super) event: String,
    /// Claude Code's name for it, where there is one and it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) claude_event: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) matchers: Vec<String>,
    pub(super) line: usize,
    pub(super) kind: &'static str,
    /// What it starts, without credentials.
    pub(super) starts: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cwd: Option<String>,
    /// In seconds, where the entry says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timeout: Option<f64>,
    /// The names of variables that it sets; never their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) env: Vec<String>,
    pub(super) state: &'static str,
    /// `yes`, `perhaps` or `no`, where an event or a tool was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fires: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    /// Where the same is started once more, on the same event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) again: Vec<String>,
}

impl Report {
    /// What is wanted of a survey. A host of which there is nothing on this machine is left out,
    /// unless it is asked for by name.
    pub(crate) fn of(
        survey: &Survey,
        found: &[install::Found],
        receipts: &[Receipt],
        hosts: &[&'static str],
        wanted: &Wanted,
        folder: &Path,
        now: u64,
    ) -> Self {
        let twins = Twins::of(survey);
        let running = survey::sessions(survey, found).unwrap_or_default();
        let all = crate::survey::hosts();
        let named = |host: &&'static str| hosts.is_empty() || hosts.contains(host);
        let of_host = |host: &'static str| {
            let machine = found.iter().find(|found| found.is_named(host));
            let sources: Vec<Listed> = survey
                .of(host)
                .filter_map(|source| Listed::of(&twins, source, receipts, wanted, now))
                .collect();
            let missing: Vec<Missing> = survey
                .plugins
                .iter()
                .filter(|plugin| plugin.host == host)
                .filter_map(|plugin| Missing::of(plugin, survey))
                .collect();
            let is_there = machine.is_some_and(install::Found::is_there);
            let sessions: Vec<Live> = running
                .iter()
                .filter(|session| session.host == host)
                .map(Live::of)
                .filter(|live| !wanted.only_problems || !live.holds.is_empty())
                .collect();
            let is_shown = !sessions.is_empty()
                || !sources.is_empty()
                || !missing.is_empty()
                || (!wanted.only_problems && (is_there || hosts.contains(&host)));
            is_shown.then(|| OnHost {
                host,
                version: machine.and_then(|found| found.version.clone()),
                sessions,
                sources,
                not_looked_at: survey::not_looked_at(std::env::consts::OS, host),
                missing,
            })
        };
        let unread = survey.unread.iter().map(|one| Unread {
            path: one.path.clone(),
            why: one.why.clone(),
        });
        Self {
            schema: 1,
            folder: folder.to_owned(),
            event: wanted.moment.event.clone(),
            tool: wanted.moment.tool.clone(),
            hosts: all.filter(named).filter_map(of_host).collect(),
            unread: unread.collect(),
        }
    }

    /// Is anything not as somebody meant it?
    pub(crate) fn has_problems(&self) -> bool {
        !self.unread.is_empty()
            || self.hosts.iter().any(|host| {
                let holds = host.sessions.iter().any(|live| !live.holds.is_empty());
                holds
                    || !host.missing.is_empty()
                    || host.sources.iter().any(|source| {
                        source.state != "read"
                            || source
                                .hooks
                                .iter()
                                .any(|hook| !matches!(hook.state, "armed" | "within"))
                    })
            })
    }
}

impl Live {
    fn of(session: &survey::Session) -> Self {
        let holds = session.holds.iter().map(|held| Holding {
            path: held.path.clone(),
            state: match held.loss {
                survey::Loss::Gone => "gone",
                survey::Loss::Replaced => "replaced",
            },
        });
        Self {
            process: session.process,
            since: session.start,
            holds: holds.collect(),
        }
    }
}

impl Listed {
    fn of<'s>(
        twins: &Twins<'s>,
        source: &'s Source,
        receipts: &[Receipt],
        wanted: &Wanted,
        now: u64,
    ) -> Option<Self> {
        let ours = Ours::of(source, receipts, now);
        let is_wanted = |hook: &&Hook| {
            let is_a_problem = !hook.state.counts() || !source.is_read();
            wanted.moment.is_about(source.host, hook) && (is_a_problem || !wanted.only_problems)
        };
        let hooks: Vec<OneHook> = source
            .hooks
            .iter()
            .filter(is_wanted)
            .map(|hook| OneHook::of(twins, source, hook, wanted, ours.as_ref()))
            .collect();
        // A file of which nothing is known might have held what is asked for.
        let is_opaque = !source.is_read() && source.hooks.is_empty();
        if hooks.is_empty() && !is_opaque {
            return None;
        }
        let plugin = source.plugin.as_ref().map(|plugin| OfPlugin {
            id: plugin.id.clone(),
            version: plugin.version.clone(),
            root: plugin.root.clone(),
            origin: plugin.origin,
        });
        Some(Self {
            file: source.file.clone(),
            kind: source.kind,
            scope: source.scope,
            plugin,
            state: match source.state {
                State::Read => "read",
                State::Dropped(_) => "dropped",
                State::Off(_) => "off",
            },
            why: source.why(),
            hookkit: ours,
            hooks,
        })
    }
}

impl OneHook {
    fn of<'s>(
        twins: &Twins<'s>,
        source: &'s Source,
        hook: &'s Hook,
        wanted: &Wanted,
        ours: Option<&Ours>,
    ) -> Self {
        let entry = &hook.entry;
        let text = |key: &str| entry.get(key).and_then(Node::text).map(str::to_owned);
        let number = |key: &str| entry.get(key).and_then(Node::number);
        let names = entry.get("env").map_or(&[][..], Node::members);
        let (mut fires, mut why) = (None, hook.why().or_else(|| hook.only()));
        if wanted.is_a_moment() {
            let answer = match wanted.moment.fires(source, hook) {
                Fires::Yes if ours.is_some_and(|ours| ours.is_off) => {
                    Fires::No("off: `hookkit disable` switched the plugin off".to_owned())
                }
                answer => answer,
            };
            (fires, why) = match answer {
                Fires::Yes => (Some("yes"), None),
                Fires::Perhaps(why) => (Some("perhaps"), Some(why)),
                Fires::No(why) => (Some("no"), Some(why)),
            };
        }
        let claudes = hook.contract.map(|row| row.event);
        Self {
            event: hook.event.to_string(),
            claude_event: claudes.filter(|event| *event != &*hook.event),
            matchers: hook
                .matchers
                .iter()
                .map(|one| one.text().unwrap_or_default().to_owned())
                .collect(),
            line: hook.line,
            kind: hook.handler.kind(),
            starts: hook.handler.shown(),
            cwd: text("cwd"),
            timeout: number("timeoutSec").or_else(|| number("timeout")),
            env: names.iter().map(|one| one.key.to_string()).collect(),
            state: match hook.state {
                HookState::Armed => "armed",
                HookState::Within(_) => "within",
                HookState::Dropped(_) => "dropped",
                HookState::Off(_) => "off",
            },
            fires,
            why,
            again: twins
                .again(source, hook)
                .map(|(source, hook)| format!("{}:{}", source.file.display(), hook.line))
                .collect(),
        }
    }
}

impl Missing {
    /// What is wrong with a plugin of which no file is listed.
    fn of(plugin: &Plugin, survey: &Survey) -> Option<Self> {
        let (state, why) = match &plugin.standing {
            Standing::Loaded => return None,
            Standing::Gone(gap) => ("gone", Gap::sentence(gap)),
            Standing::Off(cause) => ("off", cause.sentence()),
        };
        let has_source = survey
            .sources
            .iter()
            .any(|source| source.plugin.as_ref().is_some_and(|of| **of == *plugin));
        // Its files say that they are off.
        if state == "off" && has_source {
            return None;
        }
        Some(Self {
            plugin: plugin.id.clone(),
            file: plugin.named.0.clone(),
            line: plugin.named.1,
            state,
            why,
        })
    }
}
