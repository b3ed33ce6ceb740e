//! `cargo xtask static`: the Linux programs as they are shipped, without a dynamic loader.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;
use lexopt::prelude::*;

use crate::foreign::{self, Foreign};
use crate::workspace::{self, Workspace};

const TARGET: &str = "x86_64-unknown-linux-musl";
/// The dispatcher starts before every tool call and travels in every plugin.
pub(crate) const DISPATCHER_BUDGET: u64 = 1024 * 1024;

pub(crate) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    while let Some(argument) = arguments.next()? {
        match argument {
            Value(target) if target == TARGET => {}
            Value(target) => bail!("{} is not built yet, only {TARGET} is", target.display()),
            other => return Err(other.unexpected().into()),
        }
    }
    dispatcher(workspace).map(drop)
}

/// Builds `hookkit-dispatch` and proves that it is static and within its budget.
pub(crate) fn dispatcher(workspace: &Workspace) -> Result<PathBuf> {
    let built = programs(
        workspace,
        &["--package", "hookkit-dispatch"],
        &["hookkit-dispatch"],
    )?;
    let program = built.into_iter().next().context("nothing was built")?;
    foreign::weigh(&program, DISPATCHER_BUDGET)?;
    Ok(program)
}

/// Builds static programs of one package; `selection` is what cargo is told beside their names.
pub(crate) fn programs(
    workspace: &Workspace,
    selection: &[&str],
    names: &[&str],
) -> Result<Vec<PathBuf>> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "the static build is made on x86_64 Linux only"
    );
    workspace.require("readelf", "binutils")?;
    let target = musl(workspace)?;
    let mut cargo = target.cargo(workspace, "build")?;
    cargo.args(selection);
    for name in names {
        cargo.args(["--bin", name]);
    }
    workspace::run(&mut cargo)?;
    names
        .iter()
        .map(|name| {
            let program = target.built(workspace, name);
            no_interpreter(&program)?;
            Ok(program)
        })
        .collect()
}

fn musl(workspace: &Workspace) -> Result<Foreign> {
    let mut target = Foreign::new(workspace, TARGET)?;
    // musl-gcc turns -static-pie into a program with an interpreter. The same for a toolchain that
    // brings its own musl, so that both give the same kind of program.
    target.flag("-Crelocation-model=static");
    if target.builds_std() {
        workspace.require("musl-gcc", "musl-tools")?;
        target.linker("musl-gcc");
        target.flag("-Clink-self-contained=no");
        target.flag(format!("-Lnative={}", unwind_stub(workspace)?.display()));
    }
    Ok(target)
}

/// The standard library asks for `-lunwind`. Debian's libgcc_eh has its functions, but is made for
/// glibc and wants glibc's `_dl_find_object`; a stub that finds nothing makes it fall back to
/// `dl_iterate_phdr`, which musl has.
fn unwind_stub(workspace: &Workspace) -> Result<PathBuf> {
    let folder = foreign::target_dir(workspace).join("unwind");
    fs::create_dir_all(&folder)?;
    let source = folder.join("find_object.c");
    let object = folder.join("find_object.o");
    let archive = folder.join("libfind_object.a");
    fs::write(
        &source,
        "int _dl_find_object(void *pc, void *result) { (void)pc; (void)result; return -1; }\n",
    )?;
    workspace::run(
        Command::new("musl-gcc")
            .args(["-O2", "-c", "-o"])
            .args([&object, &source]),
    )?;
    if archive.exists() {
        fs::remove_file(&archive)?;
    }
    workspace::run(Command::new("ar").arg("rcs").args([&archive, &object]))?;
    fs::write(
        folder.join("libunwind.a"),
        "INPUT(-lgcc_eh -lfind_object)\n",
    )?;
    Ok(folder)
}

/// `ldd` calls a program with musl's loader as interpreter "statically linked"; readelf does not.
fn no_interpreter(program: &Path) -> Result<()> {
    let headers = workspace::output(
        Command::new("readelf")
            .arg("-lW")
            .arg(program)
            .stderr(Stdio::inherit()),
    )?;
    ensure!(
        headers.contains("LOAD"),
        "readelf shows no program headers of {}",
        program.display()
    );
    ensure!(
        !headers.contains("INTERP"),
        "{} is not static: it names an interpreter",
        program.display()
    );
    Ok(())
}
