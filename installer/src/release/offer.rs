//! What a server offers as a release of hookkit: its list first, and its archive only as that says.

use super::{ARE_FOR_TESTS, List};
use crate::net::{Address, Client};
use crate::outcome::Stop;
use anyhow::Context as _;
use hookkit::digest::sha256;
use hookkit_launchers::Target;

const MOST_OF_A_LIST: u64 = 256 << 10;
const MOST_OF_A_SIGNATURE: u64 = 16 << 10;
/// Both programs and the dispatchers of all machines.
const MOST_OF_AN_ARCHIVE: u64 = 64 << 20;

/// A release that one of the accepted keys vouches for.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) list: List,
    base: Address,
}

/// The archive of a release, for this machine, as its list says.
pub(crate) struct Archive {
    pub(crate) name: String,
    /// The folder in it that holds everything; none in a zip.
    pub(crate) stem: String,
    pub(crate) bytes: Vec<u8>,
}

/// Where releases are, and whether this hookkit may take one from there.
pub(crate) fn base(text: &str) -> Result<Address, Stop> {
    let base: Address = text
        .parse()
        .map_err(|why| Stop::unusable(format!("`{text}`, where releases should be, {why}")))?;
    if ARE_FOR_TESTS && !base.is_loopback() {
        return Err(Stop::refused(format!(
            "this hookkit was built from source, and takes no release from {base}; get a released \
             one by install.sh or install.ps1"
        )));
    }
    Ok(base)
}

impl Offer {
    /// The newest release that is offered, or this version.
    pub(crate) fn fetch(
        base: Address,
        version: Option<&str>,
        client: &Client,
    ) -> Result<Self, Stop> {
        let at = match version {
            Some(version) => place(version),
            None => "latest/download".to_owned(),
        };
        let named = |name: &str| below(&base, &format!("{at}/{name}"));
        let (address, signed) = (
            named(List::NAME)?,
            named(&format!("{}.minisig", List::NAME))?,
        );
        let list = client.get(&address, MOST_OF_A_LIST)?;
        let signature = client.find(&signed, MOST_OF_A_SIGNATURE)?;
        let refused = |why: String| {
            Stop::refused(format!(
                "{address} is not taken for a release of hookkit: {why}. Nothing was changed"
            ))
        };
        let signature = signature.ok_or_else(|| refused("it is not signed".to_owned()))?;
        let signature = String::from_utf8_lossy(&signature);
        let list = List::vouched(&list, &signature).map_err(|why| refused(why.to_string()))?;
        if let Some(version) = version.filter(|version| *version != list.version) {
            return Err(refused(format!(
                "it is the list of {}, and {version} was asked for",
                list.version
            )));
        }
        Ok(Self { list, base })
    }

    /// Gets the archive for this machine.
    pub(crate) fn archive(&self, client: &Client) -> Result<Archive, Stop> {
        let version = &self.list.version;
        let target = Target::of_this_machine()
            .ok_or_else(|| Stop::unusable("there are no releases for this machine"))?;
        let stem = format!("hookkit-{version}-{}", machine(target));
        let ending = if target == Target::Windows {
            "zip"
        } else {
            "tar.gz"
        };
        let name = format!("{stem}.{ending}");
        let wanted = self.list.sum(&name).ok_or_else(|| {
            Stop::refused(format!(
                "hookkit {version} has no {name} in its list, so there is none for this machine. \
                 Nothing was changed"
            ))
        })?;
        let address = below(&self.base, &format!("{}/{name}", place(version)))?;
        let bytes = client.get(&address, MOST_OF_AN_ARCHIVE)?;
        let found = sha256(&bytes);
        if found != wanted {
            return Err(Stop::refused(format!(
                "{address} has the sha256 {found}, and the signed list says {wanted}: it was cut or \
                 changed on its way, or is another file under this name. Nothing was changed"
            )));
        }
        Ok(Archive { name, stem, bytes })
    }
}

/// The folder of a release, below where releases are.
fn place(version: &str) -> String {
    format!("download/v{version}")
}

fn below(base: &Address, path: &str) -> Result<Address, Stop> {
    Ok(base
        .below(path)
        .with_context(|| format!("{base}/{path} is no address"))?)
}

/// How the archive for a machine is called.
const fn machine(target: Target) -> &'static str {
    match target {
        Target::LinuxX86_64 => "x86_64-unknown-linux-musl",
        Target::LinuxAarch64 => "aarch64-unknown-linux-musl",
        Target::Macos => "universal-apple-darwin",
        Target::Windows => "x86_64-pc-windows-gnu",
    }
}
