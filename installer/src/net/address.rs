//! Addresses: which ones are taken, and where a redirect may lead.

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use ureq::http::Uri;

/// An http or https address without a name and password in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Address(Uri);

/// Why something is no address to fetch from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("is no address of http or https")]
    NoAddress,
    #[error(
        "holds a name or a password, which would be kept and shown; fetch it by another program and \
         install the file"
    )]
    Credentials,
    #[error(
        "has a `?` part, so nothing can lie beside it that vouches for it; fetch it by another \
         program and install the file"
    )]
    Query,
}

/// GitHub keeps the files of a release on another host than the one that its API names.
const GITHUB: [&str; 2] = ["github.com", "api.github.com"];
const FILES_OF_GITHUB: &str = ".githubusercontent.com";

impl Address {
    /// Is this meant as an address?
    pub(crate) fn is_meant(text: &str) -> bool {
        text.contains("://")
    }

    /// What lies in the same folder.
    pub(crate) fn beside(&self, name: &str) -> Option<Self> {
        let path = self.0.path();
        let folder = &path[..=path.rfind('/')?];
        self.leading_to(&format!("{folder}{name}"))
    }

    /// What lies below it.
    pub(crate) fn below(&self, path: &str) -> Option<Self> {
        self.leading_to(&format!("{}/{path}", self.0.path().trim_end_matches('/')))
    }

    /// The address with more at its end, as that of a signature.
    pub(crate) fn extended(&self, extension: &str) -> Option<Self> {
        self.leading_to(&format!("{}.{extension}", self.0.path()))
    }

    /// The name of the file that it names.
    pub(crate) fn file_name(&self) -> Option<String> {
        let name = self.0.path().rsplit('/').next()?;
        let name = percent_decode_str(name).decode_utf8().ok()?;
        (!name.is_empty()).then(|| name.into_owned())
    }

    /// Scheme, host and port are the same.
    pub(crate) fn is_of_one_origin_with(&self, other: &Self) -> bool {
        self.origin() == other.origin()
    }

    pub(crate) fn host(&self) -> &str {
        self.0.host().unwrap_or_default()
    }

    /// Does it lead to this machine itself?
    pub(crate) fn is_loopback(&self) -> bool {
        matches!(self.host(), "127.0.0.1" | "[::1]" | "localhost")
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.0.scheme_str() == Some("https")
    }

    pub(super) const fn uri(&self) -> &Uri {
        &self.0
    }

    /// Where a redirect leads, and whether it may.
    ///
    /// To the same origin, and from GitHub to where GitHub keeps files: there is no other way to the
    /// files of its releases.
    pub(super) fn redirected(&self, location: &str) -> Result<Self, String> {
        let elsewhere = || location.escape_debug().to_string();
        let to = if Self::is_meant(location) {
            location.parse().ok().map(Self)
        } else {
            self.leading_to(location)
        };
        let to = to.ok_or_else(elsewhere)?;
        let is_github = self.is_encrypted()
            && to.is_encrypted()
            && GITHUB.contains(&self.host())
            && to.host().ends_with(FILES_OF_GITHUB);
        if self.is_of_one_origin_with(&to) || is_github {
            Ok(to)
        } else {
            Err(to.origin_shown())
        }
    }

    fn leading_to(&self, path: &str) -> Option<Self> {
        let path = if path.starts_with('/') {
            path.to_owned()
        } else {
            let own = self.0.path();
            format!("{}{path}", &own[..=own.rfind('/')?])
        };
        let mut parts = self.0.clone().into_parts();
        parts.path_and_query = Some(path.parse().ok()?);
        Uri::from_parts(parts).ok().map(Self)
    }

    fn origin(&self) -> (Option<&str>, String, Option<u16>) {
        let usual = if self.is_encrypted() { 443 } else { 80 };
        (
            self.0.scheme_str(),
            self.host().to_ascii_lowercase(),
            self.0.port_u16().or(Some(usual)),
        )
    }

