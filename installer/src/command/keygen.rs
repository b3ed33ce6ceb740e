//! `hookkit keygen`: a pair of keys to sign packages with.

use super::Context;
use crate::cli::EXIT_CODES;
use crate::outcome::{Outcome, Stop};
use crate::plugin;
use crate::screen::{self, BOLD};
use crate::signature::{self, Keys};
use clap::Args;
use fs_err as fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Make a pair of keys, to sign packages with
///
/// Writes minisign.key, the secret one, and minisign.pub, the public one, in the format of minisign
/// (ed25519). Keys made by `minisign -G` work as well.
///
/// The secret key has no password, so that a machine can sign with it: its file can be read by you
/// alone, and belongs into a store of secrets. If you sign by hand, protect it with a password by
/// `minisign -C -s minisign.key`; `hookkit package` then asks for it.
///
/// Who installs your packages trusts the public key: publish it where people know that it is yours,
/// and keep the secret one as long as you publish. Updates that are signed with another key are
/// refused.
///
/// Existing files are never replaced, and no key is written into a git repository.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Keygen {
    /// The folder for the two files
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  hookkit keygen --out ~/keys
  hookkit package --sign-key ~/keys/minisign.key";

const SECRET: &str = "minisign.key";
const PUBLIC: &str = signature::PUBLIC_KEY;

impl Keygen {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        let out = plugin::absolute(&self.out, &context.env)?;
        let real = hookkit_dispatch::folder::real(&out);
        if let Some(repository) = real.ancestors().find(|above| above.join(".git").exists()) {
            return Err(Stop::refused(format!(
                "{} is a git repository, in which a secret key would be committed sooner or later; \
                 name another folder with --out",
                repository.display()
            )));
        }
        let (secret, public) = (out.join(SECRET), out.join(PUBLIC));
        for file in [&secret, &public] {
            if file.symlink_metadata().is_ok() {
                return Err(Stop::refused(format!(
                    "{} exists, and no key is ever replaced; name another folder with --out",
                    file.display()
                )));
            }
        }
        let keys = Keys::generate().map_err(|why| Stop::Failed(why.into()))?;
        fs::create_dir_all(&out)?;
        write(&secret, &keys.secret, 0o600).map_err(|why| Stop::Failed(why.into()))?;
        write(&public, &keys.public, 0o644).map_err(|why| {
            let _ = fs::remove_file(&secret);
            Stop::Failed(why.into())
        })?;
        screen::print(&format!(
            "Made key {BOLD}{}{BOLD:#}\n  {}  secret, without a password: keep it in a store of \
             secrets\n  {}  public: publish it\n",
            keys.id,
            self.out.join(SECRET).display(),
            self.out.join(PUBLIC).display()
        ))?;
        Ok(Outcome::Done)
    }
}

#[cfg(unix)]
fn write(file: &Path, text: &str, mode: u32) -> io::Result<()> {
    use fs_err::os::unix::fs::OpenOptionsExt as _;
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(file)?;
    file.write_all(text.as_bytes())
}

/// A user's folders are closed to others on Windows.
#[cfg(not(unix))]
fn write(file: &Path, text: &str, _: u32) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).open(file)?;
    file.write_all(text.as_bytes())
}
