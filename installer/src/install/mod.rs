//! Installation on this machine: from a plugin's files to what hosts load, and back.
//!
//! [`compose`] puts a [`plan`] together, [`removal`] one that takes everything away; both are shown
//! before anything happens, and [`work`] carries them out, all of it or nothing.

mod compose;
mod data;
mod dispatcher;
mod double;
mod editors;
mod known;
mod local;
mod log;
mod machine;
mod plan;
mod processes;
pub(crate) mod project;
mod proof;
#[cfg(test)]
mod properties;
mod receipt;
mod removal;
mod sessions;
mod settings;
mod store;
mod told;
mod trust;
mod turn;
mod version;
mod work;

pub(crate) use compose::{OnHost, Prepared, Wanted, record};
pub(crate) use data::Data;
pub(crate) use double::in_repository as doubles_in_repository;
pub(crate) use editors::folders as editors;
pub(crate) use known::plugins as told_of;
pub(crate) use known::{is_id, is_launch_line};
pub(crate) use local::{listed as listed_repositories, repository};
pub(crate) use log::Log;
pub(crate) use machine::{Found, hosts};
pub(crate) use plan::{Plan, Step};
pub(crate) use proof::prove;
pub(crate) use receipt::{Disabled, Receipt, State};
pub(crate) use removal::{Removal, live, tidy};
pub(crate) use sessions::{Live, Running, listed, running};
pub(crate) use trust::{State as TrustState, Trust};
pub(crate) use turn::{Ground, Turn};
pub(crate) use version::compare;
