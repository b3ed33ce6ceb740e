//! On what a hook of somebody else's is tried.

use crate::survey::{Hook, Source};
use crate::trial::samples::{Call, Moment, calls_on, subjects};
use hookkit_dispatch::contract::{Contract, Subject};
use hookkit_dispatch::host::Host;
use std::path::Path;

/// The samples of the first tool, or the first value, that its matcher fits and its host has.
pub(super) fn moments(
    source: &Source,
    hook: &Hook,
    host: &dyn Host,
    contract: &Contract,
) -> Vec<Moment> {
    let event = contract.event;
    let happens = |moment: &Moment| {
        moment
            .document_under(&hook.event, host, Path::new("/"))
            .is_ok()
    };
    let plain = |subject: Option<String>| Moment {
        event,
        subject,
        call: None,
    };
    match contract.subject {
        Subject::Nothing => vec![plain(None)],
        Subject::Tool => {
            let of_call = |call: Call| Moment {
                event,
                subject: Some(call.tool.clone()),
                call: Some(call),
            };
            let mut fitting: Vec<Moment> = calls_on(event)
                .into_iter()
                .filter(|call| source.fits(hook, &call.tool))
                .map(of_call)
                .filter(happens)
                .collect();
            let first = fitting.first().and_then(|moment| moment.subject.clone());
            fitting.retain(|moment| moment.subject == first);
            if fitting.is_empty() {
                let named = named(source, hook).map(|tool| of_call(Call::unknown(&tool)));
                fitting.extend(named.filter(happens));
            }
            fitting
        }
        Subject::Field(_) | Subject::FileName(_) => {
            let known = subjects(event).iter().map(|value| (*value).to_owned());
            let all: Vec<String> = known.chain(named(source, hook)).collect();
            if all.is_empty() {
                return vec![plain(None)];
            }
            all.into_iter()
                .filter(|value| source.fits(hook, value))
                .map(|value| plain(Some(value)))
                .find(happens)
                .into_iter()
                .collect()
        }
    }
}

/// A name that a matcher lists can be taken as it is.
fn named(source: &Source, hook: &Hook) -> Option<String> {
    let texts = hook.matchers.iter().filter_map(|matcher| matcher.text());
    texts
        .flat_map(|text| text.split(['|', ',']))
        .map(|name| name.trim().to_owned())
        .find(|name| {
            let is_name = !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            is_name && source.fits(hook, name)
        })
}
