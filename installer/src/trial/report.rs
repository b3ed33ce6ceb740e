//! The trials as a document for programs.

use super::account::{Account, seen};
use super::advice::Advice;
use super::moments::Untried;
use super::run::{Heard, Told, Trial};
use crate::times::{median, part};
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::run::End;
use serde_json::{Value, json};
use std::time::Duration;

/// The version of this document's form.
const SCHEMA: u32 = 1;

/// All trials as one document.
pub(crate) fn document(
    manifest: &Manifest,
    trials: &[Trial],
    untried: &[Untried],
    problems: &[String],
) -> Value {
    json!({
        "schema": SCHEMA,
        "plugin": {"name": manifest.name, "version": manifest.version},
        "trials": trials.iter().map(|one| trial(one, manifest)).collect::<Vec<_>>(),
        "untried": untried
            .iter()
            .map(|one| json!({"hook": one.hook, "event": one.event, "why": one.why}))
            .collect::<Vec<_>>(),
        "problems": problems,
    })
}

/// What makes hooks slow.
pub(crate) fn told(advice: &[Advice]) -> Value {
    let one = |advice: &Advice| {
        json!({
            "hook": advice.hook,
            "cause": advice.cause.word(),
            "milliseconds": milliseconds(advice.takes),
            "share": milliseconds(advice.share),
            "what": advice.sentence(),
        })
    };
    advice.iter().map(one).collect()
}

fn trial(trial: &Trial, manifest: &Manifest) -> Value {
    json!({
        "event": trial.event,
        "title": trial.title,
        "host": trial.host_name(),
        "registration": {
            "file": trial.host.registration_file(&manifest.name),
            "host": trial.host.named(),
        },
        "sent": trial.document.as_ref().ok(),
        "absent": trial.document.as_ref().err(),
        "dispatches": trial
            .told
            .iter()
            .map(|told| dispatch(told, trial.event))
            .collect::<Vec<_>>(),
    })
}

fn dispatch(told: &Told, event: &str) -> Value {
    json!({
        "hook": told.direct,
        "hooks": told.hooks.iter().map(|heard| hook(heard, event)).collect::<Vec<_>>(),
        "notes": told.notes,
        "reply": {
            "stdout": String::from_utf8_lossy(&told.reply.stdout),
            "stderr": String::from_utf8_lossy(&told.reply.stderr),
            "exit_code": told.reply.code,
        },
        "milliseconds": spread(&told.times),
    })
}

fn hook(heard: &Heard, event: &str) -> Value {
    let account = Account::of(heard, event);
    let exit_code = match heard.finished.end {
        End::Exited(code) => Some(code),
        _ => None,
    };
    json!({
        "id": heard.hook,
        "mode": heard.mode.word(),
        "file": heard.file,
        "saw": seen(&heard.saw),
        "read": heard.saw,
        "said": account.word,
        "details": account.details,
        "is_problem": account.is_problem(),
        "exit_code": exit_code,
        "stdout": String::from_utf8_lossy(&heard.finished.stdout),
        "stderr": String::from_utf8_lossy(&heard.finished.stderr),
        "milliseconds": spread(&heard.times),
    })
}

fn spread(times: &[Duration]) -> Value {
    json!({
        "min": milliseconds(part(times, 0.0)),
        "median": milliseconds(median(times)),
        "p90": milliseconds(part(times, 0.9)),
    })
}

/// To the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000_000.0).round() / 1000.0
}
