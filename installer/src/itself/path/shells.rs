//! What each shell reads when it starts, and the line that puts a folder on its PATH.
//!
//! | shell | file | when |
//! |---|---|---|
//! | sh, bash, ksh as login shells | `.profile` | it is there, or the user's shell is neither zsh nor fish |
//! | bash | `.bash_profile`, `.bash_login`, `.bashrc` | it is there: a new `.bash_profile` would hide `.profile` |
//! | zsh | `.zshrc` in `$ZDOTDIR`, else in the home folder | it is there, or it is the user's shell |
//! | fish | `fish/conf.d/hookkit.fish` in `$XDG_CONFIG_HOME`, else in `.config` | fish has a folder there, or is the user's shell |

use hookkit_dispatch::env::Env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Lines of hookkit's own end with it.
const MARK: &str = "# hookkit";

/// A file that a shell reads, and what it shall read there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Startup {
    pub(super) file: PathBuf,
    pub(super) line: String,
}

/// None where there is no home folder.
pub(super) fn startup_files(bin: &Path, env: &Env) -> Vec<Startup> {
    let Some(home) = env.home() else {
        return Vec::new();
    };
    let shell = env.get("SHELL").map(PathBuf::from).unwrap_or_default();
    let is_shell = |name: &str| shell.file_name().is_some_and(|found| found == name);
    let posix = posix_line(bin, &home);
    let mut files = Vec::new();
    let mut add = |file: PathBuf, line: &str, is_wanted: bool| {
        if is_wanted {
            let line = line.to_owned();
            files.push(Startup { file, line });
        }
    };
    let profile = home.join(".profile");
    let reads_profile = profile.exists() || !(is_shell("zsh") || is_shell("fish"));
    add(profile, &posix, reads_profile);
    for name in [".bash_profile", ".bash_login", ".bashrc"] {
        let file = home.join(name);
        let is_there = file.exists();
        add(file, &posix, is_there);
    }
    let zsh = zsh_folder(env, &home).join(".zshrc");
    let has_zsh = zsh.exists() || is_shell("zsh");
    add(zsh, &posix, has_zsh);
    let config = env.get("XDG_CONFIG_HOME").map(PathBuf::from);
    let config = config.filter(|folder| folder.is_absolute());
    let fish = config.unwrap_or_else(|| home.join(".config")).join("fish");
    let has_fish = fish.exists() || is_shell("fish");
    add(fish.join("conf.d/hookkit.fish"), &fish_line(bin), has_fish);
    files
}

/// `ZDOTDIR` is often set in `~/.zshenv`, for zsh alone.
fn zsh_folder(env: &Env, home: &Path) -> PathBuf {
    let named = env.get("ZDOTDIR").map(PathBuf::from);
    let named = named.or_else(|| {
        let text = fs::read_to_string(home.join(".zshenv")).ok()?;
        text.contains("ZDOTDIR").then_some(())?;
        let said = Command::new("zsh")
            .args(["-c", "printf %s \"$ZDOTDIR\""])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        Some(PathBuf::from(String::from_utf8(said.stdout).ok()?))
    });
    named
        .filter(|folder| folder.is_absolute())
        .unwrap_or_else(|| home.to_owned())
}

/// Once is enough, however many of the files a shell reads.
fn posix_line(bin: &Path, home: &Path) -> String {
    // The home folder by its variable: these files are shared between machines.
    let folder = match bin.strip_prefix(home) {
        Ok(rest) if is_plain(rest) => format!("\"$HOME/{}\"", rest.display()),
        Ok(rest) => format!("\"$HOME\"/{}", quoted(rest, "'\\''")),
        Err(_) => quoted(bin, "'\\''"),
    };
    format!("case \":$PATH:\" in *:{folder}:*) ;; *) export PATH={folder}:\"$PATH\" ;; esac {MARK}")
}

fn fish_line(bin: &Path) -> String {
    let folder = bin.display().to_string().replace('\\', "\\\\");
    let folder = quoted(Path::new(&folder), "\\'");
    format!("contains -- {folder} $PATH; or set -gx PATH {folder} $PATH {MARK}")
}

fn is_plain(path: &Path) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(byte);
    path.as_os_str().as_encoded_bytes().iter().all(is_plain)
}

fn quoted(path: &Path, quote: &str) -> String {
    format!("'{}'", path.display().to_string().replace('\'', quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files that are written in a home with these, for this user's shell.
    fn written(present: &[&str], variables: &[(&str, &str)]) -> Vec<String> {
        let home = tempfile::tempdir().expect("a folder");
        for file in present {
            let file = home.path().join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, "").expect("a file");
        }
        let own = [("HOME", home.path().to_str().expect("text"))];
        let variables = own.iter().chain(variables);
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        let env = Env::given(variables.collect(), "/".into(), "/x".into());
        startup_files(Path::new("/opt/bin"), &env)
            .into_iter()
            .map(|startup| {
                let file = startup.file.strip_prefix(home.path());
                file.unwrap_or(&startup.file).display().to_string()
            })
            .collect()
    }

    #[test]
    fn each_shell_is_told_where_it_reads() {
        let bash = ("SHELL", "/bin/bash");
        let zsh = ("SHELL", "/usr/bin/zsh");
        let fish = ("SHELL", "/usr/bin/fish");
        assert_eq!(written(&[], &[bash]), [".profile"]);
        assert_eq!(written(&[], &[]), [".profile"]);
        assert_eq!(written(&[".bashrc"], &[bash]), [".profile", ".bashrc"]);
        assert_eq!(
            written(&[".bash_profile"], &[bash]),
            [".profile", ".bash_profile"]
        );
        assert_eq!(written(&[], &[zsh]), [".zshrc"]);
        assert_eq!(
            written(&[".profile"], &[zsh, ("ZDOTDIR", "/z")]),
            [".profile", "/z/.zshrc"]
        );
        assert_eq!(written(&[], &[fish]), [".config/fish/conf.d/hookkit.fish"]);
        assert_eq!(
            written(&[".zshrc"], &[fish, ("XDG_CONFIG_HOME", "/c")]),
            [".zshrc", "/c/fish/conf.d/hookkit.fish"]
        );
    }

    /// Every name that a folder may have is one word to the shell that reads the line.
    #[test]
    fn shells_read_the_folder_as_it_is() {
        let home = Path::new("/home/o'hara");
        for folder in ["a", "a b", "it's", "a\"b", "$(x)", "`x`", "a\\b", "\u{e9}"] {
            for bin in [home.join(folder), Path::new("/opt").join(folder)] {
                let line = posix_line(&bin, home);
                let script = format!("PATH=/bin\n{line}\n{line}\nprintf %s \"$PATH\"");
                let said = Command::new("/bin/sh")
                    .args(["-c", &script])
                    .env("HOME", home)
                    .output()
                    .expect("sh");
                let path = format!("{}:/bin", bin.display());
                assert_eq!(String::from_utf8_lossy(&said.stdout), path, "{line}");
            }
        }
    }
}
