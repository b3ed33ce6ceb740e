//! Who made a file: its sum, and a signature in the format of minisign.
//!
//! Signatures are ed25519 over a BLAKE2b hash; `minisign -V` checks them as well
//! (<https://jedisct1.github.io/minisign/>). Each covers the file's name, in its trusted comment, so
//! that a signed older package cannot be passed off as another one by renaming it.

use ct_codecs::{Base64, Decoder as _};
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};
use std::fmt::{self, Write as _};
use std::io::Cursor;

/// The extension that is added to the name of a file for the file of its signature.
pub(crate) const EXTENSION: &str = "minisig";

/// The name of the file with the public key, which lies beside packages for those who have none.
pub(crate) const PUBLIC_KEY: &str = "minisign.pub";

/// A sum as `sha256sum` reads and writes it.
pub(crate) fn sum_line(sum: &str, name: &str) -> String {
    format!("{sum}  {name}\n")
}

/// A new pair of keys, each as the text of its file.
pub(crate) struct Keys {
    pub(crate) public: String,
    /// Without a password, so that a machine can sign.
    pub(crate) secret: String,
    pub(crate) id: String,
}

impl Keys {
    pub(crate) fn generate() -> Result<Self, minisign::PError> {
        let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair()?;
        Ok(Self {
            id: id(&pk),
            public: pk.to_box()?.into_string(),
            secret: sk
                .to_box(Some(
                    "minisign secret key without a password: keep it to yourself",
                ))?
                .into_string(),
        })
    }
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSigned {
    #[error("is no secret key in the format of minisign: {0}")]
    NoKey(minisign::PError),
    #[error(
        "has a password; an unattended run needs a key without one (`hookkit keygen`, or `minisign \
         -G -W`)"
    )]
    Locked,
    #[error("cannot sign: {0}")]
    Failed(minisign::PError),
}

/// What a key signed.
pub(crate) struct Signed {
    /// The text of the signature's file.
    pub(crate) text: String,
    pub(crate) key: String,
    /// The text of the public key's file.
    pub(crate) public: String,
}

/// Signs a file of this name.
///
/// The key is the text of its file. One with a password is asked for it on the terminal, if
/// `can_ask`.
pub(crate) fn sign(
    bytes: &[u8],
    name: &str,
    seconds: u64,
    key: &str,
    can_ask: bool,
) -> Result<Signed, NotSigned> {
    let secret = secret_key(key, can_ask)?;
    let public = PublicKey::from_secret_key(&secret).map_err(NotSigned::NoKey)?;
    let trusted = format!("timestamp:{seconds}\tfile:{name}\thashed");
    let signature = minisign::sign(
        Some(&public),
        &secret,
        Cursor::new(bytes),
        Some(&trusted),
        Some("signature from hookkit"),
    )
    .map_err(NotSigned::Failed)?;
    Ok(Signed {
        text: signature.into_string(),
        key: id(&public),
        public: public.to_box().map_err(NotSigned::Failed)?.into_string(),
    })
}

/// Reads a secret key.
///
/// One without a password is read without its checksum: `minisign -G -W` 0.11 leaves that empty. A
/// damaged key is found when its signature is checked.
fn secret_key(text: &str, can_ask: bool) -> Result<SecretKey, NotSigned> {
    /// Two bytes after the two of the algorithm: how a password becomes a key.
    const NO_PASSWORD: &[u8] = &[0, 0];
    let line = text.lines().nth(1).unwrap_or_default().trim();
    let bytes = Base64::decode_to_vec(line, None).unwrap_or_default();
    if bytes.get(2..4) == Some(NO_PASSWORD) {
        return SecretKey::from_bytes(&bytes).map_err(NotSigned::NoKey);
    }
    let boxed = SecretKeyBox::from_string(text).map_err(NotSigned::NoKey)?;
    if bytes.is_empty() || can_ask {
        boxed.into_secret_key(None).map_err(NotSigned::NoKey)
    } else {
        Err(NotSigned::Locked)
    }
}

