//! A package as one file: a zip archive of a portable tree.
//!
//! - [`write`]: the same files make the same bytes, on every machine
//! - [`Archive::read`]: everything that is wrong with an archive, before anything in it is used
//! - [`Archive::extract`]: its files, in a folder that holds nothing else
//!
//! Archives come from anywhere, and two programs may read one and the same archive differently. What
//! is accepted is therefore narrow: a directory at the very end that names every byte before it
//! (`directory`), and names that mean one and the same file on every system (`rules`).

mod directory;
mod read;
mod rules;
mod write;

pub(crate) use read::Archive;
pub(crate) use rules::{MOST_BYTES, is_one_file_everywhere};
pub(crate) use write::{Moment, write};
