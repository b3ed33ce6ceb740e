//! What real clients did with plugins, as the test run with them wrote it down.

use super::Wanted;
use crate::screen::{BOLD, DIM};
use crate::text::wrap;
use anyhow::Context as _;
use hookkit_dispatch::host::Host;
use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write as _;

const RECEIPTS: &str = include_str!("../../../docs/evidence/receipts.json");

#[derive(Deserialize)]
struct Document {
    receipts: Vec<Receipt>,
}

#[derive(Deserialize)]
struct Receipt {
    client: String,
    version: String,
    plugin: String,
    event: String,
    allowed: String,
    refused: Refused,
}

#[derive(Deserialize)]
struct Refused {
    call: String,
    told: String,
}

/// The document as it was written, without the hosts that nobody asked for.
pub(crate) fn json(wanted: &Wanted) -> anyhow::Result<Value> {
    let mut document: Value = serde_json::from_str(RECEIPTS).context("the receipts")?;
    let is_wanted = |receipt: &Value| {
        wanted
            .hosts()
            .iter()
            .any(|host| receipt["client"] == host.name())
    };
    if let Some(receipts) = document["receipts"].as_array_mut() {
        receipts.retain(is_wanted);
    }
    Ok(document)
}

/// The receipts of each host, or that there is none.
pub(crate) fn print(wanted: &Wanted, width: usize) -> anyhow::Result<String> {
    let Document { receipts } = serde_json::from_str(RECEIPTS).context("the receipts")?;
    let mut out = String::new();
    for host in wanted.hosts() {
        on_host(&mut out, *host, &receipts, width);
    }
    Ok(out)
}

fn on_host(out: &mut String, host: &dyn Host, receipts: &[Receipt], width: usize) {
    let own: Vec<&Receipt> = receipts
        .iter()
        .filter(|receipt| receipt.client == host.name())
        .collect();
    if own.is_empty() {
        let _ = writeln!(
            out,
            "{BOLD}{}{BOLD:#} no receipt: no plugin was tested on it",
            host.name()
        );
        return;
    }
    for receipt in own {
        let Receipt {
            version,
            plugin,
            event,
            ..
        } = receipt;
        let _ = writeln!(
            out,
            "{BOLD}{} {version}{BOLD:#} plugin {plugin}, {event}",
            host.name()
        );
        let told = [
            ("ran", &receipt.allowed),
            ("refused", &receipt.refused.call),
            ("told", &receipt.refused.told),
        ];
        for (name, text) in told {
            for (index, line) in wrap(text, width.saturating_sub(12)).iter().enumerate() {
                let name = if index == 0 { name } else { "" };
                let _ = writeln!(out, "  {DIM}{name:10}{DIM:#}{line}");
            }
        }
        let _ = writeln!(out);
    }
}
