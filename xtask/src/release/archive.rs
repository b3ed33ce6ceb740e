//! The archive of one machine: the same files make the same bytes, on every machine.

use std::io::{Cursor, Write as _};

use anyhow::Result;
use flate2::{Compression, GzBuilder};
use zip::write::SimpleFileOptions;

/// The first moment that both kinds of archive know, 1980-01-01, in seconds.
const MOMENT: u64 = 315_532_800;

/// A file of an archive.
pub(super) struct Packed {
    /// With `/`, below the archive's folder.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) is_program: bool,
}

impl Packed {
    fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// A `.tar.gz` with everything in one folder.
pub(super) fn tar_gz(folder: &str, files: &[Packed]) -> Result<Vec<u8>> {
    let packer = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(packer);
    for file in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(file.mode());
        header.set_mtime(MOMENT);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, format!("{folder}/{}", file.name), &*file.bytes)?;
    }
    Ok(tar.into_inner()?.finish()?)
}

/// A `.zip` without a folder around: it is unpacked into one of its name.
pub(super) fn zip(files: &[Packed]) -> Result<Vec<u8>> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(file.mode());
        zip.start_file(&*file.name, options)?;
        zip.write_all(&file.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_make_the_same_bytes() {
        let files = || {
            [
                ("hookkit", true),
                ("dispatch/linux-x86_64/x", true),
                ("README.md", false),
            ]
            .map(|(name, is_program)| Packed {
                name: name.to_owned(),
                bytes: name.repeat(1000).into_bytes(),
                is_program,
            })
        };
        assert_eq!(
            tar_gz("a", &files()).unwrap(),
            tar_gz("a", &files()).unwrap()
        );
        assert_eq!(zip(&files()).unwrap(), zip(&files()).unwrap());
    }
}
