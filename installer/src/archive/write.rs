//! An archive, written so that the same files make the same bytes.

use hookkit_launchers::File;
use std::io::{self, Cursor, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

/// When everything in an archive was last changed: seconds since 1970, in the range that zip knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(u64);

/// 1980-01-01, and the last even second of 2107.
const EARLIEST: u64 = 315_532_800;
const LATEST: u64 = 4_354_819_198;

impl Moment {
    /// The moment of SOURCE_DATE_EPOCH (<https://reproducible-builds.org/specs/source-date-epoch/>),
    /// else the first that an archive can say. The error is a value that is no number.
    pub(crate) fn of(source_date_epoch: Option<&str>) -> Result<Self, String> {
        let seconds = match source_date_epoch {
            None | Some("") => EARLIEST,
            Some(text) => text.parse().map_err(|_| {
                format!("SOURCE_DATE_EPOCH is `{text}`; it must be a number of seconds since 1970")
            })?,
        };
        Ok(Self(seconds.clamp(EARLIEST, LATEST)))
    }

    /// Seconds since 1970.
    pub(crate) fn seconds(self) -> u64 {
        self.0
    }

    fn in_zip(self) -> DateTime {
        let (days, seconds) = (self.0 / 86_400, self.0 % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let small = |number: u64| u8::try_from(number).unwrap_or_default();
        DateTime::from_date_and_time(
            u16::try_from(year).unwrap_or_default(),
            small(month),
            small(day),
            small(hour),
            small(minute),
            small(second),
        )
        .unwrap_or_default()
    }
}

/// Year, month and day of a number of days since 1970-01-01
/// (<https://howardhinnant.github.io/date_algorithms.html#civil_from_days>).
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year_of_era + era * 400 + u64::from(month <= 2), month, day)
}

/// Packs files, which must come in the order of their names.
///
/// Nothing in the result depends on the machine: modes go by role, and the level is fixed.
pub(crate) fn write<'f>(
    files: impl IntoIterator<Item = &'f File>,
    moment: Moment,
) -> io::Result<Vec<u8>> {
    const LEVEL: i64 = 9;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(moment.in_zip())
        .system(System::Unix);
    for file in files {
        zip.start_file(&*file.path, options.unix_permissions(file.role.mode()))?;
        zip.write_all(&file.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::super::Archive;
    use super::*;

    #[test]
    fn moments_are_dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (3652, (1980, 1, 1)),
            (19_782, (2024, 2, 29)),
            (50_402, (2107, 12, 31)),
        ] {
            assert_eq!(date(days), expected);
        }
        assert_eq!(Moment::of(None).map(Moment::seconds), Ok(EARLIEST));
        assert_eq!(Moment::of(Some("0")).map(Moment::seconds), Ok(EARLIEST));
        assert_eq!(
            Moment::of(Some("99999999999")).map(Moment::seconds),
            Ok(LATEST)
        );
        assert!(Moment::of(Some("yesterday")).is_err());
        let moment = Moment::of(Some("1700000000")).expect("a number").in_zip();
        assert_eq!(moment.to_string(), "2023-11-14 22:13:20");
    }

    #[test]
    fn what_is_written_is_read() {
        let files = [
            File::data("a/\u{e9}.txt", "text"),
            File::data("empty", ""),
            File::program("run", vec![b'x'; 100_000]),
        ];
        let moment = Moment::of(None).expect("the default");
        let bytes = write(&files, moment).expect("an archive");
        assert_eq!(bytes, write(&files, moment).expect("another"));
        let archive = Archive::read(bytes).expect("acceptable");
        for (file, entry) in files.iter().zip(archive.entries()) {
            assert_eq!((&*file.path, Some(file.role)), (&*entry.name, entry.role));
            assert_eq!(archive.content(&entry.name), Some(file.bytes.clone()));
        }
        assert_eq!(archive.entries().len(), files.len());
    }

    #[test]
    fn what_is_extracted_is_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [
            File::data("a/b", "text"),
            File::program("run", "#!/bin/sh\n"),
        ];
        let bytes = write(&files, Moment::of(None).expect("the default")).expect("an archive");
        let archive = Archive::read(bytes).expect("acceptable");
        archive.extract(folder.path()).expect("an empty folder");
        assert_eq!(
            std::fs::read(folder.path().join("a/b")).expect("a file"),
            b"text"
        );
        assert!(
            archive.extract(folder.path()).is_err(),
            "nothing is replaced"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let run = std::fs::metadata(folder.path().join("run")).expect("a file");
            assert_eq!(run.permissions().mode() & 0o777, 0o755);
        }
    }
}
