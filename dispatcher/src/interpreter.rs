//! From a hook's `run` to a program that can be started.
//!
//! Nothing is ever found in the session's folder: not the program (relative entries of PATH and
//! entries inside the project are left out), and not what the program itself would read there
//! (interpreters get the arguments that switch that off).

use crate::env::Env;
use crate::folder::{self, Project};
use crate::receipt::Receipt;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// A program and its arguments, ready to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    pub args: Vec<OsString>,
}

/// Why a hook cannot be started. A person or a model reads this as `hook ... cannot start: ...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotStart {
    /// A file that `run` names is not in the plugin.
    FileMissing(PathBuf),
    /// A file that `run` names is outside the plugin, after links.
    FileOutside(PathBuf),
    /// The program has no executable bit.
    NotExecutable(PathBuf),
    /// The program is not on the PATH as hookkit reads it.
    ProgramMissing { name: String, looked_for: String },
    /// The operating system refused.
    System { program: PathBuf, error: String },
}

impl fmt::Display for CannotStart {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::FileMissing(path) => write!(f, "{} is missing", path.display()),
            Self::FileOutside(path) => {
                write!(f, "{} leads out of the plugin", path.display())
            }
            Self::NotExecutable(path) => {
                write!(f, "{0} is not executable; run chmod +x {0}", path.display())
            }
            Self::ProgramMissing { name, looked_for } => {
                write!(
                    f,
                    "no `{name}` was found on the PATH (looked for {looked_for})"
                )
            }
            Self::System { program, error } => write!(f, "{}: {error}", program.display()),
        }
    }
}

/// An interpreter that manifests name portably.
struct Interpreter {
    name: &'static str,
    /// Programs to look for, best first, with arguments that select the right one.
    unix: &'static [&'static [&'static str]],
    windows: &'static [&'static [&'static str]],
    /// Arguments that keep it from reading files of the working directory or of a profile.
    isolation: &'static [&'static str],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        name: "python",
        unix: &[&["python3"], &["python"]],
        windows: &[&["python3"], &["python"], &["py", "-3"]],
        isolation: &[],
    },
    Interpreter {
        name: "node",
        unix: &[&["node"]],
        windows: &[&["node"]],
        isolation: &[],
    },
    Interpreter {
        name: "bash",
        unix: &[&["bash"]],
        windows: &[&["bash"]],
        isolation: &["--noprofile", "--norc"],
    },
    Interpreter {
        name: "sh",
        unix: &[&["sh"]],
        windows: &[&["sh"], &["bash"]],
        isolation: &[],
    },
    Interpreter {
        name: "deno",
        unix: &[&["deno"]],
        windows: &[&["deno"]],
        isolation: &["run", "--no-config"],
    },
    // Without a name of its own the null device is neither a bunfig nor a `.env` on Windows.
    #[cfg(not(windows))]
    Interpreter {
        name: "bun",
        unix: &[&["bun"]],
        windows: &[],
        isolation: &["--config=/dev/null", "--no-env-file", "--no-install"],
    },
    Interpreter {
        name: "uv",
        unix: &[&["uv"]],
        windows: &[&["uv"]],
        isolation: &[
            "run",
            "--isolated",
            "--no-project",
            "--no-config",
            "--offline",
        ],
    },
    Interpreter {
        name: "ruby",
        unix: &[&["ruby"]],
        windows: &[&["ruby"]],
        isolation: &[],
    },
    Interpreter {
        name: "perl",
        unix: &[&["perl"]],
        windows: &[&["perl"]],
        isolation: &[],
    },
];

/// Where programs are looked for.
pub struct Programs<'a> {
    /// The plugin's folder.
    pub root: &'a Path,
    pub project: &'a Project<'a>,
    pub receipt: Option<&'a Receipt>,
    /// The folders of [`search_path`].
    pub path: &'a [PathBuf],
    /// Endings of programs on Windows; empty elsewhere.
    pub endings: &'a [String],
}

