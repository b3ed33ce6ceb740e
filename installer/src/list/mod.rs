//! `hookkit list`: every hook that hosts read on this machine, ours or not, and which of them fire.

mod ours;
mod print;
mod report;

pub(crate) use print::print;
pub(crate) use report::{Report, Wanted};
