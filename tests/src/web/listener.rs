//! A thread for each connection to a free port of 127.0.0.1.

use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Takes connections until it is dropped.
pub(super) struct Listener {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
}

impl Listener {
    pub(super) fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on 127.0.0.1");
        let address = listener
            .local_addr()
            .expect("a bound listener has an address");
        let is_over = Arc::new(AtomicBool::new(false));
        let acceptor = thread::spawn({
            let (is_over, serve) = (Arc::clone(&is_over), Arc::new(serve));
            move || {
                for connection in listener.incoming() {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    let Ok(connection) = connection else { continue };
                    let serve = Arc::clone(&serve);
                    thread::spawn(move || {
                        let copy = connection.try_clone();
                        serve(connection);
                        // What was not read would make the system reset what was sent.
                        let _ = copy.and_then(|copy| copy.shutdown(Shutdown::Write));
                    });
                }
            }
        });
        Self {
            address,
            is_over,
            acceptor: Some(acceptor),
        }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the acceptor, which then sees that it is over.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}
