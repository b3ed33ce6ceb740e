//! The administrator's settings of Claude Code, and which of their places counts.
//!
//! By the source of its client 2.1.332, which has these of what can be read here, the highest first:
//!
//! - `Settings` in the machine's policies, in the registry of Windows
//! - `managed-settings.json` with the files of `managed-settings.d`
//! - `Settings` in the user's policies, only where none of the others is there
//!
//! The highest one that says something counts alone (`first-wins`), unless it wants the first two
//! together (`managedSourcesBehavior` is `merge`); what has only empty objects in it gives way to what has
//! more.

use super::settings;
use crate::edit::outline::{Node, Value};
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::policy::{Hive, Policy};
use crate::survey::source::{Kind, Scope, Source};
use std::path::Path;

const KEY: &str = "SOFTWARE\\Policies\\ClaudeCode";

const MACHINE: Policy = Policy {
    hive: Hive::Machine,
    key: KEY,
    value: "Settings",
};

const USER: Policy = Policy {
    hive: Hive::User,
    ..MACHINE
};

/// What says nothing by itself.
const ABOUT_SOURCES: &[&str] = &[BEHAVIOR, "wslInheritsWindowsSettings"];

const BEHAVIOR: &str = "managedSourcesBehavior";

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tier {
    Files,
    Machine,
    User,
}

/// How much a place says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Nothing,
    /// Objects with nothing in them.
    Empty,
    Something,
}

/// All of them, the lower before what outdoes it where they count together.
pub(super) fn sources(look: &mut Look) -> Vec<Source> {
    let folder = look.places.managed.claude.clone();
    let drops = look.files.folder(&folder.join("managed-settings.d"));
    let drops = drops
        .files
        .into_iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "json"));
    let files: Vec<_> = std::iter::once(folder.join("managed-settings.json"))
        .chain(drops)
        .collect();
    let mut found = Vec::new();
    for file in files {
        let text = look.files.json(&file);
        found.push((Tier::Files, file, text));
    }
    for (tier, policy) in [(Tier::Machine, MACHINE), (Tier::User, USER)] {
        found.push((tier, policy.place(), look.files.policy(&policy)));
    }
    let mut sources: Vec<_> = found
        .into_iter()
        .filter_map(|(tier, place, found)| {
            let source = settings(Kind::ClaudeManaged, Scope::Managed, &place, found)?;
            Some((tier, source))
        })
        .collect();
    rank(&mut sources);
    sources.into_iter().map(|(_, source)| source).collect()
}

/// Is `disableAllHooks` of the administrator's places before this one as it was, whatever this one says?
/// The client asks the administrator's settings first, and where several of their places count it takes
/// the strictest; files beside one another are one place.
pub(super) fn undoes_nothing(place: &Path, scope: Scope) -> bool {
    scope != Scope::Managed || place == MACHINE.place()
}

/// Switches off what does not count.
fn rank(sources: &mut [(Tier, Source)]) {
    let of = |tier: Tier| {
        let of_tier = sources.iter().filter(move |(of, _)| *of == tier);
        of_tier
            .map(|(_, source)| source)
            .filter(|source| source.is_read())
    };
    let weight = |tier| of(tier).map(weight).max().unwrap_or(Weight::Nothing);
    let (machine, files) = (weight(Tier::Machine), weight(Tier::Files));
    let winner = if machine.max(files) == Weight::Nothing {
        return;
    } else if machine >= files {
        Tier::Machine
    } else {
        Tier::Files
    };
    let behavior = |tier| {
        let of_tier = of(tier).filter_map(|source| source.root()?.get(BEHAVIOR)?.text());
        of_tier.reduce(|_, later| later)
    };
    // The highest one that says it, down to the one that wins.
    let asked = [Tier::Machine, Tier::Files]
        .into_iter()
        .find(|tier| *tier == winner || behavior(*tier).is_some());
    let is_merged = asked.and_then(behavior) == Some("merge");
    let Some(place) = of(winner)
        .find(|source| self::weight(source) > Weight::Nothing)
        .map(|source| source.file.clone())
    else {
        return;
    };
    for (tier, source) in sources {
        let counts = *tier == winner || (is_merged && *tier != Tier::User);
        if !counts && self::weight(source) > Weight::Nothing {
            source.switch_off(Cause::at(Switch::Outranked, &place, 0));
        }
    }
}

