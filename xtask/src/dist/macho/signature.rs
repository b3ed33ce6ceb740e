//! The signature that a linker makes without a key ("ad hoc"): hashes of a program's pages.
//!
//! Apple's processors start nothing without one, and kill a program whose pages do not fit it.
//! Layout: `cs_blobs.h` of Apple's kernel. All numbers are big-endian.

use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};

const SUPER_BLOB: u32 = 0xfade_0cc0;
const CODE_DIRECTORY: u32 = 0xfade_0c02;
const AD_HOC: u32 = 2;
const SHA256: u8 = 2;

/// Does the signature name every page of the program as it is?
pub(super) fn holds(signature: &[u8], program: &[u8]) -> Result<()> {
    ensure!(
        word(signature, 0)? == SUPER_BLOB,
        "its signature is of no known form"
    );
    let mut pages = 0;
    for index in 0..word(signature, 8)? as usize {
        let start = word(signature, 16 + 8 * index)? as usize;
        let blob = signature.get(start..).context("its signature is cut off")?;
        if word(blob, 0)? == CODE_DIRECTORY {
            pages += directory(blob, program)?;
        }
    }
    ensure!(pages > 0, "its signature names no page");
    Ok(())
}

/// The number of pages that a directory names, all of them right.
fn directory(blob: &[u8], program: &[u8]) -> Result<usize> {
    ensure!(
        word(blob, 12)? & AD_HOC != 0,
        "its signature is not made without a key"
    );
    let hashes = word(blob, 16)? as usize;
    let count = word(blob, 28)? as usize;
    let limit = word(blob, 32)? as usize;
    let about = blob.get(36..40).context("its signature is cut off")?;
    let (length, kind, page) = (usize::from(about[0]), about[1], 1_usize << about[3]);
    ensure!(
        kind == SHA256 && length == 32,
        "its pages are not hashed by SHA-256"
    );
    let signed = program
        .get(..limit)
        .context("its signature is of a longer program")?;
    ensure!(
        signed.chunks(page).count() == count,
        "its signature is of another number of pages"
    );
    for (index, bytes) in signed.chunks(page).enumerate() {
        let at = hashes + index * length;
        let hash = blob
            .get(at..at + length)
            .context("its signature is cut off")?;
        ensure!(
            Sha256::digest(bytes).as_slice() == hash,
            "page {index} is not what was signed"
        );
    }
    Ok(count)
}

fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let word = bytes.get(at..at + 4).context("its signature is cut off")?;
    Ok(u32::from_be_bytes(word.try_into()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signature of one directory with pages of 4 KiB.
    fn signed(program: &[u8]) -> Vec<u8> {
        let pages: Vec<_> = program.chunks(4096).collect();
        let mut directory = Vec::new();
        let words = [CODE_DIRECTORY, 0, 0x2_0400, AD_HOC, 40, 0, 0];
        for word in words {
            directory.extend(word.to_be_bytes());
        }
        for number in [pages.len(), program.len()] {
            directory.extend(u32::try_from(number).expect("it is small").to_be_bytes());
        }
        directory.extend([32, SHA256, 0, 12]);
        for page in pages {
            directory.extend(Sha256::digest(page));
        }
        let mut signature = Vec::new();
        for word in [SUPER_BLOB, 0, 1, 0, 20] {
            signature.extend(word.to_be_bytes());
        }
        signature.extend(directory);
        signature
    }

    #[test]
    fn every_page_is_compared() {
        let program = vec![7; 10_000];
        let signature = signed(&program);
        holds(&signature, &program).expect("it was signed as it is");
        for at in [0, 4096, 9999] {
            let mut changed = program.clone();
            changed[at] = 0;
            let fault = holds(&signature, &changed).expect_err("a byte was changed");
            assert!(fault.to_string().contains("not what was signed"), "{fault}");
        }
        assert!(holds(&signature, &program[..9999]).is_err());
        assert!(holds(&signature[..60], &program).is_err());
        assert!(holds(&[0; 64], &program).is_err());
    }
}