/// A key's name, as minisign shows it.
fn id(key: &PublicKey) -> String {
    key.keynum()
        .iter()
        .rev()
        .fold(String::new(), |mut text, byte| {
            // Writing to a text does not fail.
            let _ = write!(text, "{byte:02X}");
            text
        })
}

/// Why a signature does not vouch for a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotVouched {
    #[error("is no signature in the format of minisign")]
    Unreadable,
    #[error("was made with another key")]
    OtherKey,
    #[error("does not fit: the file, or the signature, was changed")]
    Changed,
    #[error("is for {0}: the file was renamed")]
    Renamed(String),
    #[error("does not cover the file's name, so that a renamed file would pass")]
    Nameless,
}

/// A public key.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    key: minisign_verify::PublicKey,
    text: String,
}

impl Key {
    /// Reads the text of a key's file, or the key alone.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.trim().lines().next_back()?.trim().to_owned();
        let key = minisign_verify::PublicKey::from_base64(&text).ok()?;
        Some(Self { key, text })
    }

    /// The key itself, as its owner publishes it: its number could be made again by anybody.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Does this signature, by this key, vouch for a file of this name?
pub(crate) fn vouch(
    bytes: &[u8],
    name: &str,
    signature: &str,
    key: &Key,
) -> Result<(), NotVouched> {
    use minisign_verify::{Error, Signature};
    let signature = Signature::decode(signature).map_err(|_| NotVouched::Unreadable)?;
    key.key
        .verify(bytes, &signature, false)
        .map_err(|why| match why {
            Error::UnexpectedKeyId => NotVouched::OtherKey,
            Error::InvalidSignature => NotVouched::Changed,
            _ => NotVouched::Unreadable,
        })?;
    // Only now the trusted comment is what the key's owner wrote.
    let said = signature
        .trusted_comment()
        .split('\t')
        .find_map(|part| part.strip_prefix("file:"));
    match said {
        Some(said) if said == name => Ok(()),
        Some(said) => Err(NotVouched::Renamed(said.to_owned())),
        None => Err(NotVouched::Nameless),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_vouches_for_one_file_of_one_name() {
        let keys = Keys::generate().expect("keys");
        let other = Keys::generate().expect("other keys");
        let key = Key::read(&keys.public).expect("a public key");
        let signed = sign(b"content", "a.zip", 1_700_000_000, &keys.secret, false).expect("signed");
        assert_eq!(signed.key, keys.id);
        let text = &signed.text;
        assert_eq!(vouch(b"content", "a.zip", text, &key), Ok(()));
        assert_eq!(
            vouch(b"Content", "a.zip", text, &key),
            Err(NotVouched::Changed)
        );
        assert_eq!(
            vouch(b"content", "b.zip", text, &key),
            Err(NotVouched::Renamed("a.zip".into()))
        );
        let other = Key::read(&other.public).expect("a public key");
        assert_eq!(
            vouch(b"content", "a.zip", text, &other),
            Err(NotVouched::OtherKey)
        );
        let renamed = text.replace("file:a.zip", "file:b.zip");
        assert_eq!(
            vouch(b"content", "b.zip", &renamed, &key),
            Err(NotVouched::Changed)
        );
        assert_eq!(
            vouch(b"content", "a.zip", "", &key),
            Err(NotVouched::Unreadable)
        );
    }

    #[test]
    fn a_key_with_a_password_is_not_asked_for_it_without_a_terminal() {
        let keys = KeyPair::generate_encrypted_keypair(Some("secret".into())).expect("keys");
        let text = keys.sk.to_box(None).expect("a box").into_string();
        let signed = sign(b"content", "a.zip", 0, &text, false);
        assert!(matches!(signed, Err(NotSigned::Locked)));
        assert!(matches!(
            sign(b"", "a", 0, "no key", false),
            Err(NotSigned::NoKey(_))
        ));
    }

    #[test]
    fn sums_are_those_of_sha256sum() {
        assert_eq!(
            sum_line(&hookkit::digest::sha256(b"abc"), "abc.txt"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  abc.txt\n"
        );
    }
}
