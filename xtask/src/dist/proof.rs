//! What is looked at in a program before it is shipped.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use flate2::read::ZlibDecoder;
use object::elf::{EM_AARCH64, EM_X86_64, FileHeader64, PT_DYNAMIC, PT_INTERP};
use object::read::elf::{FileHeader as _, ProgramHeader as _};
use object::read::pe::{ImageNtHeaders as _, PeFile64};
use object::{Endianness, Object as _, ObjectSection as _, pe};
use serde_json::Value;

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

/// Does it hold the list of the crates that it is made of, and is that the list of this package?
///
/// The form: <https://github.com/rust-secure-code/cargo-auditable/blob/master/PARSING.md>.
pub(super) fn crates(bytes: &[u8], package: &str) -> Result<()> {
    const MOST: u64 = 8 << 20;
    let file = object::File::parse(bytes)?;
    let section = file
        .section_by_name(".dep-v0")
        .context("it holds no list of the crates that it is made of")?;
    let mut text = String::new();
    ZlibDecoder::new(section.data()?)
        .take(MOST)
        .read_to_string(&mut text)?;
    let list: Value = serde_json::from_str(&text)?;
    let is_of_it = list["packages"].as_array().is_some_and(|packages| {
        packages
            .iter()
            .any(|found| found["name"] == package && found["root"] == true)
    });
    ensure!(is_of_it, "its list of crates is not that of {package}");
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

    /// As cargo-auditable puts it into a program.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_program_says_what_it_is_made_of() {
        use std::io::Write as _;
        let folder = tempfile::tempdir().expect("a folder");
        let (list, program) = (folder.path().join("list"), folder.path().join("program"));
        let text = br#"{"packages":[{"name":"serde"},{"name":"hookkit","root":true}]}"#;
        let packed = std::fs::File::create(&list).expect("a file");
        let mut packed = flate2::write::ZlibEncoder::new(packed, flate2::Compression::best());
        packed.write_all(text).expect("written");
        packed.finish().expect("written");
        let added = std::process::Command::new("objcopy")
            .arg(format!("--add-section=.dep-v0={}", list.display()))
            .arg("/bin/sh")
            .arg(&program)
            .status();
        assert!(added.expect("objcopy starts").success());
        let with_it = std::fs::read(program).expect("a program");
        crates(&with_it, "hookkit").expect("it is of hookkit");
        let fault = crates(&with_it, "serde").expect_err("serde is only a part of it");
        assert!(fault.to_string().contains("not that of serde"), "{fault}");
        let without = std::fs::read("/bin/sh").expect("there is a shell");
        let fault = crates(&without, "hookkit").expect_err("it has no list");
        assert!(fault.to_string().contains("no list"), "{fault}");
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
