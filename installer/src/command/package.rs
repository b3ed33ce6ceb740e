//! `hookkit package`: a portable tree as one file.

use super::Context;
use super::source::{self, Source};
use crate::archive::{self, Moment};
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::plugin::{self, Plugin};
use crate::screen::{self, BOLD, DIM};
use crate::signature::{self, EXTENSION, PUBLIC_KEY, Signed, sum_line};
use crate::tree::{Layout, Tree};
use anyhow::Context as _;
use clap::Args;
use fs_err as fs;
use hookkit::digest::sha256;
use hookkit_dispatch::manifest::Manifest;
use hookkit_launchers::managed::{self, System};
use hookkit_launchers::{File, Target};
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// Make one file of a plugin, which others can verify and install
///
/// Builds the portable tree and packs it as NAME-VERSION.zip, with NAME-VERSION.zip.sha256 beside
/// it in the form that `sha256sum -c` reads. The same plugin and the same dispatchers make the same
/// bytes, on every machine: every file has the time of SOURCE_DATE_EPOCH, else 1980-01-01, and the
/// mode that its role asks for.
///
/// With --sign-key a signature is written too, NAME-VERSION.zip.minisig, in the format of minisign.
/// It covers the file's name, so that the file cannot be renamed. `hookkit verify` and `minisign -V`
/// check it with the public key, which is what you publish where people trust you; it is written
/// beside the package too (minisign.pub), for who has to be shown a new key. A key made by
/// `hookkit keygen` has no password and works unattended; for one with a password you are asked on
/// the terminal.
///
/// With --managed it is what an administrator rolls out: NAME-VERSION-SYSTEM.zip, whose paths are
/// below the root of the system (on Windows of drive C). In it are the plugin's folder, which users
/// must not be able to write, the files that tell Claude Code and Copilot CLI, a fragment for Codex's
/// requirements.toml, and a script that says file by file what is in place. hookkit places none of it.
///
/// Files of the same names are replaced.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Package {
    #[command(flatten)]
    source: Source,
    /// Where the files go [default: DIR/dist]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Sign the package with this secret key
    #[arg(long, value_name = "FILE")]
    sign_key: Option<PathBuf>,
    /// Make what an administrator rolls out on linux, macos or windows
    #[arg(long, value_name = "SYSTEM")]
    managed: Option<System>,
}

const EXAMPLES: &str = "\
Examples:
  hookkit package --targets all --dispatcher release/
  hookkit package --sign-key ~/keys/minisign.key
  hookkit package --managed linux --dispatcher release/
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) hookkit package --out release";

/// A part of a path that is longer is too long for some disks when something is added to it.
const LONGEST_NAME: usize = 100;

/// What is longer does not fit below a user's folder on Windows, which stops at 260.
const LONGEST_PATH: usize = 120;

impl Package {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        let plugin = self.source.open(context)?;
        let manifest = match source::faultless(&plugin) {
            Ok(manifest) => manifest,
            Err(outcome) => return Ok(outcome),
        };
        let moment = context.env.get("SOURCE_DATE_EPOCH");
        let moment = Moment::of(
            moment
                .as_deref()
                .map(|text| text.to_string_lossy())
                .as_deref(),
        )
        .map_err(Stop::unusable)?;
        let key = match &self.sign_key {
            Some(file) => Some(fs::read_to_string(file)?),
            None => None,
        };
        let shown = self
            .out
            .clone()
            .unwrap_or_else(|| plugin.shown.join("dist"));
        let out = plugin::absolute(&shown, &context.env)?;
        source::keeps_out(&plugin, &out, &shown)?;
        let files = self.files(&plugin, &manifest, &out, context)?;
        let bytes = archive::write(&files, moment)?;
        acceptable(&bytes)?;
        let system = self
            .managed
            .map_or_else(String::new, |system| format!("-{system}"));
        let name = format!("{}-{}{system}.zip", manifest.name, manifest.version);
        let signed = match (&key, &self.sign_key) {
            (Some(key), Some(file)) => {
                let can_ask = std::io::stdin().is_terminal();
                let signed = signature::sign(&bytes, &name, moment.seconds(), key, can_ask)
                    .with_context(|| file.display().to_string());
                Some(signed?)
            }
            _ => None,
        };
        let package = Written {
            sum: sha256(&bytes),
            name,
            bytes,
            signed,
        };
        package
            .write(&out)
            .map_err(|why| Stop::Failed(why.into()))?;
        if context.detail > Detail::Quiet {
            screen::print(&package.report(&shown, files.len()))?;
        }
        Ok(Outcome::Done)
    }

    /// What is packed, in the order of the paths.
    fn files(
        &self,
        plugin: &Plugin,
        manifest: &Manifest,
        out: &Path,
        context: &Context,
    ) -> Result<Vec<File>, Stop> {
        let machines = &self.source.machines;
        let Some(system) = self.managed else {
            let tree = machines.compose(plugin, manifest, Layout::Portable, out, context)?;
            fits_everywhere(&tree)?;
            return Ok(tree.files.into_values().collect());
        };
        let layout = Layout::Managed(system);
        let others: Vec<Target> = machines
            .targets(layout)?
            .into_iter()
            .filter(|target| !system.targets().contains(target))
            .collect();
        if let Some(other) = others.first() {
            return Err(Stop::unusable(format!(
                "--targets: {other} does not run {system}"
            )));
        }
        let tree = machines.compose(plugin, manifest, layout, out, context)?;
        fits_everywhere(&tree)?;
        Ok(managed::files(
            manifest,
            system,
            tree.files.values(),
            sha256,
        ))
    }
}