impl Programs<'_> {
    /// Turns a `run` into a program that can be started, or says why it cannot.
    pub fn command<'w>(&self, run: &[impl AsRef<str> + 'w]) -> Result<Command, CannotStart> {
        let (program, arguments) = run.split_first().map_or(("", run), |(program, arguments)| {
            (program.as_ref(), arguments)
        });
        let mut command = if let Some(file) = program.strip_prefix("./") {
            let program = self.file(file)?;
            if !is_executable(&program) {
                return Err(CannotStart::NotExecutable(program));
            }
            Command {
                program,
                args: Vec::new(),
            }
        } else if Path::new(program).is_absolute() {
            Command {
                program: PathBuf::from(program),
                args: Vec::new(),
            }
        } else {
            self.named(program)?
        };
        if program == "python" && runs_no_script(arguments) {
            // `-m` and `-c` put the working directory on the search path of modules.
            command.args.push("-I".into());
        }
        for argument in arguments {
            let argument = argument.as_ref();
            command.args.push(match argument.strip_prefix("./") {
                Some(file) => self.file(file)?.into_os_string(),
                None => OsString::from(argument),
            });
        }
        Ok(command)
    }

    /// A file of the plugin, which must exist and stay inside after links.
    fn file(&self, relative: &str) -> Result<PathBuf, CannotStart> {
        let written = folder::plain(&self.root.join(relative));
        if folder::is_reached_without_links(&written, self.root) {
            return Ok(written);
        }
        match folder::resolved(&written) {
            Some(real) if real.starts_with(folder::real(self.root)) => Ok(written),
            Some(_) => Err(CannotStart::FileOutside(written)),
            None => Err(CannotStart::FileMissing(written)),
        }
    }

    fn named(&self, name: &str) -> Result<Command, CannotStart> {
        let known = INTERPRETERS.iter().find(|known| known.name == name);
        let mut isolation = known.map_or_else(Vec::new, |known| words(known.isolation));
        if name == "uv" {
            // Left to itself it asks the interpreter of a `.venv` in the working directory which
            // version it is, and so starts it (seen on uv 0.13.9).
            let python = self.named("python")?;
            isolation.extend([OsString::from("--python"), python.program.into_os_string()]);
        }
        if let Some(program) = self.recorded(name) {
            return Ok(Command {
                program,
                args: isolation,
            });
        }
        let own = [name];
        let alone: &[&[&str]] = &[&own];
        let candidates = known.map_or(alone, |known| {
            if cfg!(windows) {
                known.windows
            } else {
                known.unix
            }
        });
        for candidate in candidates {
            if let Some(program) = self.on_path(candidate[0]) {
                let mut args = words(&candidate[1..]);
                args.extend(isolation);
                return Ok(Command { program, args });
            }
        }
        Err(CannotStart::ProgramMissing {
            name: name.to_owned(),
            looked_for: candidates
                .iter()
                .map(|candidate| candidate[0])
                .collect::<Vec<_>>()
                .join(", "),
        })
    }

    fn recorded(&self, name: &str) -> Option<PathBuf> {
        let programs = &self.receipt?.programs;
        let (_, path) = programs.iter().find(|(recorded, _)| recorded == name)?;
        is_executable(path).then(|| path.clone())
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        self.path.iter().find_map(|folder| {
            let plain = folder.join(name);
            let with_endings = self
                .endings
                .iter()
                .map(|ending| folder.join(format!("{name}{ending}")));
            std::iter::once(plain)
                .filter(|_| self.endings.is_empty())
                .chain(with_endings)
                .find(|candidate| {
                    is_executable(candidate)
                        && !is_stub(candidate)
                        && (is_the_systems(folder) || !self.project.holds(candidate))
                })
        })
    }
}