fn weight(source: &Source) -> Weight {
    let members = source.root().map_or(&[][..], Node::members);
    members
        .iter()
        .filter(|member| !ABOUT_SOURCES.contains(&&*member.key))
        .map(|member| {
            if is_empty(&member.node) {
                Weight::Empty
            } else {
                Weight::Something
            }
        })
        .max()
        .unwrap_or(Weight::Nothing)
}

/// An object with nothing but such objects in it.
fn is_empty(node: &Node) -> bool {
    matches!(node.value, Value::Table(_))
        && node.members().iter().all(|member| is_empty(&member.node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Outline;
    use crate::survey::files::{Found, Text};
    use std::rc::Rc;

    const HOOK: &str =
        r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;

    const MERGE: &str = r#"{"managedSourcesBehavior": "merge", "disableAllHooks": false}"#;

    /// Which of these places count.
    fn counting(places: &[(Tier, &str)]) -> Vec<bool> {
        let mut sources: Vec<_> = places
            .iter()
            .map(|(tier, json)| {
                let text = Text {
                    outline: Outline::json(json.as_bytes()),
                    bytes: json.as_bytes().to_vec(),
                };
                let found = Found::Text(Rc::new(text));
                let place = Path::new("somewhere");
                let source = settings(Kind::ClaudeManaged, Scope::Managed, place, found);
                (*tier, source.unwrap())
            })
            .collect();
        rank(&mut sources);
        sources.iter().map(|(_, source)| source.is_read()).collect()
    }

    #[test]
    fn the_highest_place_that_says_something_counts_alone() {
        let (files, machine, user) = (Tier::Files, Tier::Machine, Tier::User);
        let all = [(files, HOOK), (files, HOOK), (machine, HOOK), (user, HOOK)];
        assert_eq!(counting(&all), [false, false, true, false]);
        assert_eq!(counting(&[(files, HOOK), (files, HOOK)]), [true, true]);
        assert_eq!(counting(&[(files, HOOK), (user, HOOK)]), [true, false]);
        assert_eq!(counting(&[(user, HOOK)]), [true]);
    }

    #[test]
    fn a_place_that_says_nothing_gives_way() {
        let (files, machine, user) = (Tier::Files, Tier::Machine, Tier::User);
        let nothing = [(files, HOOK), (machine, "{}"), (user, HOOK)];
        assert_eq!(counting(&nothing), [true, true, false]);
        let empty = [(files, HOOK), (machine, r#"{"env": {}}"#)];
        assert_eq!(counting(&empty), [true, false]);
        let both_empty = [(files, r#"{"env": {}}"#), (machine, r#"{"env": {}}"#)];
        assert_eq!(counting(&both_empty), [false, true]);
        let about = [
            (files, "{}"),
            (machine, r#"{"wslInheritsWindowsSettings": true}"#),
            (user, HOOK),
        ];
        assert_eq!(counting(&about), [true, true, true]);
        let dropped = [(files, HOOK), (machine, r#"{"disableAllHooks": "#)];
        assert_eq!(counting(&dropped), [true, false]);
    }

    #[test]
    fn the_highest_place_can_want_them_together() {
        let (files, machine, user) = (Tier::Files, Tier::Machine, Tier::User);
        let merged = [(files, HOOK), (machine, MERGE), (user, HOOK)];
        assert_eq!(counting(&merged), [true, true, false]);
        let by_a_lower_one = [(files, MERGE), (machine, HOOK)];
        assert_eq!(counting(&by_a_lower_one), [false, true]);
    }

    #[test]
    fn what_an_administrator_switched_off_is_undone_by_files_beside_it_alone() {
        assert!(undoes_nothing(Path::new("settings.json"), Scope::User));
        assert!(undoes_nothing(&MACHINE.place(), Scope::Managed));
        assert!(!undoes_nothing(Path::new("50-b.json"), Scope::Managed));
    }
}
