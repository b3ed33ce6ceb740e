//! What one host is told about one plugin: which events start the dispatcher, and how.

use crate::host::{self, Launch};
use hookkit_dispatch::args::IfMissing;
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::event::Mode;
use hookkit_dispatch::manifest::{Hook, Manifest};
use hookkit_dispatch::matcher::Matcher;

/// Everything that one host starts for one plugin.
pub struct Registration {
    pub host: &'static dyn Launch,
    pub plugin: String,
    /// The only version that the host starts, where it starts one only.
    pub version: Option<String>,
    /// In the order in which the manifest first names their events; hooks that run directly come
    /// after the entry of the others.
    pub entries: Vec<Entry>,
}

/// One command line on one event.
#[derive(Clone, Debug)]
pub struct Entry {
    pub contract: &'static Contract,
    /// What the host itself matches before it starts anything; never an empty text.
    pub matcher: Option<String>,
    /// What the host is told, in whole seconds.
    pub timeout: u32,
    /// What the event needs by the manifest; more than `timeout` where the host has a limit.
    pub wanted_timeout: u32,
    pub if_missing: IfMissing,
    /// The one hook that it starts, whose output goes to the host unchanged.
    pub hook: Option<String>,
}

/// What hookkit takes beside the hooks: to start, and to end a hook before the host ends hookkit.
const MARGIN: f64 = 5.0;

impl Registration {
    /// What a host is told about a plugin; events that it does not have are left out.
    pub fn of(manifest: &Manifest, host: &'static dyn Launch) -> Self {
        let name = host.host().name();
        let mut entries = Vec::new();
        for event in events(manifest, name) {
            let Some(contract) = host.host().contract(event) else {
                continue;
            };
            if contract.event != event {
                continue;
            }
            let hooks: Vec<&Hook> = manifest
                .hooks
                .iter()
                .filter(|hook| hook.is_on(event) && hook.is_for(name))
                .collect();
            let (direct, joined): (Vec<&Hook>, Vec<&Hook>) = hooks
                .into_iter()
                .partition(|hook| hook.mode_on(event) == Mode::Direct);
            if !joined.is_empty() {
                entries.push(Entry::new(manifest, host, contract, &joined, None));
            }
            for hook in direct {
                let id = Some(hook.id.to_string());
                entries.push(Entry::new(manifest, host, contract, &[hook], id));
            }
        }
        Self {
            host,
            plugin: manifest.name.to_string(),
            version: None,
            entries,
        }
    }

    /// What a host reads about a plugin: what it is told itself, or what another one is told, on
    /// the events that it has itself.
    pub fn read_by(manifest: &Manifest, host: &'static dyn Launch) -> Self {
        let Some(told) = host.told_as() else {
            return Self::of(manifest, host);
        };
        let mut read = Self::of(manifest, told);
        let own = |entry: Entry| {
            let contract = host.host().contract(entry.contract.event)?;
            let hooks: Vec<&Hook> = manifest
                .hooks
                .iter()
                .filter(|hook| hook.is_for(told.host().name()) && entry.starts(hook))
                .collect();
            let matcher = host.matcher(contract, &hooks);
            Some(Entry {
                contract,
                matcher,
                ..entry
            })
        };
        read.entries = read.entries.into_iter().filter_map(own).collect();
        read
    }

    /// The registrations of all hosts that are told anything.
    pub fn all(manifest: &Manifest) -> Vec<Self> {
        host::ALL
            .iter()
            .map(|host| Self::of(manifest, *host))
            .filter(|registration| !registration.entries.is_empty())
            .collect()
    }

