//! `cargo xtask release ...`: from the programs of `cargo xtask dist` to what is published.

mod sign;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;

use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let step = arguments
        .next()?
        .context("a step is missing: cargo xtask release sign")?;
    match step {
        Value(name) if name == "sign" => sign::run(workspace, arguments),
        Value(name) => bail!("{} is no step of a release: sign", name.display()),
        other => Err(other.unexpected().into()),
    }
}
