//! `hookkit list` and `doctor` over very many hook files: seconds, and whether they grow with the
//! number of files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;
use serde::Serialize;
use serde_json::json;

use crate::round;

/// Hook files of Copilot in one repository, and half as many.
const FILES: [usize; 2] = [5_000, 10_000];

const RUNS: usize = 3;

/// For the larger number of files.
pub(crate) const LONGEST: Duration = Duration::from_secs(2);

/// Twice as many files take no more than this many times as long.
const STEEPEST: f64 = 2.6;

const COMMANDS: [&str; 2] = ["list", "doctor"];

#[derive(Serialize)]
pub(crate) struct Taken {
    pub(crate) command: &'static str,
    pub(crate) files: usize,
    pub(crate) seconds: f64,
    /// Against half as many files.
    pub(crate) growth: f64,
}

impl Taken {
    pub(crate) fn holds(&self) -> bool {
        self.seconds <= LONGEST.as_secs_f64() && self.growth <= STEEPEST
    }
}

/// One line a command; none without `hookkit`.
pub(crate) fn measure(hookkit: Option<&Path>, out: &Path) -> Result<Vec<Taken>> {
    let Some(hookkit) = hookkit else {
        eprintln!("no hookkit is given: list and doctor are not measured");
        return Ok(Vec::new());
    };
    let mut known = Vec::new();
    for command in COMMANDS {
        if knows(hookkit, command)? {
            known.push(command);
        } else {
            eprintln!(
                "{} knows no {command}: it is not measured",
                hookkit.display()
            );
        }
    }
    let mut repositories = Vec::new();
    for files in FILES {
        repositories.push(repository(&out.join(format!("repository-{files}")), files)?);
    }
    known
        .into_iter()
        .map(|command| {
            let [half, whole] = [0, 1].map(|index| {
                let repository: &PathBuf = &repositories[index];
                median(hookkit, command, repository)
            });
            let (half, whole) = (half?, whole?);
            Ok(Taken {
                command,
                files: FILES[1],
                seconds: whole.as_secs_f64(),
                growth: whole.as_secs_f64() / half.as_secs_f64().max(f64::EPSILON),
            })
        })
        .collect()
}

/// The program may be older than this benchmark.
fn knows(hookkit: &Path, command: &str) -> Result<bool> {
    let mut program = Command::new(hookkit);
    program.args([command, "--help"]).stdin(Stdio::null());
    Ok(program.output()?.status.success())
}

/// A repository with so many hook files, each with one hook of its own.
fn repository(root: &Path, files: usize) -> Result<PathBuf> {
    let hooks = root.join(".github/hooks");
    fs::create_dir_all(root.join(".git"))?;
    fs::create_dir_all(&hooks)?;
    for number in 0..files {
        let entry = json!({"type": "command", "bash": format!("./check-{number}.sh")});
        let text = json!({"version": 1, "hooks": {"preToolUse": [entry]}});
        fs::write(hooks.join(format!("{number:05}.json")), text.to_string())?;
    }
    Ok(root.to_owned())
}

fn median(hookkit: &Path, command: &str, repository: &Path) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let mut program = Command::new(hookkit);
        program.args([command, "--json", "--repo"]).arg(repository);
        round::set_environment(&mut program);
        program.stdin(Stdio::null()).current_dir(repository);
        let clock = Instant::now();
        let output = program.output()?;
        times.push(clock.elapsed());
        let said = String::from_utf8_lossy(&output.stderr);
        // 1: it found something, as it should in so many files.
        ensure!(
            matches!(output.status.code(), Some(0 | 1)) && output.stdout.starts_with(b"{"),
            "hookkit {command}: {}: {said}",
            output.status
        );
    }
    times.sort_unstable();
    times.get(RUNS / 2).copied().context("there were runs")
}
