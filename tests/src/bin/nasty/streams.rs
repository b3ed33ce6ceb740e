//! The three standard streams.

use std::io::{self, Read, Write};

/// All of stdin.
pub(crate) fn read() -> Vec<u8> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).unwrap();
    bytes
}

/// Stdin to stdout, piece by piece.
pub(crate) fn cat() {
    io::copy(&mut io::stdin().lock(), &mut io::stdout().lock()).unwrap_or_else(|_| unread());
    io::stdout().flush().unwrap_or_else(|_| unread());
}

/// Text to stdout, at once.
pub(crate) fn print(text: &str) {
    put(io::stdout(), text.as_bytes());
}

/// Text to stderr.
pub(crate) fn complain(text: &str) {
    put(io::stderr(), text.as_bytes());
}

/// This many bytes.
pub(crate) fn flood(mut stream: impl Write, bytes: usize) {
    let piece = vec![b'x'; 1 << 16];
    for _ in 0..bytes / piece.len() {
        put(&mut stream, &piece);
    }
}

fn put(mut stream: impl Write, bytes: &[u8]) {
    stream
        .write_all(bytes)
        .and_then(|()| stream.flush())
        .unwrap_or_else(|_| unread());
}

/// Ends like a program that SIGPIPE ends.
fn unread() -> ! {
    std::process::exit(141)
}
