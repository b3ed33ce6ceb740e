//! `hookkit disable` and `hookkit enable`: the break-glass.

use super::apply::{Consent, Job};
use super::scope::ScopeArgs;
use super::{Context, installed};
use crate::cli::EXIT_CODES;
use crate::install::{self, Data, Disabled, Plan, Receipt};
use crate::outcome::{Outcome, Stop};
use crate::screen::{BOLD, CAREFUL, GOOD};
use clap::Args;
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::receipt::now;
use hookkit_dispatch::root::MANIFEST;
use serde_json::json;

/// Switch a plugin off, or one of its hooks
///
/// It counts from the next call on, in sessions that run too, and for every session of this user:
/// what is off lets everything pass and says nothing. It is written into the receipt, and ends by
/// itself when the time is over. The registrations stay as they are.
///
/// A plugin is on or off as a whole: with --scope it is refused where the plugin is not installed
/// there, or in other repositories too.
#[derive(Args)]
#[command(after_long_help = format!("{DISABLE}\n\n{EXIT_CODES}"))]
pub(crate) struct Disable {
    /// The plugin's name
    #[arg(value_name = "NAME")]
    name: String,
    /// One hook, by its id [default: all of the plugin]
    #[arg(value_name = "HOOK")]
    hook: Option<String>,
    /// For how long: a number with s, m, h or d [default: until it is enabled]
    #[arg(long = "for", value_name = "TIME", value_parser = seconds)]
    time: Option<u64>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    consent: Consent,
}

/// Switch a plugin on again, or one of its hooks
///
/// Without a hook everything of the plugin is on again.
#[derive(Args)]
#[command(after_long_help = format!("{ENABLE}\n\n{EXIT_CODES}"))]
pub(crate) struct Enable {
    /// The plugin's name
    #[arg(value_name = "NAME")]
    name: String,
    /// One hook, by its id [default: all of the plugin]
    #[arg(value_name = "HOOK")]
    hook: Option<String>,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    consent: Consent,
}

const DISABLE: &str = "\
Examples:
  hookkit disable guard --for 2h
  hookkit disable guard no-force-push --yes";

const ENABLE: &str = "\
Examples:
  hookkit enable guard
  hookkit enable guard no-force-push --yes";

impl Disable {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        switch(
            &self.name,
            &self.scope,
            &self.consent,
            context,
            |receipt, data, now| {
                self.knows_hook(receipt, data)?;
                receipt
                    .disabled
                    .retain(|disabled| disabled.hook != self.hook);
                receipt.disabled.push(Disabled {
                    hook: self.hook.clone(),
                    since: now,
                    until: self.time.map(|time| now.saturating_add(time)),
                });
                let until = match self.time {
                    Some(time) => format!("for {}", spelled(time)),
                    None => format!("until `hookkit enable {}`", self.name),
                };
                let what = named(&self.name, self.hook.as_deref());
                Ok(Switched {
                    report: format!(
                        "\n{CAREFUL}Off{CAREFUL:#}: {what}, {until}, in every session\n"
                    ),
                    heading: format!("Disable {what}\n\n"),
                })
            },
        )
    }

    fn knows_hook(&self, receipt: &Receipt, data: &Data) -> Result<(), Stop> {
        let Some(hook) = &self.hook else {
            return Ok(());
        };
        let file = data
            .versions(&receipt.name)
            .join(&receipt.version)
            .join(MANIFEST);
        let text = fs_err::read_to_string(file)?;
        let manifest = Manifest::read(&text).map_err(Stop::unusable)?;
        if manifest.hooks.iter().any(|known| known.id == *hook) {
            return Ok(());
        }
        let ids: Vec<&str> = manifest.hooks.iter().map(|hook| &*hook.id).collect();
        Err(Stop::unusable(format!(
            "{} has no hook `{hook}`, only {}",
            receipt.name,
            ids.join(", ")
        )))
    }
}

impl Enable {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        switch(
            &self.name,
            &self.scope,
            &self.consent,
            context,
            |receipt, _, _| {
                receipt
                    .disabled
                    .retain(|disabled| self.hook.is_some() && disabled.hook != self.hook);
                let what = named(&self.name, self.hook.as_deref());
                let all_is_off = receipt.disabled.iter().any(|off| off.hook.is_none());
                let report = if self.hook.is_some() && all_is_off {
                    format!(
                        "\n{CAREFUL}Still off{CAREFUL:#}: all of {}; run `hookkit enable {}`\n",
                        self.name, self.name
                    )
                } else {
                    format!("\n{GOOD}On{GOOD:#}: {what}\n")
                };
                Ok(Switched {
                    report,
                    heading: format!("Enable {what}\n\n"),
                })
            },
        )
    }
}

/// What is said of a switch, before and after.
struct Switched {
    heading: String,
    report: String,
}

/// Changes what a plugin's receipt says is off.
fn switch(
    name: &str,
    scope: &ScopeArgs,
    consent: &Consent,
    context: &Context,
    change: impl Fn(&mut Receipt, &Data, u64) -> Result<Switched, Stop>,
) -> Result<Outcome, Stop> {
    let data = context.data_folder()?;
    let place = scope.named(context)?;
    consent.carry(&data, context, |_| {
        let old = installed(name, &data)?;
        place.iter().try_for_each(|place| place.check_alone(&old))?;
        let mut new = old.clone();
        let now = now();
        let Switched { heading, report } = change(&mut new, &data, now)?;
        let mut plan = Plan::default();
        install::record(&mut plan, &data, Some(&old), &mut new, now);
        Ok(Job {
            heading,
            plan,
            check: Box::new(|| Ok(())),
            question: None,
            report,
            told: json!({"plugin": new.name, "disabled": new.disabled}),
        })
    })
}

fn named(plugin: &str, hook: Option<&str>) -> String {
    match hook {
        Some(hook) => format!("hook `{hook}` of {BOLD}{plugin}{BOLD:#}"),
        None => format!("{BOLD}{plugin}{BOLD:#}"),
    }
}

/// `90s`, `30m`, `2h`, `1d`.
fn seconds(text: &str) -> Result<u64, String> {
    let wrong = || "say a number with s, m, h or d, such as 2h".to_owned();
    let unit = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        Some('h') => 60 * 60,
        Some('d') => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    number
        .checked_mul(unit)
        .filter(|time| *time > 0)
        .ok_or_else(wrong)
}

fn spelled(seconds: u64) -> String {
    [(24 * 60 * 60, "d"), (60 * 60, "h"), (60, "min")]
        .iter()
        .find(|(unit, _)| seconds.is_multiple_of(*unit))
        .map_or_else(
            || format!("{seconds} s"),
            |(unit, name)| format!("{} {name}", seconds / unit),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_with_a_unit() {
        for (text, expected) in [
            ("90s", Some((90, "90 s"))),
            ("30m", Some((1800, "30 min"))),
            ("2h", Some((7200, "2 h"))),
            ("1d", Some((86400, "1 d"))),
            ("0h", None),
            ("h", None),
            ("2", None),
            ("", None),
            ("-1h", None),
            ("99999999999999999999d", None),
        ] {
            let read = seconds(text).ok();
            assert_eq!(
                read.map(|time| (time, spelled(time))),
                expected.map(|(time, words)| (time, words.to_owned())),
                "{text}"
            );
        }
    }
}
