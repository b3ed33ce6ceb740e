//! Where a plugin comes from, and who vouches for it.
//!
//! - [`Source`]: what `hookkit install` is given, and what a receipt keeps for `hookkit update`
//! - [`Package`]: a package with what lies beside it, in memory
//! - [`Asked`], `trust`: which of them may be opened
//! - `release`: the packages of a release on GitHub, or on a server that speaks as it does
//!
//! A package is fetched whole and held against its sum and its signature before anything in it is
//! looked at, and nothing is written before that.

mod named;
mod package;
mod release;
mod trust;

pub(crate) use named::Source;
pub(crate) use package::Package;
pub(crate) use trust::{Asked, Known, Vouched};

/// What a receipt keeps of where a plugin came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) source: Source,
    /// The public key that signed the package.
    pub(crate) key: Option<String>,
    /// The sum of the package.
    pub(crate) sha256: Option<String>,
}