    fn origin_shown(&self) -> String {
        let port = self.0.port().map(|port| format!(":{port}"));
        format!(
            "{}://{}{}",
            self.0.scheme_str().unwrap_or_default(),
            self.host(),
            port.unwrap_or_default()
        )
    }
}

impl FromStr for Address {
    type Err = Unfit;

    fn from_str(text: &str) -> Result<Self, Unfit> {
        let uri: Uri = text.parse().map_err(|_| Unfit::NoAddress)?;
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().ok_or(Unfit::NoAddress)?;
        if !is_web || authority.host().is_empty() {
            return Err(Unfit::NoAddress);
        }
        if authority.as_str().contains('@') {
            return Err(Unfit::Credentials);
        }
        if uri.query().is_some() {
            return Err(Unfit::Query);
        }
        Ok(Self(uri))
    }
}

impl TryFrom<String> for Address {
    type Error = Unfit;

    fn try_from(text: String) -> Result<Self, Unfit> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.to_string()
    }
}

/// Without a query, which a redirect may carry as a key to what it leads to.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.origin_shown(), self.0.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse().expect("an address")
    }

    #[test]
    fn addresses_that_are_taken() {
        for (text, expected) in [
            ("https://example.org/a.zip", None),
            ("http://127.0.0.1:8080/a/b.zip", None),
            ("https://[::1]:1/a.zip", None),
            ("ftp://example.org/a", Some(Unfit::NoAddress)),
            ("file:///etc/passwd", Some(Unfit::NoAddress)),
            ("https://", Some(Unfit::NoAddress)),
            ("https://me:secret@example.org/a", Some(Unfit::Credentials)),
            ("https://example.org/a?token=1", Some(Unfit::Query)),
        ] {
            assert_eq!(text.parse::<Address>().err(), expected, "{text}");
        }
    }

    #[test]
    fn what_lies_beside_and_what_it_is_called() {
        let a = address("https://example.org/x/guard-1.0.0%2Bb.zip");
        assert_eq!(a.file_name().as_deref(), Some("guard-1.0.0+b.zip"));
        let text = |address: Option<Address>| address.map(|address| address.to_string());
        assert_eq!(
            text(a.extended("sha256")).as_deref(),
            Some("https://example.org/x/guard-1.0.0%2Bb.zip.sha256")
        );
        assert_eq!(
            text(a.beside("minisign.pub")).as_deref(),
            Some("https://example.org/x/minisign.pub")
        );
        assert_eq!(address("https://example.org/x/").file_name(), None);
        assert_eq!(
            text(address("https://example.org/api/").below("repos/a")).as_deref(),
            Some("https://example.org/api/repos/a")
        );
    }

    #[test]
    fn redirects_stay_where_they_began() {
        for (from, location, is_fine) in [
            ("https://example.org/a", "/b", true),
            ("https://example.org/a", "b", true),
            (
                "https://example.org/a",
                "https://EXAMPLE.org:443/b?x=1",
                true,
            ),
            ("https://example.org/a", "https://example.org:444/b", false),
            ("https://example.org/a", "http://example.org/b", false),
            ("http://example.org/a", "https://example.org/b", false),
            (
                "https://example.org/a",
                "https://example.org.evil.net/b",
                false,
            ),
            ("https://example.org/a", "//evil.net/b", true),
            (
                "https://github.com/o/r/releases/download/v1/a.zip",
                "https://release-assets.githubusercontent.com/x?jwt=1",
                true,
            ),
            (
                "http://github.com/a.zip",
                "https://release-assets.githubusercontent.com/x",
                false,
            ),
            (
                "https://github.com/a",
                "https://evilgithubusercontent.com/x",
                false,
            ),
            (
                "https://evil.net/a",
                "https://x.githubusercontent.com/x",
                false,
            ),
        ] {
            let to = address(from).redirected(location);
            assert_eq!(to.is_ok(), is_fine, "{from} -> {location}: {to:?}");
            // A path that begins with two slashes is one of the same host here.
            if let Ok(to) = to {
                assert!(to.host() != "evil.net");
            }
        }
    }
}
