//! Hooks on Unix: one `poll` over every pipe and one pipe for signals, no thread, no waiting in
//! steps.

use super::ancestry;
use super::signals::{Seen, Signals};
use super::spawn::{Channels, spawn};
use super::tree::{self, Tree};
use super::{
    Capture, End, Finished, GRACE, HELD_OPEN, Job, MOST_STDERR, MOST_STDOUT, limit, refused,
};
use crate::payload::{LARGEST, Source};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, WaitStatus, waitpgid, waitpid};
use std::io::{self, IoSlice, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What is asked for pipes of payloads that one filling does not hold: the most that Linux gives.
const LARGE_PIPE: usize = 1 << 20;

/// From so many bytes on a pipe is given pages: less is copied sooner.
#[cfg(target_os = "linux")]
const WORTH_NO_COPY: usize = 256 * 1024;

/// What a new pipe takes without waiting on any system.
const TAKEN_AT_ONCE: usize = 4096;

/// stdin of this process.
pub struct Stdin;

impl Source for Stdin {
    fn read_until(&mut self, until: Instant, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let stdin = rustix::stdio::stdin();
        loop {
            let Some(left) = until.checked_duration_since(Instant::now()) else {
                return Ok(None);
            };
            let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
            match poll(&mut ready, Some(&timespec(left))) {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            }
            if buffer.len() == buffer.capacity() {
                enlarge(stdin);
                buffer.reserve(if buffer.len() < LARGE_PIPE / 4 {
                    buffer.len().max(4096)
                } else {
                    // All that may come: pages that are never read into are never made, and to
                    // move those that were takes large ones apart.
                    LARGEST.saturating_sub(buffer.len()).max(LARGE_PIPE)
                });
            }
            match rustix::io::read(stdin, rustix::buffer::spare_capacity(buffer)) {
                Err(Errno::INTR | Errno::AGAIN) => {}
                Ok(count) => return Ok(Some(count)),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Signals go to the whole process: one call of [`run`] listens at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs jobs side by side until each has ended; gives their ends in the order of the jobs.
///
/// When the host sends a signal, every hook is ended at once.
pub fn run(jobs: &[Job], deadline: Instant) -> Vec<Finished> {
    let _listening = ONE_AT_A_TIME.lock();
    let signals = match Signals::listen() {
        Ok(signals) => signals,
        Err(error) => {
            return jobs
                .iter()
                .map(|job| Finished::not_started(refused(&job.command, &error)))
                .collect();
        }
    };
    tree::adopt_orphans();
    ancestry::take_name();
    let is_alone = jobs.len() == 1;
    let mut states: Vec<State> = jobs
        .iter()
        .map(|job| start(job, deadline, is_alone))
        .collect();
    while states
        .iter()
        .any(|state| matches!(state, State::Running(_)))
    {
        let ready = wait(&states, &signals);
        let seen = signals.take();
        for ((state, job), ready) in states.iter_mut().zip(jobs).zip(ready) {
            if let State::Running(running) = state {
                running.step(job, ready, seen);
                if let Some(finished) = running.finished() {
                    if job.leaves_nothing {
                        running.tree.end();
                    }
                    *state = State::Ended(finished);
                }
            }
        }
    }
    states
        .into_iter()
        .map(|state| match state {
            State::Ended(finished) => finished,
            State::Running(_) => unreachable!("the loop above ends with the last running hook"),
        })
        .collect()
}

enum State {
    Running(Box<Running>),
    Ended(Finished),
}

struct Running {
    /// Leader of its process group.
    leader: Pid,
    tree: Tree,
    started: Instant,
    /// What is left to write, as piece and offset in it.
    stdin: Option<(OwnedFd, usize, usize)>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    out: Capture,
    err: Capture,
    /// When it is ended, and how that is called.
    limit: (Instant, End),
    /// The exit, once it has happened.
    exit: Option<(End, Instant)>,
    /// The end that hookkit made, and when it becomes final.
    ending: Option<(End, Instant)>,
}

fn start(job: &Job, deadline: Instant, is_alone: bool) -> State {
    match Running::start(job, deadline, is_alone) {
        Ok(running) => State::Running(Box::new(running)),
        Err(error) => State::Ended(Finished::not_started(refused(&job.command, &error))),
    }
}

/// The hook's end of its stdin, and ours while something is left to write.
///
/// A small payload lies in the pipe already when the hook starts: it never waits for it.
fn input(job: &Job) -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    let (reader, mut writer) = io::pipe()?;
    let length: usize = job.stdin.iter().map(|piece| piece.len()).sum();
    if length <= TAKEN_AT_ONCE {
        writer.write_all(&job.stdin.concat())?;
        return Ok((reader.into(), None));
    }
    let writer = OwnedFd::from(writer);
    enlarge(writer.as_fd());
    Ok((reader.into(), Some(writer)))
}

/// Lets a pipe hold more, so that its two ends wait for each other less often.
#[cfg(target_os = "linux")]
fn enlarge(pipe: BorrowedFd) {
    // What is no pipe, or is as large as it may become, stays as it is.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, LARGE_PIPE);
}

#[cfg(not(target_os = "linux"))]
fn enlarge(_pipe: BorrowedFd) {}

/// Which pipes of a hook can be used without waiting.
#[derive(Clone, Copy, Default)]
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

/// Waits until something can happen: a pipe is ready, a signal came, a limit is reached.
fn wait(states: &[State], signals: &Signals) -> Vec<Ready> {
    let mut polled = vec![PollFd::new(signals, PollFlags::IN)];
    let mut until: Option<Instant> = None;
    for running in states.iter().filter_map(State::running) {
        let next = running.next_moment();
        until = Some(until.map_or(next, |until| until.min(next)));
        let input = running.stdin.as_ref().map(|(pipe, ..)| pipe);
        polled.extend(input.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        let outputs = [&running.stdout, &running.stderr];
        polled.extend(
            outputs
                .into_iter()
                .flatten()
                .map(|pipe| PollFd::new(pipe, PollFlags::IN)),
        );
    }
    let left = until.map_or(Duration::ZERO, |until| {
        until.saturating_duration_since(Instant::now())
    });
    let came = poll(&mut polled, Some(&timespec(left))).is_ok();
    // An interrupted wait is a signal that came: the pipe says which. No pipe is known to be ready.
    let mut flags = polled
        .iter()
        .skip(1)
        .map(|pipe| came && !pipe.revents().is_empty());
    states
        .iter()
        .map(|state| match state.running() {
            None => Ready::default(),
            Some(running) => Ready {
                stdin: running.stdin.is_some() && flags.next().unwrap_or(false),
                stdout: running.stdout.is_some() && flags.next().unwrap_or(false),
                stderr: running.stderr.is_some() && flags.next().unwrap_or(false),
            },
        })
        .collect()
}

impl State {
    fn running(&self) -> Option<&Running> {
        match self {
            Self::Running(running) => Some(running),
            Self::Ended(_) => None,
        }
    }
}

impl Running {
    fn start(job: &Job, deadline: Instant, is_alone: bool) -> io::Result<Self> {
        let (stdin, rest) = input(job)?;
        let (stdout, their_stdout) = io::pipe()?;
        let (stderr, their_stderr) = io::pipe()?;
        let channels = Channels {
            stdin,
            stdout: their_stdout.into(),
            stderr: their_stderr.into(),
        };
        let started = Instant::now();
        let leader = spawn(job, &channels)?;
        let mut running = Self {
            stdout: Some(stdout.into()),
            stderr: Some(stderr.into()),
            stdin: rest.map(|pipe| (pipe, 0, 0)),
            tree: Tree::new(leader.as_raw_pid().unsigned_abs(), &job.mark, is_alone),
            leader,
            started,
            out: Capture::new(MOST_STDOUT),
            err: Capture::new(MOST_STDERR),
            limit: limit(job, started, deadline),
            exit: None,
            ending: None,
        };
        running.do_not_wait();
        Ok(running)
    }

    /// A payload that a pipe does not take at once is written piece by piece.
    fn do_not_wait(&mut self) {
        if let Some((pipe, ..)) = &self.stdin
            && fcntl_setfl(pipe, OFlags::NONBLOCK).is_err()
        {
            self.stdin = None;
        }
    }

    fn step(&mut self, job: &Job, ready: Ready, seen: Seen) {
        if ready.stdin {
            self.feed(job);
        }
        if ready.stdout {
            drain(&mut self.stdout, &mut self.out);
        }
        if ready.stderr {
            drain(&mut self.stderr, &mut self.err);
        }
        if seen.child_ended {
            self.see_ended();
        }
        self.end_in_time(seen.told_to_end);
    }

    /// Learns of the hook's own end, and sees off what it orphaned: this process has adopted it.
    fn see_ended(&mut self) {
        if self.exit.is_none()
            && let Ok(Some((_, status))) = waitpid(Some(self.leader), WaitOptions::NOHANG)
        {
            self.has_ended(status);
        }
        while let Ok(Some((ended, status))) = waitpgid(self.leader, WaitOptions::NOHANG) {
            if ended == self.leader {
                self.has_ended(status);
            }
        }
    }

    fn has_ended(&mut self, status: WaitStatus) {
        let end = match status.exit_status() {
            Some(code) => End::Exited(code),
            None => End::Signal(status.terminating_signal().unwrap_or(0)),
        };
        self.exit = Some((end, Instant::now()));
    }

    fn end_in_time(&mut self, told_to_end: bool) {
        let now = Instant::now();
        match &self.ending {
            Some((_, kill_at)) if now < *kill_at && self.exit.is_none() => {}
            Some(_) => {
                self.tree.end();
                self.reap(now);
                self.let_go();
            }
            None if told_to_end => {
                self.tree.end();
                self.reap(now);
                self.ending = Some((End::HostSignal, now));
                self.let_go();
            }
            None if self.exit.is_none() && now >= self.limit.0 => {
                self.tree.ask();
                self.ending = Some((self.limit.1.clone(), now + GRACE));
            }
            None => {}
        }
    }

    /// Waits for a hook that was sent a signal which no process survives.
    fn reap(&mut self, now: Instant) {
        if self.exit.is_none() {
            while let Err(Errno::INTR) = waitpid(Some(self.leader), WaitOptions::empty()) {}
            self.exit = Some((End::Signal(libc::SIGKILL), now));
        }
    }

    /// Closes the pipes: nothing more is read of a hook that was ended.
    fn let_go(&mut self) {
        self.stdin = None;
        self.stdout = None;
        self.stderr = None;
    }

    fn finished(&mut self) -> Option<Finished> {
        let (exit, at) = self.exit.as_ref()?;
        let is_drained = self.stdout.is_none() && self.stderr.is_none();
        if !is_drained && at.elapsed() < HELD_OPEN {
            return None;
        }
        let end = match &self.ending {
            Some((ending, _)) => ending.clone(),
            None => exit.clone(),
        };
        Some(Finished {
            end,
            stdout: std::mem::take(&mut self.out.bytes),
            stdout_overflowed: self.out.overflowed,
            stderr: std::mem::take(&mut self.err.bytes),
            elapsed: self.started.elapsed(),
        })
    }

    /// The next moment at which something must be done even if no pipe becomes ready.
    fn next_moment(&self) -> Instant {
        match (&self.exit, &self.ending) {
            (Some((_, at)), _) => *at + HELD_OPEN,
            (None, Some((_, kill_at))) => *kill_at,
            (None, None) => self.limit.0,
        }
    }

    /// Writes what the pipe takes. A hook that does not read is no fault: its pipe is closed.
    fn feed(&mut self, job: &Job) {
        let Some((pipe, piece, offset)) = &mut self.stdin else {
            return;
        };
        while *piece < job.stdin.len() {
            let mut slices = Vec::with_capacity(job.stdin.len() - *piece);
            slices.push(IoSlice::new(&job.stdin[*piece][*offset..]));
            slices.extend(
                job.stdin[*piece + 1..]
                    .iter()
                    .map(|rest| IoSlice::new(rest)),
            );
            // Systems take a limited number of pieces in one call.
            slices.truncate(16);
            let length: usize = slices.iter().map(|slice| slice.len()).sum();
            match give(pipe.as_fd(), &slices, length) {
                Ok(mut written) => {
                    let is_full = written < length;
                    while *piece < job.stdin.len() && written >= job.stdin[*piece].len() - *offset {
                        written -= job.stdin[*piece].len() - *offset;
                        *piece += 1;
                        *offset = 0;
                    }
                    *offset += written;
                    if is_full {
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => break,
            }
        }
        self.stdin = None;
    }
}

/// Fills a pipe from slices of this length; says with how many bytes. From large payloads it gets the pages that they lie in,
/// and no copy: nothing is written to those until this process ends.
#[cfg(target_os = "linux")]
fn give(pipe: BorrowedFd, slices: &[IoSlice], length: usize) -> rustix::io::Result<usize> {
    use rustix::pipe::{IoSliceRaw, SpliceFlags, vmsplice};

    if length >= WORTH_NO_COPY {
        let pages: Vec<IoSliceRaw> = slices
            .iter()
            .map(|slice| IoSliceRaw::from_slice(slice))
            .collect();
        #[expect(unsafe_code, reason = "whoever reads the pipe shares these pages")]
        // SAFETY: the slices borrow from the job, whose payload nobody writes to; a page that is
        // given back to the system stays the pipe's.
        let given = unsafe { vmsplice(pipe, &pages, SpliceFlags::NONBLOCK) };
        match given {
            // A sandbox may not have the call.
            Err(Errno::NOSYS | Errno::INVAL | Errno::PERM) => {}
            given => return given,
        }
    }
    rustix::io::writev(pipe, slices)
}

#[cfg(not(target_os = "linux"))]
fn give(pipe: BorrowedFd, slices: &[IoSlice], _length: usize) -> rustix::io::Result<usize> {
    rustix::io::writev(pipe, slices)
}

/// Reads what is there; closes the pipe at its end.
fn drain(pipe: &mut Option<OwnedFd>, capture: &mut Capture) {
    let Some(open) = pipe else {
        return;
    };
    match rustix::io::read(&*open, rustix::buffer::spare_capacity(capture.room())) {
        Ok(1..) => capture.cut(),
        Err(Errno::INTR) => {}
        Ok(_) | Err(_) => *pipe = None,
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
