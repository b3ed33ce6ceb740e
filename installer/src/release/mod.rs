//! A release of hookkit, and what vouches for it.
//!
//! `SHA256SUMS` begins with `hookkit VERSION COMMIT` and names every published file;
//! `SHA256SUMS.minisig` is its signature by one of two keys that are compiled in.

mod keys;
mod list;
mod offer;
mod unpack;

pub(crate) use keys::{ACCEPTED, ARE_FOR_TESTS};
pub(crate) use list::List;
pub(crate) use offer::{Offer, base};
