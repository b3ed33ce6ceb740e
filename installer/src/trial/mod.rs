//! A plugin's hooks tried out on what a session would send, as each host would run them.
//!
//! [`moments`] chooses what happens, [`samples`] puts it into a host's words, [`run`] lets the
//! dispatcher run the hooks, [`account`] says what came of it; [`print`] and [`summary`]
//! show it to people, [`report`] to programs. [`advice`] says what makes a hook slow.

mod account;
mod advice;
mod moments;
mod print;
mod report;
mod run;
pub(crate) mod samples;
mod summary;

pub(crate) use advice::advise;
pub(crate) use moments::{Asked, Untried, choose};
pub(crate) use print::{Layout, Printer};
pub(crate) use report::{document, told};
pub(crate) use run::{Interrupted, Place, Trial, run_document, run_moment};
pub(crate) use summary::{problems, summary};
