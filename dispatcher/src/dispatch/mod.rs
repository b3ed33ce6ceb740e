//! One event, from stdin to the reply.

mod event;
mod session;
mod watch;

use crate::active::{self, Active};
use crate::args::Args;
use crate::contract::Contract;
use crate::emergency;
use crate::env::Env;
use crate::event::Mode;
use crate::failure::{self, At};
use crate::folder::Project;
use crate::host::{self, Chosen, Decoded, Wire};
use crate::manifest::{Hook, Manifest};
use crate::matcher::Matcher;
use crate::payload::{self, Fields, Source};
use crate::receipt::Receipt;
use crate::reply::Reply;
use crate::root::{self, MANIFEST, Missing, Root};
use crate::select::{self, Selected};
use crate::settings;
use event::{Event, event, unheard_of};
use session::Session;
use std::path::Path;
use std::time::{Duration, Instant};

pub use watch::{Ran, Unasked, Watch};

/// Handles one event.
///
/// `started` is when the process started: deadlines count from there.
pub fn dispatch(
    args: &Args,
    source: &mut dyn Source,
    env: &Env,
    started: Instant,
    watch: &mut dyn Watch,
) -> Reply {
    prepare_for_the_worst(args);
    let reading_ends = started + args.deadline.unwrap_or(margined(30.0));
    let read = payload::read(source, reading_ends);
    let (document, unread) = match &read {
        Ok((buffer, span)) => (&buffer[span.clone()], None),
        Err(error) => (&b""[..], Some(error.to_string())),
    };
    let fields = Fields::read(document);
    let unread = unread.or_else(|| {
        fields
            .is_none()
            .then(|| "the payload on stdin is no JSON object".to_owned())
    });
    let Some(chosen) = host::choose(args.host.as_deref(), fields.as_ref(), env) else {
        let name = args.host.as_deref().unwrap_or_default();
        let own = fields
            .as_ref()
            .and_then(|fields| fields.text("hook_event_name"));
        let event = own.as_deref().or(args.event.as_deref());
        let why = format!("this dispatcher knows no host `{name}`");
        return failure::unknown_registration(event, &why);
    };
    let event = match event(args, chosen.host, fields.as_ref()) {
        Event::Known(contract) => contract,
        Event::Other(name) if args.hook.is_some() => unheard_of(name),
        Event::Other(_) => return Reply::nothing(),
        Event::Unclear => {
            return failure::unknown_event(&unread.unwrap_or_else(|| {
                "neither the payload nor the command line names the event".to_owned()
            }));
        }
    };
    let dispatch = Dispatch {
        args,
        env,
        chosen,
        contract: event,
        deadline: started
            + args
                .deadline
                .unwrap_or_else(|| margined(event.default_timeout)),
    };
    match (&fields, unread) {
        (Some(fields), None) => dispatch.answer(document, fields, watch),
        (_, why) => dispatch.unreadable(&why.unwrap_or_default(), watch),
    }
}

/// Before anything is known but the command line, the answer for the worst case is what a gate on
/// that event would say.
fn prepare_for_the_worst(args: &Args) {
    let known = args
        .host
        .as_deref()
        .and_then(host::by_name)
        .zip(args.event.as_deref());
    match known.and_then(|(host, event)| Some((host, host.contract(event)?))) {
        Some((host, contract)) => {
            let at = At {
                host,
                contract,
                shared_with: None,
                stop_hook_active: false,
                plugin: None,
            };
            if at.is_gated() {
                emergency::prepare(move || {
                    at.deny(
                        "hookkit failed while it ran the hooks of this event, so it is refused.",
                    )
                });
            } else {
                emergency::prepare(Reply::nothing);
            }
        }
        None => emergency::prepare(|| failure::unknown_event("failed before it knew the event")),
    }
}

/// What a hook may take of a host's limit: hookkit answers before the host gives up on it.
fn margined(limit: f64) -> Duration {
    let margin = if limit <= 3.0 { 0.5 } else { 2.0 };
    Duration::from_secs_f64((limit - margin).max(0.5))
}

struct Dispatch<'d> {
    args: &'d Args,
    env: &'d Env,
    chosen: Chosen,
    contract: &'static Contract,
    deadline: Instant,
}

