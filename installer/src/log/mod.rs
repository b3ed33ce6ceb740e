//! The log that the dispatcher writes (`hookkit_dispatch::log`), as people read it.

mod entry;
mod source;
mod summary;

pub(crate) use entry::{Entry, Filter};
pub(crate) use source::{Read, Tail, read};
pub(crate) use summary::Summary;
