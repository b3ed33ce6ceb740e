//! Programs of macOS: what is looked at in one, and two architectures in one file.

mod signature;

use anyhow::{Context as _, Result, ensure};
use object::macho::{CPU_TYPE_ARM64, CPU_TYPE_X86_64, FAT_MAGIC, MachHeader64};
use object::read::macho::{LoadCommandVariant, MachHeader as _};
use object::{BigEndian, Endianness, U32, macho, pod};

use crate::foreign::OLDEST_MACOS;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Architecture {
    X86_64,
    Arm64,
}

/// Is it a program of this architecture that the oldest macOS starts?
pub(super) fn program(bytes: &[u8], architecture: Architecture) -> Result<()> {
    let header = MachHeader64::<Endianness>::parse(bytes, 0)?;
    let endian = header.endian()?;
    let expected = match architecture {
        Architecture::X86_64 => CPU_TYPE_X86_64,
        Architecture::Arm64 => CPU_TYPE_ARM64,
    };
    let found = header.cputype(endian);
    ensure!(
        found == expected,
        "it is for CPU type {found:#x}, not {expected:#x}"
    );
    let (mut oldest, mut signature) = (None, None);
    let mut commands = header.load_commands(endian, bytes, 0)?;
    while let Some(command) = commands.next()? {
        match command.variant()? {
            LoadCommandVariant::BuildVersion(version) => {
                let version = version.minos.get(endian);
                oldest = Some(format!("{}.{}", version >> 16, (version >> 8) & 0xff));
            }
            LoadCommandVariant::Dylib(library) if command.cmd() != macho::LC_ID_DYLIB => {
                let name = command.string(endian, library.dylib.name)?;
                let name = String::from_utf8_lossy(name);
                ensure!(
                    name.starts_with("/usr/lib/") || name.starts_with("/System/"),
                    "it needs {name}, which macOS does not have"
                );
            }
            LoadCommandVariant::LinkeditData(data) if command.cmd() == macho::LC_CODE_SIGNATURE => {
                let start = data.dataoff.get(endian) as usize;
                signature = Some((start, start + data.datasize.get(endian) as usize));
            }
            _ => {}
        }
    }
    let oldest = oldest.context("it does not say which macOS it needs")?;
    ensure!(
        oldest == OLDEST_MACOS,
        "it needs macOS {oldest}, not {OLDEST_MACOS}"
    );
    match (signature, architecture) {
        (Some((start, end)), _) => {
            let signature = bytes.get(start..end).context("its signature is cut off")?;
            signature::holds(signature, bytes)
        }
        // Intel's macOS starts programs without one.
        (None, Architecture::X86_64) => Ok(()),
        (None, Architecture::Arm64) => anyhow::bail!("it has no signature, so it is not started"),
    }
}

/// The page size of Apple's own processors, and more than Intel's.
const ALIGNMENT: u32 = 14;

/// One file with the programs of several architectures in it, each with its own signature.
pub(super) fn join(programs: &[Vec<u8>]) -> Result<Vec<u8>> {
    let page = 1_usize << ALIGNMENT;
    let big = |number: usize| Ok::<_, anyhow::Error>(U32::new(BigEndian, u32::try_from(number)?));
    let mut headers = Vec::new();
    let mut offset = page;
    for program in programs {
        let header = MachHeader64::<Endianness>::parse(program.as_slice(), 0)?;
        let endian = header.endian()?;
        headers.push(macho::FatArch32 {
            cputype: U32::new(BigEndian, header.cputype(endian)),
            cpusubtype: U32::new(BigEndian, header.cpusubtype(endian)),
            offset: big(offset)?,
            size: big(program.len())?,
            align: U32::new(BigEndian, ALIGNMENT),
        });
        offset = (offset + program.len()).next_multiple_of(page);
    }
    let start = macho::FatHeader {
        magic: U32::new(BigEndian, FAT_MAGIC),
        nfat_arch: big(programs.len())?,
    };
    let mut file = pod::bytes_of(&start).to_vec();
    file.extend_from_slice(pod::bytes_of_slice(&headers));
    ensure!(file.len() <= page, "too many architectures for one file");
    for program in programs {
        file.resize(file.len().next_multiple_of(page), 0);
        file.extend_from_slice(program);
    }
    Ok(file)
}
