//! The contract table of the dispatcher, for people and for other programs.
//!
//! [`words`] says every value of the table once; the listing, the JSON document and the pages of
//! docs/hosts are made of these words.

mod about;
mod document;
mod listing;
mod page;
mod receipts;
mod words;

pub(crate) use document::json;
pub(crate) use listing::print;
pub(crate) use page::page;
pub(crate) use receipts::{json as receipts_json, print as print_receipts};

use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::{HOSTS, Host};

/// The rows that somebody asked for.
pub(crate) struct Wanted {
    hosts: Vec<&'static dyn Host>,
    event: Option<String>,
}

impl Wanted {
    /// Hosts without the event are left out.
    pub(crate) fn of(host: Option<&'static dyn Host>, event: Option<&str>) -> Self {
        let mut hosts = host.map_or_else(|| HOSTS.to_vec(), |host| vec![host]);
        hosts.retain(|host| event.is_none_or(|event| host.contract(event).is_some()));
        Self {
            hosts,
            event: event.map(str::to_owned),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    pub(crate) fn hosts(&self) -> &[&'static dyn Host] {
        &self.hosts
    }

    fn rows(&self, host: &dyn Host) -> Vec<&'static Contract> {
        match &self.event {
            Some(event) => host.contract(event).into_iter().collect(),
            None => host.contracts().iter().collect(),
        }
    }
}
