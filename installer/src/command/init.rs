//! `hookkit init`: a plugin to begin with.

use super::Context;
use crate::cli::{Detail, EXIT_CODES};
use crate::outcome::{Outcome, Stop};
use crate::plugin;
use crate::screen::{self, BOLD};
use anyhow::Context as _;
use clap::Args;
use fs_err as fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Make a plugin to begin with
///
/// It has one hook, a gate in sh that denies forced pushes, and passes `hookkit check` and
/// `hookkit test`. The folder may exist and hold other things; a file that is there already is
/// never overwritten. The plugin is named after the folder.
#[derive(Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(crate) struct Init {
    /// The plugin's folder; made if it is not there
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  hookkit init my-guard
  hookkit test my-guard --all-hosts";

/// The files, by their paths. `NAME` in them is the plugin's name.
const FILES: [(&str, &str); 5] = [
    ("hookkit.json", include_str!("../starter/hookkit.json")),
    (
        "hooks/no_force_push.sh",
        include_str!("../starter/hooks/no_force_push.sh"),
    ),
    ("README.md", include_str!("../starter/README.md")),
    ("LICENSE", include_str!("../starter/LICENSE")),
    (".gitattributes", include_str!("../starter/gitattributes")),
];

impl Init {
    pub(crate) fn run(self, context: &Context) -> Result<Outcome, Stop> {
        context.refuse_other_users()?;
        let folder = plugin::absolute(&self.folder, &context.env)?;
        let present: Vec<String> = FILES
            .iter()
            .filter(|(path, _)| folder.join(path).symlink_metadata().is_ok())
            .map(|(path, _)| self.folder.join(path).display().to_string())
            .collect();
        if !present.is_empty() {
            return Err(Stop::refused(format!(
                "nothing is overwritten, and there already is {}; name another folder",
                present.join(", ")
            )));
        }
        let name = name_of(&folder);
        let mut made = Made::default();
        for (path, text) in FILES {
            made.write(&folder.join(path), &text.replace("NAME", &name))
                .context("nothing was left behind")
                .map_err(Stop::Failed)?;
        }
        made.keep();
        if context.detail > Detail::Quiet {
            screen::print(&self.report(&name))?;
        }
        Ok(Outcome::Done)
    }

    fn report(&self, name: &str) -> String {
        let shown = plugin::display(&self.folder);
        let files: String = FILES.map(|(path, _)| format!("  {path}\n")).concat();
        let next = [
            ("test", "runs its hook as an agent would"),
            ("check", "names what is wrong with it"),
            ("build", "makes the folder that agents load"),
        ]
        .map(|(command, what)| format!("  hookkit {command:5} {shown}  {what}\n"))
        .concat();
        format!("Made the plugin {BOLD}{name}{BOLD:#} in {shown}\n{files}\nNext:\n{next}")
    }
}

/// A folder's name as a plugin's name: lower case, with `-` for what a name cannot have.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let allowed = |character: char| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || character == '_'
    };
    let words: Vec<String> = name
        .to_lowercase()
        .split(|character| !allowed(character))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let name = words.join("-");
    let name: String = name.trim_start_matches('_').chars().take(64).collect();
    if name.is_empty() {
        "my-hooks".to_owned()
    } else {
        name
    }
}

/// What has been made so far: gone again unless it is kept.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Made {
    fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let around = path.parent().into_iter().flat_map(Path::ancestors);
        let missing: Vec<&Path> = around.take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
        }
        // Fails if somebody made the file in the meantime.
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)?;
        self.files.push(path.to_owned());
        file.write_all(text.as_bytes())
    }

    fn keep(mut self) {
        self.files.clear();
        self.folders.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // What cannot be removed is left; the error that led here is what is said.
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_named_after_its_folder() {
        for (folder, name) in [
            ("/x/my-guard", "my-guard"),
            ("/x/My Guard (2)", "my-guard-2"),
            ("/x/__a_b", "a_b"),
            ("/x/\u{e9}\u{e8}", "my-hooks"),
            ("/", "my-hooks"),
        ] {
            assert_eq!(name_of(Path::new(folder)), name);
        }
    }
}