/// The folders of PATH in which programs may be found: absolute, and not of the project. Where none
/// is left, the system's own.
pub fn search_path(env: &Env, project: &Project) -> Vec<PathBuf> {
    let path = env.get("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .filter(|folder| is_the_systems(folder) || !project.holds(folder))
        .collect();
    if folders.is_empty() && cfg!(unix) {
        // An empty PATH means the working directory to a shell and to `execvp`.
        return ["/usr/local/bin", "/usr/bin", "/bin"]
            .map(PathBuf::from)
            .to_vec();
    }
    folders
}

/// Folders that belong to nobody's project, so that nothing has to be resolved for them.
fn is_the_systems(folder: &Path) -> bool {
    const FOLDERS: [&str; 6] = [
        "/usr/local/sbin",
        "/usr/local/bin",
        "/usr/sbin",
        "/usr/bin",
        "/sbin",
        "/bin",
    ];
    cfg!(unix) && FOLDERS.iter().any(|known| folder.as_os_str() == *known)
}

/// The endings that make a file a program on Windows. Batch files are left out: a shell reads
/// their arguments again.
pub fn endings() -> Vec<String> {
    if cfg!(windows) {
        vec![".exe".to_owned(), ".com".to_owned()]
    } else {
        Vec::new()
    }
}

/// The file that is started by this path, if there is one: Windows' endings need not be said.
pub fn file_of(path: &Path) -> Option<PathBuf> {
    let with = |ending: String| {
        let mut path = path.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    std::iter::once(path.to_owned())
        .chain(endings().into_iter().map(with))
        .find(|file| file.exists())
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Windows ships two programs that only look like interpreters: the Store's aliases open a shop
/// window, and `System32\bash.exe` starts another operating system.
fn is_stub(path: &Path) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let text = path.to_string_lossy().to_lowercase().replace('/', "\\");
    text.contains("\\microsoft\\windowsapps\\") || text.ends_with("\\system32\\bash.exe")
}

/// Do these arguments of python run a module (`-m`) or a text (`-c`)? Short options stand alone or
/// together (`-um`), and some take a value.
fn runs_no_script(arguments: &[impl AsRef<str>]) -> bool {
    let mut arguments = arguments.iter().map(AsRef::as_ref);
    while let Some(argument) = arguments.next() {
        let Some(options) = argument.strip_prefix('-') else {
            return false;
        };
        if argument == "--check-hash-based-pycs" {
            arguments.next();
            continue;
        }
        match options.find(['c', 'm', 'W', 'X']) {
            _ if options.starts_with('-') => {}
            Some(at) if matches!(options.as_bytes()[at], b'c' | b'm') => return true,
            // The value is the rest of the word, or the next one.
            Some(at) if at + 1 == options.len() => drop(arguments.next()),
            _ => {}
        }
    }
    false
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn place() -> (PathBuf, Vec<PathBuf>) {
        let unique = format!("hookkit-interpreter-{}", std::process::id());
        let place = Env::of_process().temp().join(unique);
        let bin = place.join("bin");
        std::fs::create_dir_all(&bin).expect("a folder");
        for (name, mode) in [("python3", 0o755), ("node", 0o644)] {
            let file = bin.join(name);
            std::fs::write(&file, "").expect("a file");
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("a mode");
        }
        std::fs::write(place.join("hook.py"), "").expect("a file");
        (place, vec![bin])
    }

    #[test]
    fn programs_are_found_and_files_are_checked_before_anything_starts() {
        let (root, path) = place();
        let nowhere = Env::given(Vec::new(), "/".into(), "/x".into());
        let project = Project::of_session(None, &nowhere);
        let programs = Programs {
            root: &root,
            project: &project,
            receipt: None,
            path: &path,
            endings: &[],
        };
        let python = programs
            .command(&["python", "./hook.py", "-x"])
            .expect("found");
        assert_eq!(python.program, path[0].join("python3"));
        assert_eq!(
            python.args,
            [root.join("hook.py").into_os_string(), "-x".into()]
        );
        assert!(matches!(
            programs.command(&["python", "./ghost.py"]),
            Err(CannotStart::FileMissing(_))
        ));
        assert!(matches!(
            programs.command(&["ghostinterp", "./hook.py"]),
            Err(CannotStart::ProgramMissing { .. })
        ));
        assert!(matches!(
            programs.command(&["node", "./hook.py"]),
            Err(CannotStart::ProgramMissing { .. })
        ));
        assert!(matches!(
            programs.command(&["./hook.py"]),
            Err(CannotStart::NotExecutable(_))
        ));
        std::os::unix::fs::symlink("/etc/hostname", root.join("out")).expect("a link");
        assert!(matches!(
            programs.command(&["python", "./out"]),
            Err(CannotStart::FileOutside(_))
        ));
        std::fs::remove_dir_all(&root).expect("removed");
    }

    #[test]
    fn python_without_a_script_is_isolated() {
        for (arguments, expected) in [
            (&["-m", "pkg"][..], true),
            (&["-c", "pass"], true),
            (&["-u", "-m", "pkg"], true),
            (&["-um", "pkg"], true),
            (&["-X", "utf8", "-mpkg"], true),
            (&["-Wignore", "-c", "pass"], true),
            (&["--check-hash-based-pycs", "never", "-m", "pkg"], true),
            (&["./hook.py", "-m"], false),
            (&["-u", "./hook.py", "-c"], false),
            (&["-W", "-m", "./hook.py"], false),
            (&["-X", "importtime", "./hook.py"], false),
            (&["--version"], false),
        ] {
            assert_eq!(runs_no_script(arguments), expected, "{arguments:?}");
        }
    }

    #[test]
    fn the_path_is_never_empty() {
        let env = Env::given(
            vec![("PATH".into(), "/nowhere/p/bin:rel".into())],
            "/".into(),
            "/x".into(),
        );
        let project = Project::of_session(Some("/nowhere/p"), &env);
        assert!(search_path(&env, &project).contains(&PathBuf::from("/usr/bin")));
    }

    #[test]
    fn the_path_has_no_relative_and_no_project_folders() {
        let env = Env::given(
            vec![("PATH".into(), "/nowhere/p/bin:.:/usr/bin:rel".into())],
            "/".into(),
            "/x".into(),
        );
        let project = Project::of_session(Some("/nowhere/p"), &env);
        assert_eq!(search_path(&env, &project), [PathBuf::from("/usr/bin")]);
    }
}
