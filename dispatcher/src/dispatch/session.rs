//! Runs the selected hooks of one event and joins what they said.

use super::{Dispatch, Ran, Watch};
use crate::active::{self, Active};
use crate::event::Mode;
use crate::failure::{self, At};
use crate::folder::Project;
use crate::host::{self, Decoded, View};
use crate::interpreter::{self, Programs};
use crate::manifest::{Hook, Manifest};
use crate::merge::{Choice, Decision, Outcome, Part, merge};
use crate::payload::Fields;
use crate::reply::Reply;
use crate::root::Root;
use crate::run::{self, End, Finished, Job, environment};
use crate::select::{self, Selected};
use crate::turns::{self, Turn};
use crate::verdict::{self, Fault, Said};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

/// Everything that the hooks of one event share.
pub(super) struct Session<'s> {
    pub(super) dispatch: &'s Dispatch<'s>,
    pub(super) manifest: &'s Manifest<'s>,
    pub(super) root: &'s Root,
    pub(super) project: &'s Project<'s>,
    pub(super) decoded: &'s Decoded<'s>,
    pub(super) active: &'s Active,
    pub(super) at: &'s At<'s>,
}

/// Variables, search path and folder of every hook of one event.
struct Shared {
    variables: Vec<(OsString, OsString)>,
    path: Vec<PathBuf>,
    endings: Vec<String>,
    cwd: Option<PathBuf>,
}

