//! Why something was not fetched: what, where, and what to do.

use crate::outcome::Stop;
use std::io;
use ureq::{Error, Timeout};

/// What was asked for, and why it did not come.
#[derive(Debug, thiserror::Error)]
#[error("{address} {why}")]
pub(crate) struct NotFetched {
    pub(super) address: String,
    pub(super) why: Why,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Why {
    #[error("cannot be reached: {0}. Look at the address and at the network")]
    Unreachable(String),
    #[error("cannot be reached: the proxy {0}. Look at HTTPS_PROXY, HTTP_PROXY and NO_PROXY")]
    Proxy(String),
    #[error(
        "cannot be trusted: {0}. If an authority of your own signed its certificate, name the file \
         of that in SSL_CERT_FILE"
    )]
    Untrusted(String),
    #[error("is not there (the server says 404); look at the address")]
    Missing,
    #[error("is not given to everybody, or not so often (the server says {0}); try again later")]
    Forbidden(u16),
    #[error("cannot be had now: the server says {0}. Try again later")]
    Status(u16),
    #[error("leads from one address to the next, more than {MOST_REDIRECTS} times")]
    Circle,
    #[error(
        "leads to {0}, which is another server, so nothing was fetched from there. Name the address \
         there if you trust it"
    )]
    Elsewhere(String),
    #[error("leads nowhere: the server names no address to go on to")]
    Nowhere,
    #[error("has more than {0} bytes, which is too much for what it should be")]
    TooLarge(u64),
    #[error("ended after {0} bytes, and there should be more; try again")]
    Cut(u64),
    #[error("has sent nothing for {0} s; try again, or set HOOKKIT_HTTP_TIMEOUT to more seconds")]
    Silent(u64),
    #[error(
        "comes too slowly (under 1 KiB a second for {0} s); try again, or set HOOKKIT_HTTP_TIMEOUT \
         to more seconds"
    )]
    Slow(u64),
    #[error("was not there after {0} s; try again, or set HOOKKIT_HTTP_TIMEOUT to more seconds")]
    Late(u64),
}

/// More hops than any server needs.
pub(super) const MOST_REDIRECTS: usize = 5;

impl Why {
    pub(super) const fn of(self, address: String) -> NotFetched {
        NotFetched { address, why: self }
    }

    /// What a status other than that of success says.
    pub(super) const fn of_status(status: u16) -> Self {
        match status {
            404 | 410 => Self::Missing,
            401 | 403 => Self::Forbidden(status),
            _ => Self::Status(status),
        }
    }

    /// What a request that failed says; `silence` in seconds, and `total`.
    pub(super) fn of_request(error: Error, silence: u64, total: u64) -> Self {
        match error {
            Error::Timeout(Timeout::Global) => Self::Late(total),
            Error::Timeout(_) => Self::Silent(silence),
            Error::ConnectProxyFailed(why) => Self::Proxy(format!("says {why}")),
            Error::InvalidProxyUrl => Self::Proxy("has no valid address".to_owned()),
            Error::Rustls(why) => Self::Untrusted(why.to_string()),
            Error::Tls(why) => Self::Untrusted(why.to_owned()),
            Error::HostNotFound => Self::Unreachable("there is no such host".to_owned()),
            Error::Io(error) => Self::of_io(&error, silence, total, 0),
            other => Self::Unreachable(other.to_string()),
        }
    }

    /// What a stream that failed says, of which this much has come.
    pub(super) fn of_io(error: &io::Error, silence: u64, total: u64, come: u64) -> Self {
        let inner = error.get_ref();
        if let Some(why) = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return Self::Untrusted(why.to_string());
        }
        match inner.and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(Error::Timeout(Timeout::Global)) => return Self::Late(total),
            Some(Error::Timeout(_)) => return Self::Silent(silence),
            _ => {}
        }
        if come > 0 {
            return Self::Cut(come);
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => Self::Cut(0),
            io::ErrorKind::TimedOut => Self::Silent(silence),
            _ => Self::Unreachable(error.to_string()),
        }
    }
}

impl NotFetched {
    /// Did the server say that there is nothing? Some say 403 of what is not there.
    pub(super) const fn is_missing(&self) -> bool {
        matches!(self.why, Why::Missing | Why::Forbidden(_))
    }
}

/// That a server leads elsewhere is a refusal of ours, everything else is like a file that cannot be
/// read.
impl From<NotFetched> for Stop {
    fn from(why: NotFetched) -> Self {
        match why.why {
            Why::Elsewhere(_) | Why::Untrusted(_) => Self::Refused(why.into()),
            _ => Self::Unusable(why.into()),
        }
    }
}
