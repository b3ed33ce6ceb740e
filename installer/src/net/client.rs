//! Fetches what an address names.

use super::fault::{MOST_REDIRECTS, NotFetched, Why};
use super::progress::Progress;
use super::{Address, proxy, roots};
use crate::outcome::Stop;
use hookkit_dispatch::env::Env;
use std::cell::OnceCell;
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};
use ureq::{Agent, Body};

/// How long a server may say nothing, in seconds; also how long it may be slower than [`SLOWEST`].
/// `HOOKKIT_HTTP_TIMEOUT` says otherwise.
const SILENCE: u64 = 30;
const VARIABLE: &str = "HOOKKIT_HTTP_TIMEOUT";

/// In bytes a second: below this nobody waits for a package.
const SLOWEST: u64 = 1024;

/// All of one request, as a multiple of the silence: ten minutes.
const TOTAL: u64 = 20;

/// Fetches within limits, from the hosts that the system trusts, by way of its proxies.
pub(crate) struct Client {
    env: Env,
    silence: u64,
    is_quiet: bool,
    roots: OnceCell<Result<RootCerts, String>>,
}

impl Client {
    pub(crate) fn new(env: &Env, is_quiet: bool) -> Result<Self, Stop> {
        let silence = match env.get(VARIABLE) {
            None => SILENCE,
            Some(text) => text
                .to_str()
                .and_then(|text| text.parse().ok())
                .filter(|seconds| (1..=3600).contains(seconds))
                .ok_or_else(|| {
                    Stop::unusable(format!(
                        "{VARIABLE} is `{}`, and should be a number of seconds from 1 to 3600",
                        text.to_string_lossy()
                    ))
                })?,
        };
        Ok(Self {
            env: env.clone(),
            silence,
            is_quiet,
            roots: OnceCell::new(),
        })
    }

    /// What is there, which is at most that many bytes.
    pub(crate) fn get(&self, address: &Address, most: u64) -> Result<Vec<u8>, NotFetched> {
        let mut at = address.clone();
        for _ in 0..=MOST_REDIRECTS {
            let response = self.ask(&at).map_err(|why| why.of(at.to_string()))?;
            let status = response.status();
            if status.is_success() {
                return self
                    .read(response, &at, most)
                    .map_err(|why| why.of(at.to_string()));
            }
            if !status.is_redirection() {
                return Err(Why::of_status(status.as_u16()).of(at.to_string()));
            }
            let location = response.headers().get("location");
            let location = location
                .and_then(|location| location.to_str().ok())
                .ok_or_else(|| Why::Nowhere.of(at.to_string()))?;
            at = at
                .redirected(location)
                .map_err(|elsewhere| Why::Elsewhere(elsewhere).of(at.to_string()))?;
        }
        Err(Why::Circle.of(address.to_string()))
    }

    /// The same, and nothing where the server says that nothing is there.
    pub(crate) fn find(&self, address: &Address, most: u64) -> Result<Option<Vec<u8>>, NotFetched> {
        match self.get(address, most) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(why) if why.is_missing() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn ask(&self, address: &Address) -> Result<Response<Body>, Why> {
        let proxy = proxy::proxy(address, &self.env)
            .map_err(|name| Why::Proxy(format!("of {name} has no valid address")))?;
        let silence = Some(Duration::from_secs(self.silence));
        let mut config = Agent::config_builder()
            .user_agent(format!("hookkit/{}", hookkit_dispatch::version()))
            .accept_encoding("identity")
            .proxy(proxy)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(Duration::from_secs(self.total())))
            .timeout_resolve(silence)
            .timeout_connect(silence)
            .timeout_per_read(silence);
        if address.is_encrypted() {
            config = config.tls_config(self.tls()?);
        }
        let agent: Agent = config.build().into();
        agent
            .get(address.uri())
            .call()
            .map_err(|error| Why::of_request(error, self.silence, self.total()))
    }

    fn tls(&self) -> Result<TlsConfig, Why> {
        let roots = self.roots.get_or_init(roots::roots);
        let roots = roots.clone().map_err(Why::Untrusted)?;
        Ok(TlsConfig::builder()
            .provider(TlsProvider::Rustls)
            .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .root_certs(roots)
            .build())
    }

    fn read(
        &self,
        mut response: Response<Body>,
        address: &Address,
        most: u64,
    ) -> Result<Vec<u8>, Why> {
        let all = response.body().content_length();
        if all.is_some_and(|all| all > most) {
            return Err(Why::TooLarge(most));
        }
        let name = address.file_name().unwrap_or_default();
        let mut progress = Progress::new(name, !self.is_quiet);
        let mut pace = Pace::new(self.silence);
        let mut body = response.body_mut().as_reader();
        let mut bytes = Vec::new();
        let mut part = vec![0; 64 << 10];
        loop {
            let come = bytes.len() as u64;
            let count = body
                .read(&mut part)
                .map_err(|error| Why::of_io(&error, self.silence, self.total(), come))?;
            if count == 0 {
                break;
            }
            bytes.extend_from_slice(&part[..count]);
            let come = bytes.len() as u64;
            if come > most {
                return Err(Why::TooLarge(most));
            }
            if pace.is_too_slow(come) {
                return Err(Why::Slow(self.silence));
            }
            progress.show(come, all);
        }
        let come = bytes.len() as u64;
        if all.is_some_and(|all| come < all) {
            return Err(Why::Cut(come));
        }
        Ok(bytes)
    }

    const fn total(&self) -> u64 {
        TOTAL * self.silence
    }
}

/// How much comes in a span of time.
struct Pace {
    span: Duration,
    since: Instant,
    before: u64,
    least: u64,
}

impl Pace {
    fn new(seconds: u64) -> Self {
        Self {
            span: Duration::from_secs(seconds),
            since: Instant::now(),
            before: 0,
            least: SLOWEST * seconds,
        }
    }

    fn is_too_slow(&mut self, come: u64) -> bool {
        if self.since.elapsed() < self.span {
            return false;
        }
        let is_too_slow = come - self.before < self.least;
        self.since = Instant::now();
        self.before = come;
        is_too_slow
    }
}
