//! A web server on a free port of 127.0.0.1 that gives files, and has the faults that servers have.
//!
//! - [`Web`]: what lies at which path, and what was asked for
//! - [`Page`]: a file, or a fault
//! - [`Authority`]: signs the certificate of a server that speaks https
//! - [`Proxy`]: hands on to servers, and says what it was asked for

mod listener;
mod proxy;
mod tls;

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use fs_err as fs;

use self::listener::Listener;
pub use self::proxy::Proxy;
pub use self::tls::Authority;

/// What lies at a path.
#[derive(Clone, Debug)]
pub enum Page {
    /// A file, as it should come.
    File(Vec<u8>),
    /// No file but this status.
    Status(u16),
    /// Another address, or a path.
    Redirect(String),
    /// A file of which only the first bytes come before the connection ends.
    Cut(Vec<u8>, usize),
    /// A file that is said to have another length. All of it is sent.
    Length(Vec<u8>, usize),
    /// A file that comes in pieces of this size, with a pause after each.
    Slow(Vec<u8>, usize, Duration),
    /// The start of a file, and then nothing, on an open connection.
    Stalled(Vec<u8>),
    /// Nothing at all, on an open connection.
    Silent,
    /// Bytes without an end, of which nobody said how many there are.
    Endless,
    /// A file that is said to have so many bytes.
    Huge(u64),
}

/// A running server; ends with the value.
pub struct Web {
    listener: Listener,
    scheme: &'static str,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    pages: Mutex<BTreeMap<String, Page>>,
    asked: Mutex<Vec<String>>,
}

impl Web {
    /// One that speaks http, with nothing on it.
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let answers = Arc::clone(&shared);
        Self {
            listener: Listener::start(move |connection| {
                // A client that goes away is no fault of the server's.
                let _ = answers.serve(connection);
            }),
            scheme: "http",
            shared,
        }
    }

    /// One that speaks https, with a certificate by this authority.
    pub fn start_encrypted(authority: &Authority) -> Self {
        let shared = Arc::new(Shared::default());
        let answers = Arc::clone(&shared);
        let accept = authority.acceptor();
        Self {
            listener: Listener::start(move |connection| {
                let _ = accept(connection).and_then(|connection| answers.serve(connection));
            }),
            scheme: "https",
            shared,
        }
    }

    /// The address of a path, which begins with `/`.
    pub fn at(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.listener.address())
    }

    /// Puts something at a path, in place of what was there.
    pub fn put(&self, path: &str, page: Page) {
        self.shared
            .pages
            .lock()
            .unwrap()
            .insert(path.to_owned(), page);
    }

    /// Puts every file of a folder below a path.
    pub fn put_folder(&self, path: &str, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.path().is_file() {
                self.put(
                    &format!("{path}/{name}"),
                    Page::File(fs::read(entry.path()).unwrap()),
                );
            }
        }
    }

    /// Takes away what is at a path.
    pub fn take(&self, path: &str) {
        self.shared.pages.lock().unwrap().remove(path);
    }

    /// The paths that were asked for, in order.
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap().clone()
    }
}

impl Shared {
    fn serve(&self, mut connection: impl Read + Write) -> io::Result<()> {
        let path = {
            let mut reader = BufReader::new(&mut connection);
            let mut first = String::new();
            reader.read_line(&mut first)?;
            skip_headers(&mut reader)?;
            let path = first.split(' ').nth(1).unwrap_or_default();
            path.split('?').next().unwrap_or_default().to_owned()
        };
        self.asked.lock().unwrap().push(path.clone());
        let page = self.pages.lock().unwrap().get(&path).cloned();
        page.unwrap_or(Page::Status(404)).send(&mut connection)?;
        connection.flush()
    }
}

/// Reads to the empty line.
fn skip_headers(reader: &mut impl BufRead) -> io::Result<()> {
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    Ok(())
}

impl Page {
    fn send(&self, to: &mut impl Write) -> io::Result<()> {
        match self {
            Self::File(bytes) => {
                head(to, 200, Some(bytes.len() as u64))?;
                to.write_all(bytes)
            }
            Self::Status(status) => {
                let words = format!("the server says {status}\n");
                head(to, *status, Some(words.len() as u64))?;
                to.write_all(words.as_bytes())
            }
            Self::Redirect(location) => write!(
                to,
                "HTTP/1.1 302 Found\r\nlocation: {location}\r\ncontent-length: 0\r\n\
                 connection: close\r\n\r\n"
            ),
            Self::Cut(bytes, count) => {
                head(to, 200, Some(bytes.len() as u64))?;
                to.write_all(&bytes[..*count])
            }
            Self::Length(bytes, said) => {
                head(to, 200, Some(*said as u64))?;
                to.write_all(bytes)
            }
            Self::Slow(bytes, piece, pause) => {
                head(to, 200, Some(bytes.len() as u64))?;
                bytes.chunks(*piece).try_for_each(|piece| {
                    to.write_all(piece)?;
                    to.flush()?;
                    thread::sleep(*pause);
                    Ok(())
                })
            }
            Self::Stalled(start) => {
                head(to, 200, Some(start.len() as u64 + 1))?;
                to.write_all(start)?;
                to.flush()?;
                thread::sleep(FOREVER);
                Ok(())
            }
            Self::Silent => {
                thread::sleep(FOREVER);
                Ok(())
            }
            Self::Endless => {
                head(to, 200, None)?;
                let piece = vec![b'x'; 64 << 10];
                loop {
                    to.write_all(&piece)?;
                }
            }
            Self::Huge(said) => {
                head(to, 200, Some(*said))?;
                to.write_all(b"PK")?;
                to.flush()?;
                thread::sleep(Duration::from_secs(1));
                Ok(())
            }
        }
    }
}

/// Longer than any client here waits.
const FOREVER: Duration = Duration::from_secs(20);

fn head(to: &mut impl Write, status: u16, length: Option<u64>) -> io::Result<()> {
    write!(
        to,
        "HTTP/1.1 {status} Said\r\ncontent-type: application/octet-stream\r\n"
    )?;
    if let Some(length) = length {
        write!(to, "content-length: {length}\r\n")?;
    }
    write!(to, "connection: close\r\n\r\n")
}
