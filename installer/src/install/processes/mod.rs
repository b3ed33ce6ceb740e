//! This user's processes: what each is called, what it was started with, and when.
//!
//! By sysinfo on Linux and Windows. On macOS sysinfo links frameworks, which only Apple's own tools
//! can, and it takes variables for arguments where an argument is empty; there the system is asked
//! by `apple`.

#[cfg(any(target_vendor = "apple", test))]
mod arguments;
#[cfg_attr(target_vendor = "apple", path = "apple.rs")]
#[cfg_attr(not(target_vendor = "apple"), path = "by_sysinfo.rs")]
mod system;

use hookkit_launchers::install::Install;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A process of this user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: u32,
    pub(super) parent: Option<u32>,
    /// In seconds since 1970.
    pub(super) start: u64,
    /// Its own name, and that of the file it runs.
    names: Vec<OsString>,
    /// The file it runs.
    program: Option<PathBuf>,
    /// The words it was started with, the program's name first.
    words: Vec<OsString>,
    /// The value of each variable that was asked for and that it has.
    variables: Vec<(&'static str, PathBuf)>,
}

/// How a process runs a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    /// It is the client's own program.
    Program,
    /// It is an interpreter with a script of the client's package on npm: the client, or what starts
    /// the client's program and waits for it.
    Script,
}

/// What runs packages of npm.
const INTERPRETERS: &[&str] = &["node", "bun"];

