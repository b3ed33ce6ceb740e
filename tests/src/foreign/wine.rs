//! wine, which runs programs for Windows, with a prefix of its own below the target folder.
//!
//! - the prefix is made by the first test that wants it, which takes half a minute, and kept
//! - wine 8 lacks `bcryptprimitives.dll`, which Rust's standard library asks for random bytes; a
//!   library of ten lines stands in for it
//! - its `powershell.exe` is an empty shell that ends with 0, and its cmd takes a line that begins
//!   with `&`: no test may trust either

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fs_err as fs;

use crate::environment::{self, skip};
use crate::process::Program;
use crate::program::{found, target_folder};

const RANDOM: &str = include_str!("bcryptprimitives.c");
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
const NAME: &str = "bcryptprimitives.dll";

/// Where Debian puts the 64-bit one, whose launcher on the PATH may be missing.
const PLACES: [&str; 3] = ["/usr/lib/wine/wine64", "/usr/bin/wine64", "/usr/bin/wine"];

/// A wine that is ready to run programs.
#[derive(Debug)]
pub struct Wine {
    file: PathBuf,
    home: PathBuf,
}

impl Wine {
    /// wine, or `None` after saying why the test is skipped.
    pub fn find() -> Option<Self> {
        let file = PLACES.iter().map(PathBuf::from).find(|file| file.is_file());
        let Some(file) = file else {
            skip("wine64 is missing");
            return None;
        };
        let wine = Self {
            file,
            home: target_folder().join("wine"),
        };
        match wine.prepare() {
            Ok(()) => Some(wine),
            Err(why) => {
                skip(&why);
                None
            }
        }
    }

    /// A program for Windows that is about to run.
    pub fn program(&self, exe: &Path) -> Program {
        self.environment()
            .into_iter()
            .fold(Program::new(&self.file), |program, (name, value)| {
                program.env(name, value)
            })
            .arg(exe)
    }

    /// A path of this machine as programs for Windows see it.
    pub fn path(path: &Path) -> String {
        format!("Z:{}", path.display()).replace('/', "\\")
    }

    /// Makes the prefix, once for all test processes, and starts its services, which would else
    /// hold the channels of the first program that runs.
    fn prepare(&self) -> Result<(), String> {
        fs::create_dir_all(&self.home).unwrap();
        let lock = File::create(self.home.join("lock")).unwrap();
        lock.lock().unwrap();
        let done = self.home.join("done");
        if !done.is_file() {
            if found(COMPILER).is_none() {
                return Err(format!(
                    "{COMPILER} is missing, which makes {NAME} for wine"
                ));
            }
            environment::say("making a prefix for wine");
            self.quietly(&["wineboot", "-i"])?;
            self.add_random_bytes()?;
            fs::write(done, "").unwrap();
        }
        self.quietly(&["cmd", "/c", "exit"])
    }

    fn add_random_bytes(&self) -> Result<(), String> {
        let source = self.home.join("bcryptprimitives.c");
        fs::write(&source, RANDOM).unwrap();
        let library = self.home.join("prefix/drive_c/windows/system32").join(NAME);
        let mut compiler = Command::new(COMPILER);
        compiler.args([
            "-O2",
            "-s",
            "-shared",
            "-nostartfiles",
            "-Wl,-e,DllMain",
            "-o",
        ]);
        compiler.arg(library).arg(source).arg("-ladvapi32");
        ended_well(compiler)
    }

    fn quietly(&self, words: &[&str]) -> Result<(), String> {
        let mut command = Command::new(&self.file);
        command.args(words).env_clear().envs(self.environment());
        ended_well(command)
    }

    fn environment(&self) -> [(&'static str, PathBuf); 7] {
        [
            ("PATH", environment::path().into()),
            ("HOME", self.home.clone()),
            // Without it wine takes names of files for Latin.
            ("LC_ALL", "C.UTF-8".into()),
            ("WINEPREFIX", self.home.join("prefix")),
            ("WINEARCH", "win64".into()),
            ("WINEDEBUG", "-all".into()),
            // No questions about parts that are not installed, and no menu entries.
            (
                "WINEDLLOVERRIDES",
                "mscoree,mshtml=;winemenubuilder.exe=d".into(),
            ),
        ]
    }
}

fn ended_well(mut command: Command) -> Result<(), String> {
    let name = command.get_program().display().to_string();
    let ended = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => Err(format!("{name} does not start: {error}")),
    }
}
