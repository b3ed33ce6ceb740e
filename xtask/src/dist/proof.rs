//! What is looked at in a program before it is shipped.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use object::elf::{EM_AARCH64, EM_X86_64, FileHeader64, PT_DYNAMIC, PT_INTERP};
use object::read::elf::{FileHeader as _, ProgramHeader as _};
use object::read::pe::{ImageNtHeaders as _, PeFile64};
use object::{Endianness, pe};

use super::macho;
use crate::foreign::Triple;
use crate::workspace::Workspace;

/// Is it a program of this target that needs nothing but the system?
pub(super) fn program(bytes: &[u8], triple: Triple) -> Result<()> {
    match triple {
        Triple::MuslX86_64 => elf(bytes, EM_X86_64),
        Triple::MuslAarch64 => elf(bytes, EM_AARCH64),
        Triple::Windows => windows(bytes),
        Triple::MacX86_64 => macho::program(bytes, macho::Architecture::X86_64),
        Triple::MacAarch64 => macho::program(bytes, macho::Architecture::Arm64),
    }
}

/// `ldd` calls a program with musl's loader as interpreter "statically linked"; its headers do not.
fn elf(bytes: &[u8], machine: u16) -> Result<()> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let found = header.e_machine(endian);
    ensure!(found == machine, "it is for machine {found}, not {machine}");
    let segments = header.program_headers(endian, bytes)?;
    ensure!(!segments.is_empty(), "it has no program headers");
    for segment in segments {
        match segment.p_type(endian) {
            PT_INTERP => bail!("it is not static: it names an interpreter"),
            PT_DYNAMIC => bail!("it is not static: it is linked when it starts"),
            _ => {}
        }
    }
    Ok(())
}

fn windows(bytes: &[u8]) -> Result<()> {
    let file = PeFile64::parse(bytes)?;
    let machine = file
        .nt_headers()
        .file_header()
        .machine
        .get(object::LittleEndian);
    ensure!(
        machine == pe::IMAGE_FILE_MACHINE_AMD64,
        "it is for machine {machine:#x}, not x86_64"
    );
    let table = file.import_table()?;
    let Some(table) = table else {
        bail!("it imports nothing, so it is no program for Windows");
    };
    let mut libraries = table.descriptors()?;
    while let Some(library) = libraries.next()? {
        let name = table.name(library.name.get(object::LittleEndian))?;
        let name = String::from_utf8_lossy(name).to_lowercase();
        // What mingw would add: libgcc_s_seh-1.dll, libwinpthread-1.dll.
        ensure!(
            !name.starts_with("lib"),
            "it needs {name}, which Windows does not have"
        );
    }
    Ok(())
}

pub(super) fn weight(bytes: &[u8], budget: usize) -> Result<()> {
    ensure!(
        bytes.len() <= budget,
        "it has {} bytes, over its budget of {budget}",
        bytes.len()
    );
    Ok(())
}

/// Folders of whoever builds are nobody's business, and make equal builds differ.
pub(super) fn no_paths(bytes: &[u8], workspace: &Workspace) -> Result<()> {
    let sysroot = workspace.sysroot()?;
    let folders = [
        Some(workspace.root.as_path()),
        Some(workspace.target_dir.as_path()),
        workspace.cargo_home.as_deref(),
        Some(&*sysroot),
    ];
    for folder in folders.into_iter().flatten() {
        ensure!(
            !names(bytes, folder),
            "it names {}, a folder of this machine",
            folder.display()
        );
    }
    Ok(())
}

fn names(bytes: &[u8], folder: &Path) -> bool {
    let folder = folder.as_os_str().as_encoded_bytes();
    bytes.windows(folder.len()).any(|found| found == folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_program_with_an_interpreter_is_not_static() {
        let shell = std::fs::read("/bin/sh").expect("there is a shell");
        let fault = elf(&shell, EM_X86_64).expect_err("it is linked dynamically");
        assert!(fault.to_string().contains("not static"), "{fault}");
        let fault = elf(&shell, EM_AARCH64).expect_err("it is for this machine");
        assert!(fault.to_string().contains("machine 62"), "{fault}");
        assert!(windows(&shell).is_err());
    }

    #[test]
    fn a_folder_of_this_machine_is_found() {
        let bytes = b"\0panicked at /home/somebody/hookkit/dispatcher/src/main.rs\0";
        assert!(names(bytes, Path::new("/home/somebody")));
        assert!(!names(bytes, Path::new("/home/somebody/else")));
    }

    #[test]
    fn one_byte_over_the_budget_is_too_many() {
        assert!(weight(&[0; 3], 2).is_err() && weight(&[0; 2], 2).is_ok());
    }
}
