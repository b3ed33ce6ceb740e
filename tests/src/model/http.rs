//! A very small HTTP/1.1 server on a free port of 127.0.0.1, a thread for each connection.
//!
//! It reads bodies with a `content-length` and in chunks, answers on connections that stay open,
//! keeps every request that had a body, and ends with the value.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use serde_json::Value;

/// One request; a body that is not JSON is `null`.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST`, ...
    pub method: String,
    /// Without the query.
    pub path: String,
    /// The body.
    pub body: Value,
}

/// One answer.
#[derive(Debug)]
pub struct Reply {
    status: &'static str,
    kind: &'static str,
    body: String,
}

impl Reply {
    /// One JSON document.
    pub fn json(document: Value) -> Self {
        Self {
            status: "200 OK",
            kind: "application/json",
            body: document.to_string(),
        }
    }

    /// The server does not do what it was asked, and asking again will not help.
    pub fn error(words: &str) -> Self {
        let document = serde_json::json!({"error": {"message": words, "type": "invalid_request"}});
        Self {
            status: "400 Bad Request",
            ..Self::json(document)
        }
    }

    /// Server-sent events.
    pub fn events(events: &[Event]) -> Self {
        Self {
            status: "200 OK",
            kind: "text/event-stream",
            body: events.iter().map(Event::text).collect(),
        }
    }
}

/// One server-sent event.
#[derive(Debug)]
pub struct Event {
    /// Its name, where the API gives one.
    pub name: Option<String>,
    /// Its data.
    pub data: String,
}

impl Event {
    fn text(&self) -> String {
        let name = self
            .name
            .as_ref()
            .map(|name| format!("event: {name}\n"))
            .unwrap_or_default();
        format!("{name}data: {}\n\n", self.data)
    }
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

struct Shared {
    answer: Box<dyn Fn(&Request) -> Reply + Send + Sync>,
    requests: Mutex<Vec<Request>>,
    connections: Mutex<Vec<TcpStream>>,
    is_over: AtomicBool,
}

impl Server {
    /// Starts a server that answers each request by this function.
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on 127.0.0.1");
        let address = listener
            .local_addr()
            .expect("a bound listener has an address");
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            requests: Mutex::default(),
            connections: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self {
            address,
            shared,
            acceptor: Some(acceptor),
        }
    }

    /// `http://127.0.0.1:PORT`.
    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends the server and gives the requests it got, in order.
    pub fn end(self) -> Vec<Request> {
        std::mem::take(&mut self.shared.requests.lock().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the acceptor, which then sees that it is over.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
        for connection in self.shared.connections.lock().unwrap().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for connection in listener.incoming() {
        if shared.is_over.load(Ordering::SeqCst) {
            return;
        }
        let Ok(connection) = connection else { continue };
        if let Ok(copy) = connection.try_clone() {
            shared.connections.lock().unwrap().push(copy);
        }
        let shared = Arc::clone(shared);
        thread::spawn(move || {
            // A client that goes away in mid-request is not our fault.
            let _ = serve(&connection, &shared);
            let _ = connection.shutdown(Shutdown::Both);
        });
    }
}

fn serve(connection: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut reader = BufReader::new(connection);
    while let Some(head) = Head::read(&mut reader)? {
        if head.header("expect").is_some() {
            (&mut &*connection).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let body = head.body(&mut reader)?;
        let request = Request {
            body: serde_json::from_slice(&body).unwrap_or(Value::Null),
            path: head.path.split('?').next().unwrap_or_default().to_owned(),
            method: head.method,
        };
        let reply = (shared.answer)(&request);
        if !body.is_empty() {
            shared.requests.lock().unwrap().push(request.clone());
        }
        let Reply { status, kind, body } = reply;
        let length = body.len();
        let body = if request.method == "HEAD" { "" } else { &body };
        write!(
            &mut &*connection,
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{body}"
        )?;
    }
    Ok(())
}

struct Head {
    method: String,
    path: String,
    headers: HashMap<String, String>,
}

impl Head {
    /// Nothing when the connection ends.
    fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let first = line(reader)?;
        let mut words = first.split(' ');
        let (Some(method), Some(path)) = (words.next(), words.next()) else {
            return Ok(None);
        };
        let mut headers = HashMap::new();
        loop {
            let line = line(reader)?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        Ok(Some(Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
        }))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    fn body(&self, reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
        if self
            .header("transfer-encoding")
            .is_some_and(|value| value.eq_ignore_ascii_case("chunked"))
        {
            return chunks(reader);
        }
        let length = self
            .header("content-length")
            .and_then(|value| value.parse().ok())
            .unwrap_or(0);
        exactly(reader, length)
    }
}

fn chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(reader)?;
        let size = usize::from_str_radix(size.split(';').next().unwrap_or_default().trim(), 16)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        if size == 0 {
            // Trailers, then an empty line.
            while !line(reader)?.is_empty() {}
            return Ok(body);
        }
        body.extend(exactly(reader, size)?);
        line(reader)?;
    }
}

fn exactly(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// One line without its end.
fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use serde_json::json;

    use super::{Reply, Server};

    fn exchange(server: &Server, request: &str) -> String {
        let mut connection = TcpStream::connect(server.address).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        connection.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn bodies_of_both_kinds_are_read_on_one_connection() {
        let server = Server::start(|request| Reply::json(request.body.clone()));
        let answer = exchange(
            &server,
            "POST /a?b HTTP/1.1\r\nContent-Length: 7\r\n\r\n{\"n\":1}\
             POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"n\r\n4;x\r\n\":2}\r\n0\r\n\r\n\
             GET /d HTTP/1.1\r\n\r\n",
        );
        assert!(
            answer.contains("{\"n\":1}")
                && answer.contains("{\"n\":2}")
                && answer.ends_with("null"),
            "{answer}"
        );
        let requests = server.end();
        assert_eq!(
            requests
                .iter()
                .map(|request| request.path.as_str())
                .collect::<Vec<_>>(),
            ["/a", "/c"]
        );
        assert_eq!(requests[1].body, json!({"n": 2}));
    }
}
