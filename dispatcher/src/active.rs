//! A hook that starts an agent which fires the same hook again.
//!
//! Each hook is started with `HOOKKIT_ACTIVE`, which names plugin, hook, depth and the dispatcher
//! that started it. The variable is believed only while that very process is an ancestor: anybody
//! can set a variable, nobody can choose who their parent's parent is.

use crate::env::Env;
use crate::run::ancestry;

/// The variable's name.
pub const VARIABLE: &str = "HOOKKIT_ACTIVE";

/// From this depth on, gates deny instead of running.
pub const DEEPEST: u32 = 3;

/// The hooks that this dispatcher runs inside of, innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Active {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    plugin: String,
    hook: String,
    depth: u32,
    pid: u32,
    moment: u64,
}

impl Active {
    /// Reads the variable and drops what is not true.
    pub fn read(env: &Env) -> Self {
        let Some(value) = env.get(VARIABLE) else {
            return Self::default();
        };
        let entries: Vec<Entry> = value
            .to_string_lossy()
            .split(';')
            .filter_map(Entry::read)
            .collect();
        if entries.is_empty() {
            return Self::default();
        }
        let ancestors = ancestry::ancestors();
        Self {
            entries: entries
                .into_iter()
                .filter(|entry| {
                    ancestors
                        .iter()
                        .any(|ancestor| ancestor.gave(entry.pid, entry.moment))
                })
                .collect(),
        }
    }

    /// How deep this hook already runs inside itself; 0 when it does not.
    pub fn depth(&self, plugin: &str, hook: &str) -> u32 {
        self.entries
            .iter()
            .filter(|entry| entry.plugin == plugin && entry.hook == hook)
            .map(|entry| entry.depth)
            .max()
            .unwrap_or(0)
    }

    /// The variable's value for a hook that is about to be started.
    pub fn with(&self, plugin: &str, hook: &str) -> String {
        let mut value = Entry {
            plugin: plugin.to_owned(),
            hook: hook.to_owned(),
            depth: self.depth(plugin, hook) + 1,
            pid: std::process::id(),
            moment: ancestry::moment(),
        }
        .write();
        for entry in self.entries.iter().take(8) {
            value.push(';');
            value.push_str(&entry.write());
        }
        value
    }
}

impl Entry {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let entry = Self {
            plugin: parts.next()?.to_owned(),
            hook: parts.next()?.to_owned(),
            depth: parts.next()?.parse().ok()?,
            pid: parts.next()?.parse().ok()?,
            moment: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(entry)
    }

    fn write(&self) -> String {
        format!(
            "{}:{}:{}:{}:{}",
            self.plugin, self.hook, self.depth, self.pid, self.moment
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(value: &str) -> Active {
        let env = Env::given(
            vec![(VARIABLE.into(), value.into())],
            "/".into(),
            "/x".into(),
        );
        Active::read(&env)
    }

    // That a dispatcher above is believed is shown by processes: tests/tests/processes/recursion.rs.
    #[test]
    fn what_no_dispatcher_above_wrote_is_not_believed() {
        let moment = ancestry::moment();
        let own = std::process::id();
        for value in [
            format!("p:h:2:1:{moment}"),
            format!("p:h:2:{own}:{moment}"),
            "p:h:9:1".to_owned(),
            "nonsense".to_owned(),
        ] {
            assert_eq!(active(&value).depth("p", "h"), 0, "{value}");
        }
    }

    #[test]
    fn the_value_for_a_child_counts_one_more() {
        let entry = Entry::read("p:h:2:1:0").unwrap();
        let active = Active {
            entries: vec![entry],
        };
        assert!(active.with("p", "h").starts_with("p:h:3:"));
        assert!(active.with("p", "x").starts_with("p:x:1:"));
        assert!(active.with("p", "x").ends_with(";p:h:2:1:0"));
    }
}
