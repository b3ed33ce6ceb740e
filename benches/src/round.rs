//! Starting the programs and timing them.

use std::ffi::OsString;
use std::io::{PipeWriter, Write as _, pipe};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;

use crate::plugin::Payloads;
use crate::row::{Group, Row, Start};

const WARM_UP_ROUNDS: usize = 5;

/// All rows of one group, measured together.
pub(crate) struct Run<'r> {
    pub(crate) rounds: usize,
    /// A row's nanoseconds, one figure for each round.
    pub(crate) samples: Vec<(&'r Row, Vec<u64>)>,
}

impl<'r> Run<'r> {
    pub(crate) fn of(
        rows: &'r [Row],
        group: Group,
        payloads: &Payloads,
        rounds: usize,
    ) -> Result<Self> {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
        let samples = interleave(&rows, payloads.of(group), rounds)?;
        Ok(Self {
            rounds,
            samples: rows.into_iter().zip(samples).collect(),
        })
    }
}

/// Nanoseconds of every row, in the rows' order, one figure for each round.
fn interleave(rows: &[&Row], payload: &[u8], rounds: usize) -> Result<Vec<Vec<u64>>> {
    let mut samples = vec![Vec::with_capacity(rounds); rows.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut shuffle = Shuffle(0x9e37_79b9_7f4a_7c15);
    for round in 0..WARM_UP_ROUNDS + rounds {
        shuffle.shuffle(&mut order);
        for &index in &order {
            let nanoseconds = time(rows[index], payload)?;
            if round >= WARM_UP_ROUNDS {
                samples[index].push(nanoseconds);
            }
        }
    }
    Ok(samples)
}

fn time(row: &Row, payload: &[u8]) -> Result<u64> {
    let mut total = 0;
    for start in &row.starts {
        if row.group == Group::Cold {
            leave_cache(&start.program)?;
        }
        total += time_one(start, payload)
            .with_context(|| format!("{}: {}", row.name, start.program.display()))?;
    }
    Ok(total)
}

/// From the request to start (posix_spawn on Linux) until the process has been waited for. Pipe,
/// arguments and environment are made before the clock runs.
fn time_one(start: &Start, payload: &[u8]) -> Result<u64> {
    let mut command = command(start);
    command.stdout(null()?).stderr(null()?);
    let (reader, mut writer) = pipe()?;
    command.stdin(reader);
    let is_small = payload.len() <= TAKEN_AT_ONCE;
    let (clock, status) = if is_small {
        writer.write_all(payload)?;
        drop(writer);
        let clock = Instant::now();
        (clock, command.spawn()?.wait()?)
    } else {
        let clock = Instant::now();
        let mut child = command.spawn()?;
        // The command holds the reading end, which must be closed before the last byte is written.
        drop(command);
        feed(writer, payload)?;
        (clock, child.wait()?)
    };
    let taken = clock.elapsed();
    ensure!(status.success(), "ended with {status}");
    Ok(u64::try_from(taken.as_nanos())?)
}

/// What the program answers; not timed.
pub(crate) fn reply(start: &Start, payload: &[u8]) -> Result<Output> {
    let mut command = command(start);
    if payload.len() > TAKEN_AT_ONCE {
        // What comes back may be as large as what went in.
        command.stdout(null()?);
    } else {
        command.stdout(Stdio::piped());
    }
    fed(command, payload).with_context(|| format!("cannot start {}", start.program.display()))
}

/// What a program says that is given the payload.
pub(crate) fn fed(mut command: Command, payload: &[u8]) -> Result<Output> {
    let (reader, writer) = pipe()?;
    let child = command.stdin(reader).stderr(Stdio::piped()).spawn()?;
    drop(command);
    feed(writer, payload)?;
    Ok(child.wait_with_output()?)
}

/// Writes what the program reads; one that does not want it all has closed its end.
fn feed(mut writer: PipeWriter, payload: &[u8]) -> Result<()> {
    match writer.write_all(payload) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn null() -> Result<Stdio> {
    let file = fs::OpenOptions::new().write(true).open(NULL_DEVICE)?;
    Ok(file.into_file().into())
}

fn command(start: &Start) -> Command {
    let mut command = Command::new(&start.program);
    command.args(&start.arguments);
    set_environment(&mut command);
    command.envs(start.variables.iter().map(|(name, value)| (name, value)));
    command
}

/// Where every row looks for programs.
pub(crate) fn path() -> OsString {
    if cfg!(windows) {
        of_caller("PATH")
    } else {
        "/usr/local/bin:/usr/bin:/bin".into()
    }
}

/// Nothing of the caller's environment, except what a host always has.
pub(crate) fn set_environment(command: &mut Command) {
    command
        .env_clear()
        .env("PATH", path())
        .env("HOME", "/nonexistent");
    if cfg!(windows) {
        // Without it nothing that asks for random bytes starts.
        command.env("SystemRoot", of_caller("SystemRoot"));
    }
}

#[expect(clippy::disallowed_methods, reason = "what Windows itself has set")]
pub(crate) fn of_caller(variable: &str) -> OsString {
    std::env::var_os(variable).unwrap_or_default()
}

/// A pipe that holds a payload of 1 KiB and has been closed by its writer.
pub(crate) fn filled(payload: &[u8]) -> Result<Stdio> {
    let (reader, mut writer) = pipe()?;
    writer.write_all(payload)?;
    Ok(reader.into())
}

/// Asks the system to forget what it has in memory of a file.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "advice about files has no safe binding")]
fn leave_cache(file: &std::path::Path) -> Result<()> {
    use std::os::fd::AsRawFd as _;
    let open = fs::File::open(file)?;
    // What was not written yet cannot be forgotten.
    open.sync_all()?;
    // SAFETY: the descriptor is open; the advice changes nothing that is in the file.
    let error = unsafe { libc::posix_fadvise(open.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
    ensure!(
        error == 0,
        "{} stays in memory: error {error}",
        file.display()
    );
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn leave_cache(_file: &std::path::Path) -> Result<()> {
    Ok(())
}

/// What a pipe takes without waiting on any system.
const TAKEN_AT_ONCE: usize = 4096;

const NULL_DEVICE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Fisher-Yates over xorshift: a fixed sequence is enough, it only has to mix the rows.
struct Shuffle(u64);

impl Shuffle {
    fn shuffle(&mut self, order: &mut [usize]) {
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit
    }
}

#[cfg(test)]
mod tests {
    use super::Shuffle;

    #[test]
    fn every_row_is_first_about_equally_often() {
        let mut shuffle = Shuffle(0x9e37_79b9_7f4a_7c15);
        let mut order = [0, 1, 2, 3, 4];
        let mut first = [0_usize; 5];
        for _ in 0..5000 {
            shuffle.shuffle(&mut order);
            first[order[0]] += 1;
        }
        assert!(
            first.iter().all(|count| (800..1200).contains(count)),
            "{first:?}"
        );
    }
}
