//! `cargo xtask release sign`: `SHA256SUMS.minisig`, by a key that the released hookkit accepts.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;
use lexopt::prelude::*;
use minisign::{PublicKey, SecretKey, SecretKeyBox};

use crate::sums::{self, Sums};
use crate::workspace::{Workspace, variable};

pub(super) fn run(workspace: &Workspace, mut arguments: lexopt::Parser) -> Result<()> {
    let (mut folder, mut key) = (None, None);
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("key") => key = Some(Key::File(arguments.value()?.into())),
            Long("key-env") => key = Some(Key::Variable(arguments.value()?.string()?)),
            Value(name) => folder = Some(PathBuf::from(name)),
            other => return Err(other.unexpected().into()),
        }
    }
    let folder = folder.context("the folder with SHA256SUMS is missing")?;
    let key = key.context("name a key, with --key FILE or --key-env VARIABLE")?;
    let secret = key.read()?;
    let public = accepted(workspace, &secret)?;
    let signature = signed(&folder, &secret, &public)?;
    let file = folder.join(format!("{}.minisig", sums::NAME));
    fs::write(&file, signature)?;
    println!("{}, by {}", file.display(), public.to_base64());
    Ok(())
}

/// Where the secret key is. It is never an argument, which others on the machine could see, and
/// never printed.
enum Key {
    File(PathBuf),
    Variable(String),
}

impl Key {
    fn read(&self) -> Result<SecretKey> {
        let (text, shown) = match self {
            Self::File(file) => (fs::read_to_string(file)?, file.display().to_string()),
            Self::Variable(name) => {
                let value = variable(name).with_context(|| format!("{name} is not set"))?;
                let text = value.into_string();
                (text.unwrap_or_default(), format!("the variable {name}"))
            }
        };
        // Of a text that is no key nothing is said: it may be a secret of another kind.
        let Ok(boxed) = SecretKeyBox::from_string(&text) else {
            bail!("{shown} holds no secret key in the format of minisign");
        };
        // The one of a file may have a password, which is then asked for.
        match (boxed.into_unencrypted_secret_key(), self) {
            (Ok(key), _) => Ok(key),
            (Err(_), Self::File(_)) => SecretKeyBox::from_string(&text)?
                .into_secret_key(None)
                .with_context(|| format!("{shown} cannot be opened")),
            (Err(_), Self::Variable(_)) => bail!(
                "{shown} holds a key that is damaged or has a password; `hookkit keygen` makes \
                 one without"
            ),
        }
    }
}

/// A signature that no installed hookkit accepts would leave everybody without the release.
fn accepted(workspace: &Workspace, secret: &SecretKey) -> Result<PublicKey> {
    let (name, hint) = if Workspace::is_release() {
        ("installer/keys/release.txt", "")
    } else {
        (
            "installer/keys/test.txt",
            "; a release is made and signed with HOOKKIT_RELEASE=1",
        )
    };
    let public = PublicKey::from_secret_key(secret)?;
    let accepted = fs::read_to_string(workspace.root.join(Path::new(name)))?;
    ensure!(
        accepted.lines().any(|line| line == public.to_base64()),
        "the key is none of {name}, so that no hookkit would accept what it signs{hint}"
    );
    Ok(public)
}

/// The signature covers the name of the list, and the list its version.
fn signed(folder: &Path, secret: &SecretKey, public: &PublicKey) -> Result<String> {
    let version = Sums::read(folder)?.version;
    let list = fs::read(folder.join(sums::NAME))?;
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let trusted = format!("timestamp:{seconds}\tfile:{}\thashed", sums::NAME);
    let untrusted = format!("signature of hookkit {version}");
    let signature = minisign::sign(
        Some(public),
        secret,
        Cursor::new(&list),
        Some(&trusted),
        Some(&untrusted),
    )?;
    minisign::verify(public, &signature, Cursor::new(&list), true, false, false)
        .context("the signature does not hold; is the key damaged?")?;
    Ok(signature.into_string())
}