    /// Is anything started on this event?
    pub(crate) fn is_on(&self, event: &str) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.contract.event == event)
    }

    /// The arguments of the dispatcher in one of the entries.
    ///
    /// Each is made of letters, digits, `-`, `_`, `.` and `+` alone, so that no shell changes it.
    pub fn args(&self, entry: &Entry) -> Vec<String> {
        let if_missing = match entry.if_missing {
            IfMissing::Allow => "allow",
            IfMissing::Deny => "deny",
        };
        let mut args: Vec<String> = [
            "--host",
            self.host.named(),
            "--event",
            entry.contract.event,
            "--plugin",
            &self.plugin,
            "--if-missing",
            if_missing,
            "--deadline",
        ]
        .map(str::to_owned)
        .to_vec();
        args.push(entry.deadline().to_string());
        if let Some(version) = &self.version {
            args.extend(["--plugin-version".to_owned(), version.clone()]);
        }
        if let Some(hook) = &entry.hook {
            args.extend(["--hook".to_owned(), hook.clone()]);
        }
        args
    }
}

impl Entry {
    fn new(
        manifest: &Manifest,
        host: &dyn Launch,
        contract: &'static Contract,
        hooks: &[&Hook],
        hook: Option<String>,
    ) -> Self {
        let wanted_timeout = wanted_timeout(hooks, manifest.in_sequence);
        let is_required = hooks
            .iter()
            .any(|hook| hook.required && hook.mode_on(contract.event) == Mode::Gate);
        Self {
            contract,
            matcher: host.matcher(contract, hooks),
            timeout: host
                .longest_timeout(contract)
                .map_or(wanted_timeout, |longest| longest.min(wanted_timeout)),
            wanted_timeout,
            if_missing: if is_required {
                IfMissing::Deny
            } else {
                IfMissing::Allow
            },
            hook,
        }
    }

    /// An entry that no hook asked for: hookkit itself looks at the event.
    pub(crate) fn of_hookkit(contract: &'static Contract) -> Self {
        let timeout = wanted_timeout(&[], false);
        Self {
            contract,
            matcher: None,
            timeout,
            wanted_timeout: timeout,
            if_missing: IfMissing::Allow,
            hook: None,
        }
    }

    /// Is this the entry that a hook is started by, as far as event and mode say?
    pub fn starts(&self, hook: &Hook) -> bool {
        let event = self.contract.event;
        hook.is_on(event)
            && match &self.hook {
                Some(id) => hook.id == *id,
                None => hook.mode_on(event) != Mode::Direct,
            }
    }

    /// When the dispatcher answers at the latest, in seconds from its start: hosts let a call pass
    /// when the timeout that they were told runs out.
    pub fn deadline(&self) -> f64 {
        let timeout = f64::from(self.timeout);
        if timeout <= 3.0 {
            timeout - 0.5
        } else {
            timeout - 2.0
        }
    }
}

/// The events of hooks for a host, each once, in the order of the manifest.
fn events<'m>(manifest: &'m Manifest, host: &str) -> Vec<&'m str> {
    let mut events: Vec<&str> = Vec::new();
    for hook in manifest.hooks.iter().filter(|hook| hook.is_for(host)) {
        for event in &hook.events {
            if !events.contains(&&**event) {
                events.push(event);
            }
        }
    }
    events
}

/// The longest hook, or all of them one after the other, and hookkit's own share.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a manifest's timeouts lie between 0 and 3600 s"
)]
fn wanted_timeout(hooks: &[&Hook], in_sequence: bool) -> u32 {
    let seconds = hooks.iter().map(|hook| hook.timeout.as_secs_f64());
    let hooks = if in_sequence {
        seconds.sum::<f64>()
    } else {
        seconds.fold(0.0, f64::max)
    };
    (hooks.ceil() + MARGIN) as u32
}

