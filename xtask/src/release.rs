//! `cargo xtask release ...`: from the programs of `cargo xtask dist` to what is published.
//!
//! ```text
//! pack            hookkit-VERSION-MACHINE.tar.gz or .zip, install.sh, install.ps1, SHA256SUMS
//! manifest, names  to dist and back: the Homebrew formula and the announcement
//! list            SHA256SUMS once more, after something was added or changed
//! sign            SHA256SUMS.minisig
//! ```

mod archive;
mod list;
mod pack;
mod planned;
mod scripts;
mod sign;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;

use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let steps = "pack, manifest, names, list or sign";
    let step = arguments
        .next()?
        .with_context(|| format!("name a step: {steps}"))?;
    let Value(name) = step else {
        return Err(step.unexpected().into());
    };
    match name.to_str() {
        Some("pack") => pack::run(workspace, arguments),
        Some("manifest") => planned::manifest(arguments),
        Some("names") => planned::names(arguments),
        Some("list") => list::run(arguments),
        Some("sign") => sign::run(workspace, arguments),
        _ => bail!("{} is none of {steps}", name.display()),
    }
}
