//! `owner/repo[@tag]`: the package of a release, found by GitHub's API.
//!
//! The API: `GET /repos/OWNER/REPO/releases/latest` and `.../releases/tags/TAG` give `tag_name` and
//! `assets` with `name` and `browser_download_url`
//! (<https://docs.github.com/en/rest/releases/releases>). Other servers that speak so are named by
//! `HOOKKIT_RELEASE_URL`.

use crate::net::{Address, Client};
use crate::outcome::Stop;
use anyhow::Context as _;
use hookkit_dispatch::env::Env;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

const VARIABLE: &str = "HOOKKIT_RELEASE_URL";
const GITHUB: &str = "https://api.github.com";

/// More than the description of a release has.
const MOST_BYTES: u64 = 4 << 20;

/// A release, or the latest one where there is no tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Release {
    owner: String,
    repository: String,
    tag: Option<String>,
}

/// A package of a release.
pub(super) struct Found {
    pub(super) address: Address,
    pub(super) tag: String,
}

#[derive(Deserialize)]
struct Described {
    tag_name: String,
    #[serde(default)]
    assets: Vec<Asset>,
}

#[derive(Deserialize)]
struct Asset {
    name: String,
    browser_download_url: String,
}

impl Release {
    /// `owner/repo` or `owner/repo@tag`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let (place, tag) = match text.split_once('@') {
            Some((place, tag)) => (place, Some(tag)),
            None => (text, None),
        };
        let (owner, repository) = place.split_once('/')?;
        let is_name = |name: &str| {
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            !name.is_empty() && !name.starts_with('.') && name.chars().all(fits)
        };
        let is_tag = |tag: &str| {
            let fits = |c: char| {
                c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/' | '@')
            };
            !tag.is_empty() && tag.chars().all(fits) && !tag.split('/').any(|part| part == "..")
        };
        (is_name(owner) && is_name(repository) && tag.is_none_or(is_tag)).then(|| Self {
            owner: owner.to_owned(),
            repository: repository.to_owned(),
            tag: tag.map(str::to_owned),
        })
    }

    /// The package of this plugin, or the only one that there is.
    pub(super) fn find(
        &self,
        plugin: Option<&str>,
        env: &Env,
        client: &Client,
    ) -> Result<Found, Stop> {
        let base = base(env)?;
        let which = match &self.tag {
            Some(tag) => format!("tags/{tag}"),
            None => "latest".to_owned(),
        };
        let about = base
            .below(&format!(
                "repos/{}/{}/releases/{which}",
                self.owner, self.repository
            ))
            .with_context(|| format!("{self} makes no address"))?;
        let described = client.get(&about, MOST_BYTES)?;
        let described: Described = serde_json::from_slice(&described)
            .with_context(|| format!("{about} does not describe a release as GitHub does"))?;
        let packages: Vec<&Asset> = described
            .assets
            .iter()
            .filter(|asset| is_package(&asset.name))
            .filter(|asset| plugin.is_none_or(|plugin| is_of(&asset.name, plugin)))
            .collect();
        let package = match packages[..] {
            [package] => package,
            [] => {
                return Err(Stop::unusable(format!(
                    "the release {} of {}/{} has no package (a .zip that `hookkit package` made)",
                    described.tag_name, self.owner, self.repository
                )));
            }
            _ => {
                let names: Vec<&str> = packages.iter().map(|asset| &*asset.name).collect();
                return Err(Stop::refused(format!(
                    "the release {} of {}/{} has several packages: {}. Name the address of one",
                    described.tag_name,
                    self.owner,
                    self.repository,
                    names.join(", ")
                )));
            }
        };
        let address: Address = package.browser_download_url.parse().map_err(|why| {
            Stop::unusable(format!(
                "{about} leads to {} for {}, which {why}",
                package.browser_download_url, package.name
            ))
        })?;
        if !is_at_home(&base, &address) {
            return Err(Stop::refused(format!(
                "{about} leads to {address}, which is another server, so nothing was fetched from \
                 there. Name that address if you trust it"
            )));
        }
        Ok(Found {
            address,
            tag: described.tag_name,
        })
    }
}

/// The API of the server with the releases.
fn base(env: &Env) -> Result<Address, Stop> {
    let named = env.get(VARIABLE);
    let text = named.as_ref().map(|text| text.to_string_lossy());
    let text = text.as_deref().unwrap_or(GITHUB);
    text.parse()
        .map_err(|why| Stop::unusable(format!("{VARIABLE} is `{text}`, which {why}")))
}

/// GitHub's API and its files are on two hosts of the same name.
fn is_at_home(base: &Address, file: &Address) -> bool {
    base.is_of_one_origin_with(file)
        || base.to_string().trim_end_matches('/') == GITHUB
            && file.to_string().starts_with("https://github.com/")
}

pub(super) fn is_package(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// `NAME-VERSION.zip`, and no longer name before the version.
fn is_of(file: &str, plugin: &str) -> bool {
    let rest = file
        .strip_prefix(plugin)
        .and_then(|rest| rest.strip_prefix('-'));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The version that a tag promises: `v1.2.0`, `guard-1.2.0`, `guard/v1.2.0`, `guard@1.2.0`.
pub(super) fn version<'t>(tag: &'t str, plugin: &str) -> &'t str {
    let tag = tag.rsplit(['/', '@']).next().unwrap_or(tag);
    let own = tag
        .strip_prefix(plugin)
        .and_then(|rest| rest.strip_prefix('-'));
    own.unwrap_or(tag)
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.repository)?;
        self.tag.iter().try_for_each(|tag| write!(f, "@{tag}"))
    }
}

impl TryFrom<String> for Release {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::named(&text).ok_or_else(|| format!("`{text}` is no owner/repo[@tag]"))
    }
}

impl From<Release> for String {
    fn from(release: Release) -> Self {
        release.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_plugin_and_versions_of_tags() {
        assert!(is_of("guard-1.0.0.zip", "guard"));
        assert!(!is_of("guard-rails-1.0.0.zip", "guard"));
        assert!(is_of("guard-rails-1.0.0.zip", "guard-rails"));
        for tag in ["1.2.0", "guard-1.2.0", "guard@1.2.0", "a/guard/1.2.0"] {
            assert_eq!(version(tag, "guard"), "1.2.0", "{tag}");
        }
        assert_eq!(version("guard-v1.2.0", "guard"), "v1.2.0");
        assert_eq!(version("nightly", "guard"), "nightly");
    }

    #[test]
    fn files_come_from_the_server_that_was_asked() {
        let at_home = |base: &str, file: &str| {
            is_at_home(&base.parse().expect("base"), &file.parse().expect("file"))
        };
        assert!(at_home(
            GITHUB,
            "https://github.com/o/r/releases/download/v1/a.zip"
        ));
        assert!(!at_home(GITHUB, "http://github.com/o/r/a.zip"));
        assert!(!at_home(GITHUB, "https://github.com.evil.net/a.zip"));
        assert!(at_home(
            "https://git.example.org/api/v3",
            "https://git.example.org/o/a.zip"
        ));
        assert!(!at_home(
            "https://git.example.org/api/v3",
            "https://github.com/o/a.zip"
        ));
    }
}