/// The exact names that hooks match, each once, in the order of the manifest.
///
/// `None` when a hook matches by a pattern or everything: the host then starts the dispatcher on
/// every call and hookkit selects. A list in which nothing stands matches nothing and adds nothing.
pub(crate) fn exact_names<'h>(hooks: &'h [&Hook]) -> Option<Vec<&'h str>> {
    let mut union: Vec<&str> = Vec::new();
    for hook in hooks {
        let Matcher::Names(names) = Matcher::read(hook.matcher.as_deref()?) else {
            return None;
        };
        for name in names {
            // An entry with a blank in it breaks the list on some hosts.
            if name.contains(' ') {
                return None;
            }
            if !union.contains(&name) {
                union.push(name);
            }
        }
    }
    (!union.is_empty()).then_some(union)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registrations(hooks: &str, extra: &str) -> Vec<Registration> {
        let text =
            format!(r#"{{"schema":1,"name":"demo","version":"1.2.3"{extra},"hooks":[{hooks}]}}"#);
        let manifest = Manifest::read(&text).expect("JSON");
        assert!(manifest.faults.is_empty(), "{:?}", manifest.faults);
        Registration::all(&manifest)
    }

    fn claude(hooks: &str) -> Vec<Entry> {
        registrations(hooks, "").remove(0).entries
    }

    #[test]
    fn one_entry_for_an_event_and_one_for_each_direct_hook() {
        let entries = claude(
            r#"{"id":"a","event":["PreToolUse","Stop"],"run":["x"],"timeout":0.2},
               {"id":"b","event":"PreToolUse","run":["x"],"timeout":20.1,"required":true,"mode":"gate"},
               {"id":"c","event":"MessageDisplay","run":["x"]},
               {"id":"d","event":"PreToolUse","run":["x"],"mode":"direct"}"#,
        );
        let seen: Vec<_> = entries
            .iter()
            .map(|entry| {
                let hook = entry.hook.as_deref();
                (
                    entry.contract.event,
                    hook,
                    entry.timeout,
                    entry.if_missing,
                    entry.deadline(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("PreToolUse", None, 26, IfMissing::Deny, 24.0),
                ("PreToolUse", Some("d"), 15, IfMissing::Allow, 13.0),
                ("Stop", None, 6, IfMissing::Allow, 4.0),
                ("MessageDisplay", Some("c"), 15, IfMissing::Allow, 13.0),
            ]
        );
    }

    #[test]
    fn hooks_in_sequence_need_the_sum_of_their_times() {
        let hooks = r#"{"id":"a","event":"Stop","run":["x"],"timeout":1.5},
                       {"id":"b","event":"Stop","run":["x"],"timeout":2.2}"#;
        let beside = &registrations(hooks, "")[0].entries[0];
        let after = &registrations(hooks, r#","order":"sequence""#)[0].entries[0];
        assert_eq!((beside.timeout, after.timeout), (8, 9));
    }

    #[test]
    fn a_host_without_the_event_or_the_hook_is_not_told() {
        let hooks = r#"{"id":"a","event":"ConfigChange","run":["x"]},
                       {"id":"b","event":"agentStop","run":["x"]},
                       {"id":"c","event":"Stop","run":["x"],"hosts":["codex"]}"#;
        let told: Vec<_> = registrations(hooks, "")
            .iter()
            .map(|one| (one.host.host().name(), one.entries.len()))
            .collect();
        assert_eq!(told, [("claude-code", 1), ("codex", 1)]);
    }

    #[test]
    fn a_limit_of_the_host_cuts_the_timeout() {
        let hooks = r#"{"id":"a","event":"SessionEnd","run":["x"],"timeout":90}"#;
        let told = registrations(hooks, "");
        let times: Vec<_> = told
            .iter()
            .map(|one| (one.entries[0].timeout, one.entries[0].wanted_timeout))
            .collect();
        assert_eq!(times, [(60, 95), (95, 95), (3, 95)]);
    }

    #[test]
    fn arguments_need_no_quotes_in_any_shell() {
        let told = registrations(
            r#"{"id":"a_b-1","event":"PreToolUse","run":["x"],"mode":"direct","timeout":0.1}"#,
            "",
        );
        let args = told[0].args(&told[0].entries[0]);
        assert_eq!(
            args.join(" "),
            "--host claude-code --event PreToolUse --plugin demo --if-missing allow --deadline 4 \
             --hook a_b-1"
        );
    }
}
