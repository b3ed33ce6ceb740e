//! Where hookkit itself lies, when its own installer put it there.
//!
//! ```text
//! SELF/versions/VERSION/    what an archive of a release holds: both programs, and the dispatchers
//!                           of other machines in dispatch/
//! SELF/bin                  what PATH names: a link to one version. On Windows a folder with copies
//! SELF/current              Windows: the version that is in bin, or is about to be
//! SELF/receipt.json         what was installed, and what gives each changed file back
//! ```
//!
//! SELF is found from where the running program really is, never from variables: by it is known
//! what may be replaced, and what belongs to somebody else.

mod owner;
mod path;
mod place;
mod receipt;
mod removal;

pub(crate) use owner::{Owner, owner};
pub(crate) use path::{Told, tell};
#[cfg(windows)]
pub(crate) use place::finish_switch;
pub(crate) use place::{Place, release_folder};
pub(crate) use receipt::Receipt;
pub(crate) use removal::{in_use, remove};
