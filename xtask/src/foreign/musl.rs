//! Static Linux of this architecture, by musl-gcc.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};
use fs_err as fs;

use super::{Linked, target_dir};
use crate::workspace::{self, Workspace};

pub(super) fn link(workspace: &Workspace, linked: &mut Linked) -> Result<()> {
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "musl-gcc makes programs of its own machine, and this one is not x86_64 Linux"
    );
    // musl-gcc turns -static-pie into a program with an interpreter. The same for a toolchain that
    // brings its own musl, so that both give the same kind of program.
    linked.flag("-Crelocation-model=static");
    if linked.builds_std() {
        workspace.require("musl-gcc", "musl-tools")?;
        linked.program = Some("musl-gcc");
        linked.flag("-Clink-self-contained=no");
        linked.flag(format!("-Lnative={}", unwind_stub(workspace)?.display()));
    }
    Ok(())
}

/// The standard library asks for `-lunwind`. Debian's libgcc_eh has its functions, but is made for
/// glibc and wants glibc's `_dl_find_object`; a stub that finds nothing makes it fall back to
/// `dl_iterate_phdr`, which musl has.
fn unwind_stub(workspace: &Workspace) -> Result<PathBuf> {
    let folder = target_dir(workspace).join("unwind");
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