impl Session<'_> {
    /// Runs the hooks and writes the reply.
    pub(super) fn run(
        &self,
        selected: &[Selected],
        fields: &Fields,
        watch: &mut dyn Watch,
    ) -> Reply {
        let shared = self.shared_environment();
        let parts = if self.manifest.in_sequence {
            self.in_sequence(selected, &shared, watch)
        } else {
            self.side_by_side(selected, &shared, watch)
        };
        let mut outcome = merge(parts);
        let host = self.dispatch.chosen.host;
        if self.dispatch.contract.is_uncapped {
            self.end_a_long_turn(&mut outcome, fields, watch);
        }
        let input = outcome
            .input
            .as_deref()
            .map(|input| host.own_input(fields, input));
        let result = outcome.result.as_deref().and_then(|result| {
            let own = host.own_result(result);
            if own.is_none() {
                watch.noted("a rewritten result has no form on this host");
            }
            own
        });
        self.at
            .encode(&outcome, input.as_deref(), result.as_deref())
    }

    /// Lets a turn end that hooks have kept from it often enough, where the host would not. So it
    /// does when nothing can be counted: a session must not be held for ever.
    fn end_a_long_turn(&self, outcome: &mut Outcome, fields: &Fields, watch: &mut dyn Watch) {
        let either = |snake, camel| fields.text(snake).or_else(|| fields.text(camel));
        let session = either("session_id", "sessionId").unwrap_or_default();
        let agent = either("agent_id", "agentId").unwrap_or_default();
        let event = self.dispatch.contract.event;
        let names = [&*self.manifest.name, event, &*session, &*agent];
        let turn = Turn::of(&names, self.dispatch.env);
        if !outcome.refuses() {
            turn.end();
            return;
        }
        let is_first = !self.decoded.stop_hook_active;
        let count = turn.block(is_first);
        let goes_on = match &count {
            Ok(count) => *count <= turns::MOST_BLOCKS,
            Err(_) => is_first,
        };
        if !goes_on {
            turn.end();
            outcome.decision = None;
            outcome.stop = None;
            watch.noted("the turn was kept from ending too often; it may end now");
        }
    }

    /// Runs one hook whose stdout, stderr and exit code are the reply.
    pub(super) fn run_directly(&self, hook: &Hook, watch: &mut dyn Watch) -> Reply {
        let id = &hook.id;
        let contract = self.dispatch.contract;
        // As for a gate: a matcher that cannot be judged lets it run.
        let concerned = |view: &&View| select::concerns(hook, Mode::Gate, contract, view);
        let Some(view) = self.decoded.views.iter().find(concerned) else {
            return Reply::nothing();
        };
        let shared = self.shared_environment();
        let finished = match self.job(hook, view, &shared) {
            Ok(job) => run::run(&[job], self.dispatch.deadline).remove(0),
            Err(why) => Finished::not_started(why),
        };
        watch.ran(&Ran {
            hook: id,
            mode: Mode::Direct,
            file: None,
            saw: &view.document,
            finished: &finished,
            said: &Ok(Said::default()),
        });
        match finished.end {
            End::Exited(code) => Reply {
                stdout: finished.stdout,
                stderr: finished.stderr,
                code,
            },
            End::NotStarted(why) => Reply {
                code: 1,
                ..Reply::note(&format!("hook `{id}` cannot start: {why}"))
            },
            _ => Reply {
                stderr: finished.stderr,
                code: 1,
                ..Reply::default()
            }
            .with_note(&format!("hook `{id}` did not end by itself")),
        }
    }

    fn side_by_side<'a>(
        &'a self,
        selected: &'a [Selected],
        shared: &Shared,
        watch: &mut dyn Watch,
    ) -> Vec<Part<'a>> {
        let mut jobs = Vec::with_capacity(selected.len());
        let mut failed = Vec::new();
        for (index, one) in selected.iter().enumerate() {
            match self.job(one.hook, &self.decoded.views[one.view], shared) {
                Ok(job) => jobs.push(job),
                Err(why) => failed.push((index, Finished::not_started(why))),
            }
        }
        let mut finished = if jobs.is_empty() {
            Vec::new()
        } else {
            run::run(&jobs, self.dispatch.deadline)
        };
        for (index, not_started) in failed {
            finished.insert(index, not_started);
        }
        selected
            .iter()
            .zip(&finished)
            .map(|(one, finished)| {
                let view = &self.decoded.views[one.view];
                Part {
                    hook: &one.hook.id,
                    said: self.said(*one, view, finished, watch),
                    saw: view.input.as_deref().map(Cow::Borrowed),
                    can_rewrite: view.file.is_none(),
                }
            })
            .collect()
    }

    /// One after the other: each sees the input as the one before rewrote it, and the first
    /// refusal or question ends the chain.
    fn in_sequence<'a>(
        &'a self,
        selected: &'a [Selected],
        shared: &Shared,
        watch: &mut dyn Watch,
    ) -> Vec<Part<'a>> {
        let mut views: Vec<View> = self.decoded.views.clone();
        let mut parts = Vec::new();
        for one in selected {
            let view = views[one.view].clone();
            let finished = match self.job(one.hook, &view, shared) {
                Ok(job) => run::run(&[job], self.dispatch.deadline).remove(0),
                Err(why) => Finished::not_started(why),
            };
            let said = self.said(*one, &view, &finished, watch);
            let ends_the_chain = said.stop.is_some()
                || said
                    .decision
                    .as_ref()
                    .is_some_and(|decision| decision.choice > Choice::Allow);
            if let Some(input) = &said.input
                && view.file.is_none()
            {
                views[one.view] = view.clone().with_input(input);
            }
            parts.push(Part {
                hook: &one.hook.id,
                said,
                saw: view.input.map(|input| Cow::Owned(input.into_owned())),
                can_rewrite: view.file.is_none(),
            });
            if ends_the_chain {
                break;
            }
        }
        parts
    }

    /// What a hook's end means in its mode.
    fn said(&self, one: Selected, view: &View, finished: &Finished, watch: &mut dyn Watch) -> Said {
        let contract = self.dispatch.contract;
        let event = contract.event;
        let claudes = host::by_name("claude-code").and_then(|claude| claude.contract(event));
        let hook_contract = claudes.unwrap_or(contract);
        let asked = verdict::Asked {
            hook: &one.hook.id,
            mode: one.mode,
            contract: hook_contract,
            has_context: hook_contract.has_context() || contract.has_context(),
            saw: &|| view.bytes(),
        };
        let said = verdict::read(asked, finished);
        watch.ran(&Ran {
            hook: &one.hook.id,
            mode: one.mode,
            file: view.file.as_deref(),
            saw: &view.document,
            finished,
            said: &said,
        });
        let counted = match (one.mode, said) {
            (Mode::Gate, Ok(said)) => self.inspected(one.hook, said),
            (Mode::Gate, Err(fault)) => self.faulty(one.hook, &fault, watch),
            (Mode::Observe, Ok(said)) => verdict::observed(said, finished, contract),
            (Mode::Observe | Mode::Silent | Mode::Direct, _) => Said::default(),
        };
        watch.counted(&counted);
        counted
    }

    /// A gate that says nothing about a call it could not see refuses it.
    fn inspected(&self, hook: &Hook, said: Said) -> Said {
        let says_nothing = said == Said::default();
        if !(self.decoded.uninspectable && says_nothing && !hook.allows_uninspectable) {
            return said;
        }
        Said {
            decision: Some(Decision::deny(format!(
                "Hook `{}` cannot judge this call: the path, the command or the list of at most 64 \
                 pages that it needs is missing. Make the call with it.",
                hook.id
            ))),
            ..Said::default()
        }
    }

    fn faulty(&self, hook: &Hook, fault: &Fault, watch: &mut dyn Watch) -> Said {
        let event = self.dispatch.contract.event;
        let reason = failure::hook_at_fault(event, &self.manifest.name, &hook.id, fault);
        if !verdict::fault_blocks(event, self.decoded.stop_hook_active) {
            watch.noted(&reason);
            return Said::default();
        }
        Said {
            decision: Some(Decision::deny(reason)),
            ..Said::default()
        }
    }

    fn shared_environment(&self) -> Shared {
        let dispatch = self.dispatch;
        let host = dispatch.chosen.host;
        let root = &self.root.folder;
        let path = interpreter::search_path(dispatch.env, self.project);
        let mut variables = environment::base(dispatch.env, host, &path);
        let project = dispatch
            .env
            .get("CLAUDE_PROJECT_DIR")
            .map(PathBuf::from)
            .filter(|folder| folder.is_dir());
        let session = self
            .decoded
            .cwd
            .as_deref()
            .map(PathBuf::from)
            .filter(|folder| folder.is_dir());
        for (name, value) in [
            ("HOOKKIT_HOST", OsString::from(host.name())),
            ("HOOKKIT_EVENT", dispatch.contract.event.into()),
            ("HOOKKIT_PLUGIN_ROOT", root.into()),
            ("CLAUDE_PLUGIN_ROOT", root.into()),
            ("COPILOT_PLUGIN_ROOT", root.into()),
            ("PLUGIN_ROOT", root.into()),
        ] {
            environment::set(&mut variables, name, value);
        }
        if let Some(project) = project.as_ref().or(session.as_ref()) {
            environment::set(&mut variables, "CLAUDE_PROJECT_DIR", project);
        }
        Shared {
            variables,
            path,
            endings: interpreter::endings(),
            cwd: session
                .or(project)
                .or_else(|| root.is_dir().then(|| root.clone())),
        }
    }

    fn job<'j>(
        &self,
        hook: &Hook,
        view: &'j View<'j>,
        shared: &Shared,
    ) -> Result<Job<'j>, interpreter::CannotStart> {
        let programs = Programs {
            root: &self.root.folder,
            project: self.project,
            receipt: self.root.receipt.as_ref(),
            path: &shared.path,
            endings: &shared.endings,
        };
        let command = programs.command(&hook.run)?;
        let mark = self.active.with(&self.manifest.name, &hook.id);
        let own = self.manifest.env.len() + hook.env.len() + 1;
        let mut env = Vec::with_capacity(shared.variables.len() + own);
        env.extend_from_slice(&shared.variables);
        for (name, value) in self.manifest.env.iter().chain(&hook.env) {
            environment::set(&mut env, name, OsString::from(&**value));
        }
        environment::set(&mut env, active::VARIABLE, OsString::from(&mark));
        Ok(Job {
            command,
            env,
            cwd: shared.cwd.clone(),
            stdin: &view.document,
            timeout: hook.timeout,
            mark,
            leaves_nothing: false,
        })
    }
}