/// A package and what goes beside it.
struct Written {
    name: String,
    bytes: Vec<u8>,
    sum: String,
    signed: Option<Signed>,
}

impl Written {
    /// Writes all files. What vouches for the package goes first out and last in, so that it never
    /// stands beside another package.
    fn write(&self, out: &Path) -> std::io::Result<()> {
        fs::create_dir_all(out)?;
        let beside = |extension: &str| out.join(format!("{}.{extension}", self.name));
        for extension in [EXTENSION, "sha256"] {
            match fs::remove_file(beside(extension)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        write_whole(&out.join(&self.name), &self.bytes)?;
        write_whole(
            &beside("sha256"),
            sum_line(&self.sum, &self.name).as_bytes(),
        )?;
        if let Some(signed) = &self.signed {
            write_whole(&out.join(PUBLIC_KEY), signed.public.as_bytes())?;
            write_whole(&beside(EXTENSION), signed.text.as_bytes())?;
        }
        Ok(())
    }

    fn report(&self, shown: &Path, count: usize) -> String {
        let file = shown.join(&self.name);
        let signed = match &self.signed {
            Some(signed) => format!(
                "by key {}\n\nWho has your public key checks it by\n  hookkit verify {} --key \
                 minisign.pub",
                signed.key, self.name
            ),
            None => "no; `hookkit keygen` makes a key, and --sign-key signs with it".to_owned(),
        };
        format!(
            "Packed {count} files in {BOLD}{}{BOLD:#}, {} bytes\n  {DIM}sha256{DIM:#}  {}\n  \
             {DIM}signed{DIM:#}  {signed}\n",
            file.display(),
            self.bytes.len(),
            self.sum
        )
    }
}

fn fits_everywhere(tree: &Tree) -> Result<(), Stop> {
    let too_long: Vec<String> = tree
        .files
        .keys()
        .filter(|path| {
            let longest = path.split('/').map(str::len).max().unwrap_or_default();
            path.len() > LONGEST_PATH || longest > LONGEST_NAME
        })
        .map(ToString::to_string)
        .collect();
    if too_long.is_empty() {
        return Ok(());
    }
    Err(Stop::refused(format!(
        "these paths are too long for some systems (more than {LONGEST_PATH} bytes, or a part of \
         more than {LONGEST_NAME}); shorten them:\n  {}",
        too_long.join("\n  ")
    )))
}

/// What nobody could verify is not written.
fn acceptable(bytes: &[u8]) -> Result<(), Stop> {
    archive::Archive::read(bytes.to_vec())
        .map(drop)
        .map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Stop::refused(format!(
                "the package would be refused by everybody:\n  {}",
                lines.join("\n  ")
            ))
        })
}

/// Writes a file that is then there whole, or as it was before.
fn write_whole(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut draft = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        draft.permissions(std::fs::Permissions::from_mode(0o644));
    }
    let mut draft = draft
        .prefix(".hookkit-package-")
        .tempfile_in(file.parent().unwrap_or(file))?;
    draft.write_all(bytes)?;
    draft.persist(file)?;
    Ok(())
}
