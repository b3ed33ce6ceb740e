//! What a person names as the source of a plugin.

use super::release::{Release, is_package};
use crate::net::Address;
use crate::outcome::Stop;
use crate::plugin::absolute;
use hookkit_dispatch::env::Env;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a plugin comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    /// A plugin's folder, or a portable tree: a person's own, which nobody has to vouch for.
    Folder(PathBuf),
    /// A package on this machine.
    File(PathBuf),
    /// A package on a server.
    Address(Address),
    /// The package of a release.
    Release(Release),
}

impl Source {
    /// What is on the disk comes first: `owner/repo` is a folder where there is one.
    pub(crate) fn named(text: &str, env: &Env) -> Result<Self, Stop> {
        if Address::is_meant(text) {
            return match text.parse() {
                Ok(address) => Ok(Self::Address(address)),
                Err(why) => Err(Stop::unusable(format!(
                    "{} {why}",
                    without_credentials(text)
                ))),
            };
        }
        let path = Path::new(text);
        if is_package(text) && !absolute(path, env)?.is_dir() {
            return Ok(Self::File(absolute(path, env)?));
        }
        match Release::named(text) {
            Some(release) if !absolute(path, env)?.exists() => Ok(Self::Release(release)),
            _ => Ok(Self::Folder(path.to_owned())),
        }
    }
}

/// An address as it may be shown.
fn without_credentials(text: &str) -> String {
    match (text.split_once("://"), text.rfind('@')) {
        (Some((scheme, _)), Some(at)) => format!("{scheme}://...{}", &text[at..]),
        _ => text.to_owned(),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Folder(path) | Self::File(path) => path.display().fmt(f),
            Self::Address(address) => address.fmt(f),
            Self::Release(release) => release.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = |path: &str| folder.path().join(path);
        fs_err::create_dir_all(inside("there/too")).expect("a folder");
        fs_err::create_dir_all(inside("a.zip")).expect("a folder");
        let env = Env::given(Vec::new(), folder.path().to_owned(), PathBuf::new());
        let named = |text: &str| Source::named(text, &env).expect(text);
        for text in [
            ".",
            "there",
            "there/too",
            "a.zip",
            "/nowhere",
            "./owner/repo",
        ] {
            assert_eq!(named(text), Source::Folder(text.into()), "{text}");
        }
        assert_eq!(named("b.zip"), Source::File(inside("b.zip")));
        assert!(matches!(
            named("https://example.org/a.zip"),
            Source::Address(_)
        ));
        for text in ["owner/repo", "owner/repo@v1.0.0", "owner/repo@guard/v1"] {
            assert!(matches!(named(text), Source::Release(_)), "{text}");
            assert_eq!(named(text).to_string(), text);
        }
        let refused = Source::named("https://me:secret@example.org/a.zip", &env);
        let why = refused.expect_err("a password").to_string();
        assert!(
            why.contains("...@example.org") && !why.contains("secret"),
            "{why}"
        );
    }

    #[test]
    fn a_receipt_keeps_it() {
        for text in [
            "https://example.org/a.zip",
            "owner/repo@v1",
            "owner/repo",
            "dir",
        ] {
            let env = Env::given(Vec::new(), "/".into(), PathBuf::new());
            let source = Source::named(text, &env).expect(text);
            let kept = serde_json::to_string(&source).expect("JSON");
            assert_eq!(
                serde_json::from_str::<Source>(&kept).expect("a source"),
                source
            );
        }
        assert!(serde_json::from_str::<Source>(r#"{"address": "ftp://a/b"}"#).is_err());
        assert!(serde_json::from_str::<Source>(r#"{"release": "../../x"}"#).is_err());
    }
}
