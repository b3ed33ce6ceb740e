//! The host's payload: from bytes on stdin to named fields.

mod fields;
mod read;

pub use fields::Fields;
pub use read::{LARGEST, ReadError, Source, read};