/// This user's processes that may be clients of these hosts, with these of their variables and no
/// others; `None` where processes cannot be listed.
pub(super) fn of_clients(
    hosts: &[&'static dyn Install],
    variables: &[&'static str],
) -> Option<Vec<Process>> {
    let is_wanted = |name: &OsStr| {
        let programs = hosts.iter().map(|host| host.program());
        programs
            .chain(INTERPRETERS.iter().copied())
            .any(|program| is_called(name, program))
    };
    system::of_user(&is_wanted, variables)
}

impl Process {
    /// How it runs a client of this host, if it does.
    pub(super) fn runs(&self, host: &dyn Install) -> Option<Runs> {
        let is = |program: &str| self.names.iter().any(|name| is_called(name, program));
        if is(host.program()) && (host.package().is_none() || !self.is_of_electron()) {
            return Some(Runs::Program);
        }
        let package = host.package()?;
        let script = self.script()?;
        let is_its = INTERPRETERS.iter().any(|interpreter| is(interpreter))
            && is_in_package(&hookkit_dispatch::folder::real(script), package);
        is_its.then_some(Runs::Script)
    }

    pub(super) fn variable(&self, name: &str) -> Option<&Path> {
        let mut variables = self.variables.iter();
        variables
            .find(|(known, _)| *known == name)
            .map(|(_, value)| &**value)
    }

    #[cfg(test)]
    pub(super) fn with(variables: &[(&'static str, &Path)]) -> Self {
        let own = |(name, value): &(&'static str, &Path)| (*name, value.to_path_buf());
        Self {
            variables: variables.iter().map(own).collect(),
            ..Self::default()
        }
    }

    /// The script that an interpreter was started with: the first word that is a whole path.
    fn script(&self) -> Option<&Path> {
        let words = self.words.iter().skip(1);
        words.map(Path::new).find(|word| word.is_absolute())
    }

    /// Is it an application with windows? There are such of Claude, Codex and Copilot too, on Windows
    /// under the names of the clients. Electron's packages hold `resources/app.asar` beside the
    /// program (<https://www.electronjs.org/docs/latest/tutorial/application-distribution>).
    fn is_of_electron(&self) -> bool {
        let program = self.program.as_deref();
        program.is_some_and(|program| program.with_file_name("resources/app.asar").is_file())
    }
}

/// Is this the name of this program? npm's package of Claude Code has a `claude.exe` on every system.
fn is_called(name: &OsStr, program: &str) -> bool {
    let Some(name) = name.to_str() else {
        return false;
    };
    let stem = match name.len().checked_sub(".exe".len()) {
        Some(end) if name.is_char_boundary(end) && name[end..].eq_ignore_ascii_case(".exe") => {
            &name[..end]
        }
        _ => name,
    };
    if cfg!(windows) {
        stem.eq_ignore_ascii_case(program)
    } else {
        stem == program
    }
}

/// Does a file lie in the package of this name, `@scope/name`?
fn is_in_package(file: &Path, package: &str) -> bool {
    let package: Vec<&str> = package.split('/').collect();
    let folders: Vec<&OsStr> = file.iter().collect();
    folders.windows(package.len()).any(|some| *some == *package)
}

/// The value in `NAME=value`, if the name is this one.
fn value(variable: &OsStr, name: &str) -> Option<PathBuf> {
    #[cfg(unix)]
    let value = {
        use std::os::unix::ffi::OsStrExt as _;
        let value = variable.as_bytes().strip_prefix(name.as_bytes())?;
        OsStr::from_bytes(value.strip_prefix(b"=")?)
    };
    #[cfg(not(unix))]
    let value = {
        let (found, value) = variable.to_str()?.split_once('=')?;
        Some(OsStr::new(value)).filter(|_| found.eq_ignore_ascii_case(name))?
    };
    Some(PathBuf::from(value)).filter(|value| !value.as_os_str().is_empty())
}

/// Those of these variables that are among `NAME=value`, the first of each.
fn values(environment: &[&OsStr], names: &[&'static str]) -> Vec<(&'static str, PathBuf)> {
    let value_of = |name| environment.iter().find_map(|one| value(one, name));
    names
        .iter()
        .filter_map(|name| Some((*name, value_of(name)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookkit_dispatch::env::Env;
    use hookkit_launchers::install::by_name;

    fn host(name: &str) -> &'static dyn Install {
        by_name(name).expect("a host")
    }

    fn process(names: &[&str], words: &[&str]) -> Process {
        Process {
            names: names.iter().map(OsString::from).collect(),
            words: words.iter().map(OsString::from).collect(),
            ..Process::default()
        }
    }

    #[test]
    fn a_client_is_known_by_its_own_name_or_its_files() {
        let runs = |names: &[&str]| process(names, &[]).runs(host("claude-code"));
        for names in [&["claude"] as &[_], &["2.1.332", "claude"], &["claude.exe"]] {
            assert_eq!(runs(names), Some(Runs::Program), "{names:?}");
        }
        for names in [&["claude-desktop"] as &[_], &["node"], &[".exe"], &[]] {
            assert_eq!(runs(names), None, "{names:?}");
        }
        assert_eq!(runs(&["Claude.EXE"]).is_some(), cfg!(windows));
        assert_eq!(process(&["claude"], &[]).runs(host("codex")), None);
        assert_eq!(
            process(&["code"], &[]).runs(host("vscode-local")),
            Some(Runs::Program)
        );
    }

    #[test]
    fn an_application_with_windows_is_no_client() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut claude = process(&["claude"], &[]);
        claude.program = Some(folder.path().join("claude"));
        assert_eq!(claude.runs(host("claude-code")), Some(Runs::Program));
        let resources = folder.path().join("resources");
        fs_err::create_dir(&resources).expect("a folder");
        fs_err::write(resources.join("app.asar"), "").expect("a file");
        assert_eq!(claude.runs(host("claude-code")), None);
    }

    #[test]
    fn an_interpreter_is_known_by_a_script_of_the_package() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = |path: &str| folder.path().join(path).display().to_string();
        let runs = |names: &[&str], words: &[&str]| process(names, words).runs(host("copilot-cli"));
        let its = script("node_modules/@github/copilot/npm-loader.js");
        let other = script("node_modules/@github/copilot-language-server/main.js");
        let node = &["MainThread", "node"];
        assert_eq!(runs(node, &["node", &its, "-p", "x"]), Some(Runs::Script));
        assert_eq!(
            runs(node, &["node", "--no-warnings", &its]),
            Some(Runs::Script)
        );
        assert_eq!(runs(&["bun"], &["bun", &its]), Some(Runs::Script));
        assert_eq!(runs(node, &["node", &other]), None);
        assert_eq!(runs(node, &["node", &other, &its]), None, "an argument");
        assert_eq!(runs(node, &["node"]), None);
        assert_eq!(runs(&["vim"], &["vim", &its]), None);
    }

    #[test]
    fn of_variables_only_those_asked_for_are_kept() {
        let environment = ["SECRET=x", "A=/1", "AB=/2", "A=/3", "C="].map(OsStr::new);
        let kept = values(&environment, &["A", "B", "C"]);
        assert_eq!(kept, [("A", PathBuf::from("/1"))]);
    }

    /// Of the running test itself, so by the system's own means.
    #[test]
    fn this_process_is_among_those_of_its_user() {
        let own = Env::of_process().exe().expect("this program");
        let name = own.file_name().expect("its name");
        let found = system::of_user(&|other| other == name, &["PATH"]).expect("a list");
        let this = found
            .iter()
            .find(|process| process.id == std::process::id())
            .expect("this process");
        assert!(!this.words.is_empty() && this.parent.is_some());
        let now = hookkit_dispatch::receipt::now();
        assert!(this.start <= now + 1 && this.start + 3600 > now);
        assert!(this.variable("PATH").is_some());
        assert!(system::of_user(&|_| false, &[]).expect("a list").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn what_has_ended_is_not_there_though_nobody_asked_for_it() {
        use std::time::{Duration, Instant};
        let mut child = std::process::Command::new("sleep")
            .arg("0.2")
            .spawn()
            .expect("a child");
        let is_there = || {
            let found = system::of_user(&|name| name == "sleep", &[]).expect("a list");
            found.iter().any(|process| process.id == child.id())
        };
        assert!(is_there());
        let end = Instant::now() + Duration::from_secs(20);
        while is_there() {
            assert!(Instant::now() < end, "it has ended, and is there");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(child.wait().expect("an end").success());
    }
}
