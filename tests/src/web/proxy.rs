//! A proxy that hands on by CONNECT, as they do for https.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::listener::Listener;
use super::skip_headers;

/// A running proxy; ends with the value.
pub struct Proxy {
    listener: Listener,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// One that takes everybody anywhere.
    pub fn start() -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&asked);
        Self {
            listener: Listener::start(move |connection| {
                let _ = hand_on(&connection, &notes);
            }),
            asked,
        }
    }

    /// As the variables name it.
    pub fn address(&self) -> String {
        format!("http://{}", self.listener.address())
    }

    /// The first lines of what it was asked, as `CONNECT 127.0.0.1:80`.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn hand_on(client: &TcpStream, asked: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut reader = BufReader::new(client);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    skip_headers(&mut reader)?;
    let line = first.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let to = line.strip_prefix("CONNECT ").map(str::to_owned);
    asked.lock().unwrap().push(line);
    let Some(to) = to else {
        return write!(
            &mut &*client,
            "HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n"
        );
    };
    let server = TcpStream::connect(to)?;
    write!(&mut &*client, "HTTP/1.1 200 Connected\r\n\r\n")?;
    let back = {
        let (from, to) = (server.try_clone()?, client.try_clone()?);
        thread::spawn(move || copy(&from, &to))
    };
    copy(client, &server);
    let _ = back.join();
    Ok(())
}

fn copy(from: &TcpStream, to: &TcpStream) {
    let _ = io::copy(&mut &*from, &mut &*to);
    let _ = to.shutdown(Shutdown::Write);
}
