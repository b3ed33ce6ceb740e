//! Reads stdin until one object is complete.
//!
//! Some hosts leave the pipe open, so the end of the file is not waited for. A limit applies to
//! silence, never to a stream that makes progress before the deadline.

use crate::json::{Progress, Scanner};
use std::io;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The largest payload that is read, in bytes.
pub const LARGEST: usize = 64 * 1024 * 1024;

/// How long stdin may say nothing before a payload counts as absent.
const SILENCE: Duration = Duration::from_secs(5);

/// Room for the first read: most payloads fit.
const FIRST_READ: usize = 16 * 1024;

/// Where the bytes come from.
pub trait Source {
    /// Waits for bytes, at most until `until`, and appends what is there.
    ///
    /// Returns how many bytes came: 0 at the end, `None` when nothing came in time.
    fn read_until(&mut self, until: Instant, buffer: &mut Vec<u8>) -> io::Result<Option<usize>>;
}

/// Why there is no payload.
#[derive(Debug)]
pub enum ReadError {
    /// stdin was empty or closed.
    Empty,
    /// stdin said nothing for the time given.
    Silent,
    /// The object did not end before the stream did, or before the deadline.
    Incomplete,
    /// The first thing on stdin is no object.
    NotAnObject,
    /// More than [`LARGEST`] bytes.
    TooLarge,
    /// The system could not read.
    Io(io::Error),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Empty => write!(f, "stdin is empty"),
            Self::Silent => write!(f, "nothing came on stdin for {} s", SILENCE.as_secs()),
            Self::Incomplete => write!(f, "the JSON on stdin does not end"),
            Self::NotAnObject => write!(f, "stdin does not begin with a JSON object"),
            Self::TooLarge => write!(f, "the payload is over {} MiB", LARGEST >> 20),
            Self::Io(error) => write!(f, "stdin cannot be read: {error}"),
        }
    }
}

/// Reads until one top-level object is complete; gives the bytes and where the object stands in
/// them. A UTF-8 byte order mark and blanks before it are skipped, bytes after it are not looked at.
pub fn read(
    source: &mut dyn Source,
    deadline: Instant,
) -> Result<(Vec<u8>, Range<usize>), ReadError> {
    let mut buffer = Vec::with_capacity(FIRST_READ);
    let mut scanner = Scanner::default();
    let mut start = None;
    loop {
        let silent_at = Instant::now() + SILENCE;
        match source.read_until(silent_at.min(deadline), &mut buffer) {
            Ok(Some(0)) if buffer.is_empty() => return Err(ReadError::Empty),
            Ok(Some(0) | None) if scanner.has_started() => return Err(ReadError::Incomplete),
            Ok(Some(0)) => return Err(ReadError::NotAnObject),
            Ok(Some(_)) => {}
            Ok(None) => return Err(ReadError::Silent),
            Err(error) => return Err(ReadError::Io(error)),
        }
        if start.is_none() {
            match after_mark(&buffer) {
                Some(after) => start = Some(after),
                None => continue,
            }
        }
        let begin = start.unwrap_or(0);
        match scanner.advance(&buffer[begin..]) {
            Progress::Complete(end) => {
                if buffer.capacity() <= FIRST_READ {
                    // What comes next in memory shares a page with a small payload.
                    buffer.shrink_to_fit();
                }
                let blanks = buffer[begin..].len() - buffer[begin..].trim_ascii_start().len();
                return Ok((buffer, begin + blanks..begin + end));
            }
            Progress::NotAnObject => return Err(ReadError::NotAnObject),
            Progress::More if buffer.len() > LARGEST => return Err(ReadError::TooLarge),
            Progress::More => {}
        }
    }
}

/// Where the text begins after a byte order mark; `None` while that cannot be known.
fn after_mark(buffer: &[u8]) -> Option<usize> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if buffer.starts_with(MARK) {
        return Some(MARK.len());
    }
    if !buffer.is_empty() && MARK.starts_with(buffer) {
        return None;
    }
    Some(0)
}

impl Source for &[u8] {
    fn read_until(&mut self, _until: Instant, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let count = self.len();
        buffer.extend_from_slice(self);
        *self = &[];
        Ok(Some(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes in pieces, then goes silent.
    struct Pieces(Vec<Vec<u8>>);

    impl Source for Pieces {
        fn read_until(
            &mut self,
            _until: Instant,
            buffer: &mut Vec<u8>,
        ) -> io::Result<Option<usize>> {
            if self.0.is_empty() {
                return Ok(None);
            }
            let piece = self.0.remove(0);
            buffer.extend_from_slice(&piece);
            Ok(Some(piece.len()))
        }
    }

    fn whole(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut source = bytes;
        read(&mut source, Instant::now() + SILENCE)
            .map(|(buffer, span)| buffer[span].to_vec())
            .map_err(|error| error.to_string())
    }

    fn trickled(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut source = Pieces(bytes.iter().map(|byte| vec![*byte]).collect());
        read(&mut source, Instant::now() + SILENCE)
            .map(|(buffer, span)| buffer[span].to_vec())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn one_object_is_read_and_nothing_after_it() {
        for bytes in [
            &b"{\"a\":1}"[..],
            b"\xef\xbb\xbf {\"a\":1}\n",
            b"\r\n\t{\"a\":1}{\"b\":2}",
        ] {
            assert_eq!(whole(bytes).as_deref(), Ok(&b"{\"a\":1}"[..]));
            assert_eq!(trickled(bytes).as_deref(), Ok(&b"{\"a\":1}"[..]));
        }
    }

    #[test]
    fn what_is_no_object_has_its_own_error() {
        assert_eq!(whole(b""), Err("stdin is empty".into()));
        assert_eq!(whole(b"  \n"), Err(ReadError::NotAnObject.to_string()));
        assert_eq!(whole(b"[1]"), Err(ReadError::NotAnObject.to_string()));
        assert_eq!(whole(b"\xef\xbb"), Err(ReadError::NotAnObject.to_string()));
        assert_eq!(whole(b"{\"a\":"), Err(ReadError::Incomplete.to_string()));
        assert_eq!(trickled(b"{\"a\":"), Err(ReadError::Incomplete.to_string()));
        assert_eq!(trickled(b""), Err(ReadError::Silent.to_string()));
    }
}
