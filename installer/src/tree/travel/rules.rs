//! What the globs of a manifest choose, what is left all the same, and what looks like a secret.

use anyhow::{Context as _, Result};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use hookkit_dispatch::manifest::Manifest;
use hookkit_dispatch::root::MANIFEST;

/// What travels when the manifest has no `files`.
const DEFAULT: &[&str] = &["README*", "LICENSE*", "LICENCE*", "CHANGELOG*", "hooks/**"];

/// What the default leaves behind all the same.
const LEFT_BY_DEFAULT: &[&str] = &[
    "**/.*",
    "**/.*/**",
    "**/node_modules/**",
    "**/{test,tests,__tests__}/**",
    "**/{test_*,*_test,*.test,*.spec}.*",
];

/// What never travels, whatever the globs say: what tools make anew, what is no part of a plugin,
/// and attributes, of which a tree has its own.
const NEVER: &[&str] = &[
    "**/.git",
    "**/.git/**",
    "**/__pycache__/**",
    "**/*.pyc",
    "**/.DS_Store",
    "**/.gitattributes",
];

/// Names of files that hold keys or passwords.
const SECRETS: &[&str] = &[
    "**/.env",
    "**/.env.*",
    "**/*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk}",
    "**/{id_rsa,id_dsa,id_ecdsa,id_ed25519}*",
    "**/{.npmrc,.netrc,_netrc,.pypirc,.git-credentials,.htpasswd}",
    "**/.aws/credentials",
];

/// Names that only look like [`SECRETS`].
const NO_SECRETS: &[&str] = &["**/.env.{example,sample,template,dist}", "**/*.pub"];

/// The globs of one plugin.
pub(super) struct Rules {
    chosen: GlobSet,
    left: GlobSet,
    never: GlobSet,
    secrets: GlobSet,
    no_secrets: GlobSet,
}

impl Rules {
    pub(super) fn of(manifest: &Manifest) -> Result<Self> {
        Ok(Self {
            chosen: match &manifest.files {
                Some(globs) => globs_of(globs.iter().map(|glob| glob.trim_start_matches("./")))
                    .context("`files` of hookkit.json")?,
                None => globs_of(DEFAULT.iter().copied())?,
            },
            left: match &manifest.files {
                Some(_) => GlobSet::empty(),
                None => globs_of(LEFT_BY_DEFAULT.iter().copied())?,
            },
            never: globs_of(NEVER.iter().copied())?,
            secrets: globs_of(SECRETS.iter().copied())?,
            no_secrets: globs_of(NO_SECRETS.iter().copied())?,
        })
    }

    /// Does a file of this path travel?
    pub(super) fn choose(&self, path: &str) -> bool {
        path == MANIFEST
            || (self.chosen.is_match(path)
                && !self.left.is_match(path)
                && !self.never.is_match(path))
    }

    /// May something in a folder of this path travel? By the default only `hooks/` holds anything,
    /// so that other folders need not be walked through.
    pub(super) fn look_into(&self, path: &str) -> bool {
        let inside = format!("{path}/x");
        let is_default = !self.left.is_empty();
        !self.never.is_match(&inside)
            && !self.left.is_match(&inside)
            && (!is_default || path == "hooks" || path.starts_with("hooks/"))
    }

    /// Does a file of this path hold keys or passwords, by its name?
    pub(super) fn is_secret(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        self.secrets.is_match(&path) && !self.no_secrets.is_match(&path)
    }
}

fn globs_of<'g>(globs: impl IntoIterator<Item = &'g str>) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = GlobBuilder::new(glob)
            .literal_separator(true)
            .backslash_escape(true)
            .build()?;
        set.add(glob);
    }
    Ok(set.build()?)
}
