use std::io::Read;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// One output channel, drained by a thread that outlives this value when somebody keeps the channel
/// open for good.
pub(super) struct Channel {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Channel {
    /// Nothing is to be had where there is no pipe.
    pub(super) fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        match pipe {
            Some(pipe) => Self::drain(pipe),
            None => Self::drain(std::io::empty()),
        }
    }

    pub(super) fn drain(mut pipe: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let reader = thread::spawn({
            let bytes = Arc::clone(&bytes);
            move || {
                let mut piece = vec![0; 1 << 16];
                // A read fault ends the channel like its end does; what arrived is kept.
                while let Ok(count @ 1..) = pipe.read(&mut piece) {
                    bytes.lock().unwrap().extend_from_slice(&piece[..count]);
                }
            }
        });
        Self { bytes, reader }
    }

    pub(super) fn closes_before(&self, end: Instant) -> bool {
        while !self.reader.is_finished() {
            if Instant::now() >= end {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.bytes.lock().unwrap())
    }
}
