//! `cargo xtask dist`: everything that is shipped, made on one Linux machine.
//!
//! ```text
//! target/dist/SHA256SUMS                             `hookkit VERSION COMMIT`, then every file
//!             dispatch/PLACE/hookkit-dispatch        as `hookkit build --dispatcher` wants it
//!             hookkit/MACHINE/hookkit
//! ```
//!
//! Each file is looked into before it is listed. One that cannot be made, because a package is
//! gone or a proof fails, is named at the end; the others are made all the same.

mod machine;
mod macho;
mod proof;
mod report;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use fs_err as fs;
use lexopt::prelude::*;

pub(crate) use self::machine::{Machine, Product};
use self::report::Report;
use crate::foreign::{self, Made, Programs, Triple};
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let mut machines = Vec::new();
    let mut commands = None;
    let (mut is_json, mut with_tests) = (false, false);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("dispatchers") => commands = Some(Vec::new()),
            Long("hookkit-for") => {
                let names = arguments.value()?.string()?;
                commands = Some(
                    names
                        .split(',')
                        .map(Machine::named)
                        .collect::<Result<_>>()?,
                );
            }
            Long("with-tests") => with_tests = true,
            Long("json") => is_json = true,
            Value(name) => machines.push(Machine::named(&name.string()?)?),
            other => return Err(other.unexpected().into()),
        }
    }
    if machines.is_empty() {
        machines = Machine::ALL.to_vec();
    }
    let commands = commands.unwrap_or_else(|| machines.clone());
    let products = [
        (Product::Dispatcher, &*machines),
        (Product::Hookkit, &*commands),
    ];
    let mut report = make(workspace, &products)?;
    if with_tests {
        make_for_tests(workspace, &machines, &mut report);
    }
    if is_json {
        println!("{}", report.json());
    } else {
        print!("{}", report.table());
    }
    if !report.faults.is_empty() {
        bail!("{} of what is shipped was not made", report.faults.len());
    }
    Ok(())
}

fn make(workspace: &Workspace, products: &[(Product, &[Machine])]) -> Result<Report> {
    let folder = workspace.target_dir.join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut report = Report::new(folder, workspace.commit()?);
    for (product, machines) in products {
        let triples: Vec<_> = machines
            .iter()
            .flat_map(|machine| machine.triples())
            .copied()
            .collect();
        let made = foreign::build(workspace, &triples, &product.programs());
        for machine in *machines {
            match one_file(workspace, *machine, *product, &made, &report.folder) {
                Ok(file) => report.add(&file, *machine)?,
                Err(why) => report.fault(format!(
                    "{} for {}: {why:#}",
                    product.name(),
                    machine.name()
                )),
            }
        }
    }
    report.write_sums()?;
    Ok(report)
}

/// The hooks of tests with a shipped dispatcher; they stay where they were built.
fn make_for_tests(workspace: &Workspace, machines: &[Machine], report: &mut Report) {
    let triples: Vec<_> = machines
        .iter()
        .filter(|machine| machine.starts_hooks())
        .flat_map(|machine| machine.triples())
        .copied()
        .collect();
    let programs = Programs {
        package: "hookkit-tests",
        options: &[],
        names: &["nasty"],
    };
    for (_, made) in foreign::build(workspace, &triples, &programs) {
        if let Err(why) = made {
            report.fault(format!("{why:#}"));
        }
    }
}

/// Proves what was built for a machine and puts it where it is shipped from.
fn one_file(
    workspace: &Workspace,
    machine: Machine,
    product: Product,
    made: &[Made],
    folder: &Path,
) -> Result<PathBuf> {
    let mut parts = Vec::new();
    for triple in machine.triples() {
        let (_, programs) = made
            .iter()
            .find(|(of, _)| of == triple)
            .context("it was not built")?;
        let program = match programs {
            Ok(programs) => programs.first().context("it was not built")?,
            Err(why) => bail!("{why:#}"),
        };
        let bytes = fs::read(program)?;
        proof::program(&bytes, *triple)
            .and_then(|()| proof::weight(&bytes, product.budget()))
            .and_then(|()| proof::no_paths(&bytes, workspace))
            .and_then(|()| {
                if foreign::auditable(workspace).is_some() {
                    proof::crates(&bytes, product.name())
                } else {
                    Ok(())
                }
            })
            .with_context(|| program.display().to_string())?;
        parts.push(bytes);
    }
    let file = folder.join(product.place(machine));
    if let Some(around) = file.parent() {
        fs::create_dir_all(around)?;
    }
    let bytes = match <[Vec<u8>; 1]>::try_from(parts) {
        Ok([bytes]) => bytes,
        Err(parts) => macho::join(&parts)?,
    };
    fs::write(&file, bytes)?;
    set_executable(&file)?;
    Ok(file)
}

#[cfg(unix)]
fn set_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(
        file,
        std::fs::Permissions::from_mode(0o755),
    )?)
}

#[cfg(not(unix))]
fn set_executable(_: &Path) -> Result<()> {
    Ok(())
}

/// Builds the static dispatcher of this machine, and proves it.
pub(crate) fn static_dispatcher(workspace: &Workspace) -> Result<PathBuf> {
    let product = Product::Dispatcher;
    let program = static_programs(workspace, &product.programs())?.remove(0);
    proof::weight(&fs::read(&program)?, product.budget())?;
    Ok(program)
}

/// Builds static programs of this machine, and proves that they are.
pub(crate) fn static_programs(workspace: &Workspace, programs: &Programs) -> Result<Vec<PathBuf>> {
    let triple = Triple::MuslX86_64;
    let made = foreign::build_one(workspace, triple, programs)?;
    for program in &made {
        proof::program(&fs::read(program)?, triple)
            .with_context(|| program.display().to_string())?;
    }
    Ok(made)
}
