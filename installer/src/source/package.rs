//! A package as it came, with what lies beside it.

use super::named::Source;
use super::release::Release;
use crate::archive::MOST_BYTES;
use crate::net::{Address, Client};
use crate::outcome::Stop;
use crate::signature::{EXTENSION, PUBLIC_KEY};
use fs_err as fs;
use hookkit_dispatch::env::Env;
use std::io::{self, Read as _};
use std::path::Path;

/// More than a sum, a signature or a key has.
const MOST_BESIDE: u64 = 16 << 10;

/// A package in memory. Nothing of it has been believed yet.
pub(crate) struct Package {
    /// The name that its signature covers.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// Where it was found, for messages.
    pub(super) shown: String,
    /// The version that the release's name promises.
    pub(super) promised: Option<String>,
    pub(super) sum: Option<String>,
    pub(super) signature: Option<String>,
    pub(super) public_key: Option<String>,
}

impl Package {
    /// The package that a source names; none for a folder. `plugin` is the one that it should hold,
    /// where that is known.
    pub(crate) fn of(
        source: &Source,
        plugin: Option<&str>,
        env: &Env,
        client: impl FnOnce() -> Result<Client, Stop>,
    ) -> Result<Option<Self>, Stop> {
        match source {
            Source::Folder(_) => Ok(None),
            Source::File(file) => Self::on_disk(file).map(Some),
            Source::Address(address) => {
                Self::fetched(address, source.to_string(), None, &client()?).map(Some)
            }
            Source::Release(release) => Self::released(release, plugin, env, &client()?).map(Some),
        }
    }

    fn on_disk(file: &Path) -> Result<Self, Stop> {
        let shown = file.display().to_string();
        let name = file.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| Stop::unusable(format!("{shown} has no name that is text")))?;
        let beside = |name: &str| read(&file.with_file_name(name), MOST_BESIDE);
        Ok(Self {
            bytes: read(file, MOST_BYTES)?
                .ok_or_else(|| Stop::unusable(format!("{shown} is not there")))?,
            sum: text(beside(&format!("{name}.sha256"))?),
            signature: text(beside(&format!("{name}.{EXTENSION}"))?),
            public_key: text(beside(PUBLIC_KEY)?),
            name: name.to_owned(),
            shown,
            promised: None,
        })
    }

    fn fetched(
        address: &Address,
        shown: String,
        promised: Option<String>,
        client: &Client,
    ) -> Result<Self, Stop> {
        let name = address
            .file_name()
            .ok_or_else(|| Stop::unusable(format!("{address} names no file")))?;
        // What vouches for it is small, and comes first.
        let beside = |place: Option<Address>| match place {
            Some(place) => client.find(&place, MOST_BESIDE).map(text),
            None => Ok(None),
        };
        let signature = beside(address.extended(EXTENSION))?;
        let sum = beside(address.extended("sha256"))?;
        let public_key = if signature.is_some() {
            beside(address.beside(PUBLIC_KEY))?
        } else {
            None
        };
        Ok(Self {
            bytes: client.get(address, MOST_BYTES)?,
            name,
            shown,
            promised,
            sum,
            signature,
            public_key,
        })
    }

    fn released(
        release: &Release,
        plugin: Option<&str>,
        env: &Env,
        client: &Client,
    ) -> Result<Self, Stop> {
        let found = release.find(plugin, env, client)?;
        let shown = format!("{release}, {}", found.address);
        Self::fetched(&found.address, shown, Some(found.tag), client)
    }
}

fn text(bytes: Option<Vec<u8>>) -> Option<String> {
    // What is no text is no signature either, and is refused as one.
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A file of at most that many bytes, if it is there.
fn read(file: &Path, most: u64) -> Result<Option<Vec<u8>>, Stop> {
    let opened = match fs::File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut bytes = Vec::new();
    opened.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Stop::unusable(format!(
            "{} has more than {most} bytes, which is too much for what it should be",
            file.display()
        )));
    }
    Ok(Some(bytes))
}
