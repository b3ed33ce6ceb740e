//! Starting the programs and timing them.

use std::io::{PipeReader, Write as _, pipe};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;

use crate::row::{Row, Start};

const WARM_UP_ROUNDS: usize = 5;

/// Nanoseconds of every row, in the rows' order, one figure for each round.
pub(crate) fn interleave(rows: &[Row], payload: &[u8], rounds: usize) -> Result<Vec<Vec<u64>>> {
    let mut samples = vec![Vec::with_capacity(rounds); rows.len()];
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut shuffle = Shuffle(0x9e37_79b9_7f4a_7c15);
    for round in 0..WARM_UP_ROUNDS + rounds {
        shuffle.shuffle(&mut order);
        for &index in &order {
            let nanoseconds = time(&rows[index], payload)?;
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
        total += time_one(start, payload)
            .with_context(|| format!("{}: {}", row.name, start.program.display()))?;
    }
    Ok(total)
}

/// From the request to start (posix_spawn on Linux) until the process has been waited for. Pipe,
/// arguments and environment are made before the clock runs.
fn time_one(start: &Start, payload: &[u8]) -> Result<u64> {
    let mut command = command(start);
    command
        .stdin(filled(payload)?)
        .stdout(
            fs::OpenOptions::new()
                .write(true)
                .open(NULL_DEVICE)?
                .into_file(),
        )
        .stderr(
            fs::OpenOptions::new()
                .write(true)
                .open(NULL_DEVICE)?
                .into_file(),
        );
    let clock = Instant::now();
    let status = command.spawn()?.wait()?;
    let taken = clock.elapsed();
    ensure!(status.success(), "ended with {status}");
    Ok(u64::try_from(taken.as_nanos())?)
}

/// What the program answers; not timed.
pub(crate) fn reply(start: &Start, payload: &[u8]) -> Result<Output> {
    command(start)
        .stdin(filled(payload)?)
        .output()
        .with_context(|| format!("cannot start {}", start.program.display()))
}

fn command(start: &Start) -> Command {
    let mut command = Command::new(&start.program);
    command.args(&start.arguments);
    set_environment(&mut command);
    command
}

/// Nothing of the caller's environment, except what a host always has.
pub(crate) fn set_environment(command: &mut Command) {
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", "/nonexistent");
}

/// A pipe that holds the payload and has been closed by its writer. 1 KiB fits in any pipe.
pub(crate) fn filled(payload: &[u8]) -> Result<Stdio> {
    let (reader, mut writer): (PipeReader, _) = pipe()?;
    writer.write_all(payload)?;
    Ok(reader.into())
}

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