impl Dispatch<'_> {
    fn at<'a>(&'a self, plugin: Option<&'a str>, stop_hook_active: bool) -> At<'a> {
        At {
            host: self.chosen.host,
            contract: self.contract,
            shared_with: self.other_reader(),
            stop_hook_active,
            plugin: plugin.or(self.args.plugin.as_deref()),
        }
    }

    /// A registration that names no host may stand in a file that several hosts read. On a tool call
    /// the reply then carries the forms of both families, elsewhere those of a host whose payload
    /// looks the same.
    fn other_reader(&self) -> Option<&'static Contract> {
        let chosen = self.chosen;
        if !chosen.shared || !chosen.host.bears_other_forms() {
            return None;
        }
        let event = self.contract.event;
        if event != "PreToolUse" {
            return chosen.or?.contract(event);
        }
        let other = match chosen.host.wire() {
            Wire::Nested => "copilot-cli",
            Wire::Root => "claude-code",
        };
        host::by_name(other)?.contract(event)
    }

    /// The payload cannot be read: gates on this event deny.
    fn unreadable(&self, why: &str, watch: &mut dyn Watch) -> Reply {
        let at = self.at(None, false);
        let project = Project::of_session(None, self.env);
        let root = match self.find_root(&project, &at, watch) {
            Ok(root) => root,
            Err(reply) => return reply,
        };
        let text = match read_manifest(&root.folder) {
            Ok(text) => text,
            Err(why) => return self.broken(&at, &root.folder, &why, watch),
        };
        let is_gated = match Manifest::read(&text) {
            Ok(manifest) => self.has_gate(&manifest),
            Err(_) => at.is_gated(),
        };
        let reply = if is_gated {
            at.deny(&format!(
                "hookkit could not read what the agent sent ({why}). {}",
                failure::consequence(self.contract.event)
            ))
        } else {
            Reply::note(why)
        };
        unasked(Unasked::PayloadUnreadable, reply, watch)
    }

    fn answer(&self, document: &[u8], fields: &Fields, watch: &mut dyn Watch) -> Reply {
        let host = self.chosen.host;
        let decoded = host.decode(document, fields, self.contract);
        let project = Project::of_session(decoded.cwd.as_deref(), self.env);
        let at = self.at(None, decoded.stop_hook_active);
        let root = match self.find_root(&project, &at, watch) {
            Ok(root) => root,
            Err(reply) => return reply,
        };
        for foreign in &root.foreign {
            watch.noted(foreign);
        }
        let text = match read_manifest(&root.folder) {
            Ok(text) => text,
            Err(why) => return self.broken(&at, &root.folder, &why, watch),
        };
        let manifest = match Manifest::read(&text) {
            Ok(manifest) => manifest,
            Err(fault) => {
                let why = format!("line {}: {fault}", fault.line);
                return self.broken(&at, &root.folder, &why, watch);
            }
        };
        let at = self.at(Some(&manifest.name), decoded.stop_hook_active);
        if let Some(reason) = self.settings_refused(fields, &root, &manifest.name) {
            return unasked(Unasked::SettingsKept, at.deny(&reason), watch);
        }
        if let Some(fault) = manifest.fault_on(self.contract.event) {
            let why = format!("line {}: {fault}", fault.line);
            return self.broken(&at, &root.folder, &why, watch);
        }
        if let Some(hook) = &self.args.hook {
            let active = Active::read(self.env);
            let session = Session {
                dispatch: self,
                manifest: &manifest,
                root: &root,
                project: &project,
                decoded: &decoded,
                active: &active,
                at: &at,
            };
            return self.direct(hook, &session, watch);
        }
        let mut selected = self.select(&manifest, &decoded, &root);
        if let Some(why) = &decoded.unreadable {
            let gated = selected.iter().find(|selected| selected.mode == Mode::Gate);
            if let Some(gate) = gated {
                let reply = at.deny(&format!(
                    "Hook `{}` cannot look into this patch: {why}. Send it in the form `*** Begin \
                     Patch` ... `*** End Patch`, or edit the files one by one.",
                    gate.hook.id
                ));
                return unasked(Unasked::PatchUnreadable, reply, watch);
            }
            return Reply::nothing();
        }
        if selected.is_empty() {
            return Reply::nothing();
        }
        if !selected.iter().any(|selected| selected.mode == Mode::Gate) {
            emergency::prepare(Reply::nothing);
        }
        let active = Active::read(self.env);
        if let Err(reply) = self.guard_recursion(&active, &manifest, &mut selected, &at) {
            return unasked(Unasked::TooDeep, reply, watch);
        }
        let session = Session {
            dispatch: self,
            manifest: &manifest,
            root: &root,
            project: &project,
            decoded: &decoded,
            active: &active,
            at: &at,
        };
        session.run(&selected, fields, watch)
    }

    fn find_root(&self, project: &Project, at: &At, watch: &mut dyn Watch) -> Result<Root, Reply> {
        let mut tell = |receipt: Option<&Receipt>| {
            if let Some(receipt) = receipt {
                let (host, event) = (self.chosen.host, self.contract.event);
                let is_known = host.contract(event).is_some();
                let event = if is_known { event } else { "other" };
                watch.asked(host.name(), event, receipt);
            }
        };
        match root::find(self.args, self.chosen.host, project, self.env) {
            Ok(root) => {
                tell(root.receipt.as_ref());
                Ok(root)
            }
            Err(Missing::Silent) => Err(Reply::nothing()),
            Err(Missing::NotFound { why, receipt }) => {
                tell(receipt.as_deref());
                let required = receipt.as_deref().map(|receipt| &*receipt.required);
                let reply = failure::missing(at, &why, self.args.if_missing, required);
                Err(unasked(Unasked::PluginMissing, reply, watch))
            }
        }
    }

    /// The manifest is at fault for this event.
    fn broken(&self, at: &At, root: &Path, why: &str, watch: &mut dyn Watch) -> Reply {
        let what = format!("{}, {why}", root.join(MANIFEST).display());
        let reply = if at.is_gated() {
            at.deny(&format!(
                "The plugin's manifest is broken ({what}). {} Ask the user to run `hookkit check`.",
                failure::consequence(self.contract.event)
            ))
        } else {
            Reply::note(&what)
        };
        unasked(Unasked::ManifestBroken, reply, watch)
    }

    fn has_gate(&self, manifest: &Manifest) -> bool {
        let event = self.contract.event;
        let gated = select::on_event(manifest, self.chosen.host.name(), event)
            .any(|hook| hook.mode_on(event) == Mode::Gate);
        gated || (manifest.fault_on(event).is_some() && Mode::default_for(event) == Mode::Gate)
    }

    /// The hooks of this event without direct ones, which have registrations of their own.
    fn select<'a, 'm>(
        &self,
        manifest: &'a Manifest<'m>,
        decoded: &Decoded,
        root: &Root,
    ) -> Vec<Selected<'a, 'm>> {
        let host = self.chosen.host.name();
        let mut selected = select::select(manifest, host, self.contract, decoded);
        if decoded.unreadable.is_some() {
            // What the patch writes cannot be known: every gate on Write or Edit is meant.
            let event = self.contract.event;
            selected = select::on_event(manifest, host, event)
                .map(|hook| Selected {
                    hook,
                    mode: hook.mode_on(event),
                    view: 0,
                })
                .filter(|selected| guards_files(selected.hook))
                .collect();
        }
        selected.retain(|selected| {
            selected.mode != Mode::Direct && !is_disabled(root, &selected.hook.id)
        });
        selected
    }

    /// Why settings that change in mid-session do not come into force, where they do not.
    fn settings_refused(&self, fields: &Fields, root: &Root, plugin: &str) -> Option<String> {
        let receipt = root.receipt.as_ref()?;
        (self.contract.event == settings::EVENT && !receipt.required.is_empty())
            .then(|| settings::refusal(fields, receipt, plugin))?
    }

    /// A hook may start an agent; when that fires the same hook again, only gates run, and not
    /// without end.
    fn guard_recursion(
        &self,
        active: &Active,
        manifest: &Manifest,
        selected: &mut Vec<Selected>,
        at: &At,
    ) -> Result<(), Reply> {
        let depth = |selected: &Selected| active.depth(&manifest.name, &selected.hook.id);
        let too_deep = selected
            .iter()
            .find(|selected| selected.mode == Mode::Gate && depth(selected) >= active::DEEPEST);
        if let Some(gate) = too_deep {
            return Err(at.deny(&format!(
                "Hook `{}` started an agent that fires the same hook again, {} levels deep. {}",
                gate.hook.id,
                active::DEEPEST,
                failure::consequence(self.contract.event)
            )));
        }
        selected.retain(|selected| selected.mode == Mode::Gate || depth(selected) == 0);
        Ok(())
    }

    /// Runs the one hook of this registration, directly.
    fn direct(&self, id: &str, session: &Session, watch: &mut dyn Watch) -> Reply {
        match session.manifest.hooks.iter().find(|hook| hook.id == *id) {
            Some(hook) if is_disabled(session.root, &hook.id) => Reply::nothing(),
            Some(hook) => session.run_directly(hook, watch),
            None => failure::missing(
                session.at,
                &format!(
                    "{} has no hook `{id}`",
                    session.root.folder.join(MANIFEST).display()
                ),
                self.args.if_missing,
                None,
            ),
        }
    }
}

/// A reply that was made without asking a hook.
fn unasked(why: Unasked, reply: Reply, watch: &mut dyn Watch) -> Reply {
    watch.unasked(why, &reply);
    reply
}

/// Did a person switch this hook off?
fn is_disabled(root: &Root, hook: &str) -> bool {
    root.receipt
        .as_ref()
        .is_some_and(|receipt| receipt.is_hook_disabled(hook))
}

/// Would this hook's matcher match a tool that writes files?
fn guards_files(hook: &Hook) -> bool {
    hook.matcher.as_deref().is_none_or(|pattern| {
        let matcher = Matcher::read(pattern);
        ["Write", "Edit"]
            .iter()
            .any(|tool| matcher.matches(tool).unwrap_or(true))
    })
}

fn read_manifest(root: &Path) -> Result<String, String> {
    let bytes = std::fs::read(root.join(MANIFEST)).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())
}
