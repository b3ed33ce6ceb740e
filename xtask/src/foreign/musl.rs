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

/// The members before `eh_frame` are read by nobody here, and those after it are reserved
/// (`dl_find_object.h` of glibc).
const FIND_OBJECT: &str = r"
#include <elf.h>
#include <pthread.h>

int (*const once)(pthread_once_t *, void (*)(void)) = pthread_once;

struct found {
    unsigned long long flags;
    void *start, *end, *link_map, *eh_frame;
    unsigned long long reserved[7];
};

extern const Elf64_Ehdr __ehdr_start;

int _dl_find_object(void *pc, struct found *found) {
    const char *file = (const char *)&__ehdr_start;
    const Elf64_Phdr *at = (const Elf64_Phdr *)(file + __ehdr_start.e_phoff);
    (void)pc;
    for (int left = __ehdr_start.e_phnum; left > 0; left--, at++) {
        if (at->p_type == PT_GNU_EH_FRAME) {
            *found = (struct found){.eh_frame = (void *)at->p_vaddr};
            return 0;
        }
    }
    return -1;
}
";

/// The standard library asks for `-lunwind`. Debian's libgcc_eh has its functions, but is made for
/// glibc and wants glibc's `_dl_find_object`, without which it ends the program when it is asked for
/// a backtrace, as for an error where `RUST_BACKTRACE` is set. A static program has one table of
/// frames, and its own header says where. libgcc_eh also calls `pthread_once`, for which it asks
/// weakly: that takes nothing out of an archive, so it is asked for here as well.
fn unwind_stub(workspace: &Workspace) -> Result<PathBuf> {
    let folder = target_dir(workspace).join("unwind");
    fs::create_dir_all(&folder)?;
    let source = folder.join("find_object.c");
    let object = folder.join("find_object.o");
    let archive = folder.join("libfind_object.a");
    fs::write(&source, FIND_OBJECT)?;
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
