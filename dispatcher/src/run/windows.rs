//! Hooks on Windows: each in a job object of its own, so that its whole tree can be ended.
//!
//! A hook is created suspended, put into its job, and only then started: nothing it starts can be
//! outside. When it ends by itself the job lets go of what it left running. Pipes of Windows
//! cannot be waited for together, so each hook has a thread for each of its ends; every one of
//! them reports to one channel.

use super::{
    Capture, End, Finished, GRACE, HELD_OPEN, Job, MOST_STDERR, MOST_STDOUT, limit, refused,
};
use crate::payload::Source;
use std::io::{self, Read, Write};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;
use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Console::SetConsoleCtrlHandler;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{CREATE_NO_WINDOW, CREATE_SUSPENDED};

/// Room for one read.
const READ: usize = 64 * 1024;

/// stdin of this process, read by a thread of its own.
#[derive(Default)]
pub struct Stdin {
    chunks: Option<Receiver<io::Result<Vec<u8>>>>,
}

impl Source for Stdin {
    fn read_until(&mut self, until: Instant, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let chunks = self.chunks.get_or_insert_with(read_stdin);
        let left = until.saturating_duration_since(Instant::now());
        match chunks.recv_timeout(left) {
            Ok(Ok(chunk)) => {
                buffer.extend_from_slice(&chunk);
                Ok(Some(chunk.len()))
            }
            Ok(Err(error)) => Err(error),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(0)),
        }
    }
}

fn read_stdin() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = vec![0; READ];
        loop {
            let chunk = io::stdin().lock().read(&mut bytes);
            let is_last = !matches!(chunk, Ok(1..));
            let chunk = chunk.map(|count| bytes[..count].to_vec());
            if sender.send(chunk).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

/// What the threads report, with the index of the hook.
enum Report {
    Stdout(usize, Option<Vec<u8>>),
    Stderr(usize, Option<Vec<u8>>),
    Exit(usize, Option<i32>),
    HostSignal,
}

/// Where the console handler reports to.
static HOST: OnceLock<Mutex<Option<Sender<Report>>>> = OnceLock::new();

/// Runs jobs side by side until each has ended; gives their ends in the order of the jobs.
///
/// When the host sends Ctrl-Break or closes the console, every hook is ended at once.
pub fn run(jobs: &[Job], deadline: Instant) -> Vec<Finished> {
    let (sender, reports) = channel();
    listen_to_host(sender.clone());
    let finished = std::thread::scope(|scope| {
        let mut states: Vec<State> = jobs
            .iter()
            .enumerate()
            .map(|(index, job)| start(scope, index, job, deadline, &sender))
            .collect();
        while states.iter().any(|state| state.ended.is_none()) {
            let next = states
                .iter()
                .filter(|state| state.ended.is_none())
                .map(State::next_moment)
                .min()
                .unwrap_or(deadline);
            let left = next.saturating_duration_since(Instant::now());
            if let Ok(report) = reports.recv_timeout(left) {
                take(&mut states, report);
            }
            for state in &mut states {
                state.step();
            }
        }
        states.into_iter().filter_map(|state| state.ended).collect()
    });
    if let Some(host) = HOST.get()
        && let Ok(mut host) = host.lock()
    {
        *host = None;
    }
    finished
}

struct State {
    tree: Option<JobObject>,
    started: Instant,
    out: Capture,
    err: Capture,
    open_outputs: usize,
    limit: (Instant, End),
    exit: Option<(End, Instant)>,
    ending: Option<End>,
    ended: Option<Finished>,
    leaves_nothing: bool,
}

fn start<'scope, 'env>(
    scope: &'scope std::thread::Scope<'scope, 'env>,
    index: usize,
    job: &'env Job<'env>,
    deadline: Instant,
    sender: &Sender<Report>,
) -> State {
    let started = Instant::now();
    let mut state = State {
        tree: None,
        started,
        out: Capture::new(MOST_STDOUT),
        err: Capture::new(MOST_STDERR),
        open_outputs: 0,
        limit: limit(job, started, deadline),
        exit: None,
        ending: None,
        ended: None,
        leaves_nothing: job.leaves_nothing,
    };
    match spawn(job) {
        Err(error) => state.ended = Some(Finished::not_started(refused(&job.command, &error))),
        Ok((mut child, tree)) => {
            state.tree = Some(tree);
            state.open_outputs = 2;
            let (stdin, stdout, stderr) =
                (child.stdin.take(), child.stdout.take(), child.stderr.take());
            if let Some(mut stdin) = stdin {
                // A hook that does not read is no fault: the thread ends with the pipe. It may
                // outlive the hook while somebody holds the other end, so it owns its bytes.
                let bytes = job.stdin.concat();
                std::thread::spawn(move || stdin.write_all(&bytes));
            }
            if let Some(stdout) = stdout {
                let sender = sender.clone();
                std::thread::spawn(move || {
                    pump(stdout, |chunk| sender.send(Report::Stdout(index, chunk)));
                });
            }
            if let Some(stderr) = stderr {
                let sender = sender.clone();
                std::thread::spawn(move || {
                    pump(stderr, |chunk| sender.send(Report::Stderr(index, chunk)));
                });
            }
            let sender = sender.clone();
            scope.spawn(move || {
                let code = child.wait().ok().and_then(|status| status.code());
                let _ = sender.send(Report::Exit(index, code));
            });
        }
    }
    state
}

/// Sends everything that comes, then the end.
fn pump<E>(mut pipe: impl Read, mut send: impl FnMut(Option<Vec<u8>>) -> Result<(), E>) {
    let mut bytes = vec![0; READ];
    while let Ok(count @ 1..) = pipe.read(&mut bytes) {
        if send(Some(bytes[..count].to_vec())).is_err() {
            return;
        }
    }
    let _ = send(None);
}

fn take(states: &mut [State], report: Report) {
    match report {
        Report::Stdout(index, Some(chunk)) => states[index].out.take(&chunk),
        Report::Stderr(index, Some(chunk)) => states[index].err.take(&chunk),
        Report::Stdout(index, None) | Report::Stderr(index, None) => {
            states[index].open_outputs -= 1;
        }
        Report::Exit(index, code) => {
            let end = code.map_or(End::Signal(0), End::Exited);
            states[index].exit = Some((end, Instant::now()));
        }
        Report::HostSignal => {
            for state in states.iter_mut().filter(|state| state.ended.is_none()) {
                state.end(End::HostSignal);
            }
        }
    }
}

impl State {
    fn step(&mut self) {
        if self.ended.is_some() {
            return;
        }
        if self.exit.is_none() && self.ending.is_none() && Instant::now() >= self.limit.0 {
            self.end(self.limit.1.clone());
        }
        let Some((exit, at)) = &self.exit else { return };
        if self.ending.is_none() && self.open_outputs > 0 && at.elapsed() < HELD_OPEN {
            return;
        }
        let end = self.ending.clone().unwrap_or_else(|| exit.clone());
        self.ended = Some(Finished {
            end,
            stdout: std::mem::take(&mut self.out.bytes),
            stdout_overflowed: self.out.overflowed,
            stderr: std::mem::take(&mut self.err.bytes),
            elapsed: self.started.elapsed(),
        });
        // What is not let go of ends with its job object.
        if self.ending.is_none()
            && !self.leaves_nothing
            && let Some(tree) = &self.tree
        {
            tree.let_go();
        }
    }

    /// Ends the whole tree. There is no gentler way that a console-less process would hear.
    fn end(&mut self, end: End) {
        if let Some(tree) = &self.tree {
            tree.terminate();
        }
        self.ending = Some(end);
    }

    fn next_moment(&self) -> Instant {
        match (&self.exit, &self.ending) {
            (Some((_, at)), _) => *at + HELD_OPEN,
            (None, Some(_)) => Instant::now() + GRACE,
            (None, None) => self.limit.0,
        }
    }
}

fn spawn(job: &Job) -> io::Result<(Child, JobObject)> {
    let mut command = Command::new(&job.command.program);
    command
        .args(&job.command.args)
        .env_clear()
        .envs(job.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // No window flashes for a hook, and it does not run before it is in its job.
        .creation_flags(CREATE_SUSPENDED | CREATE_NO_WINDOW);
    if let Some(cwd) = &job.cwd {
        command.current_dir(cwd);
    }
    let tree = JobObject::new()?;
    let mut child = command.spawn()?;
    if let Err(error) = tree.take(&child).and_then(|()| resume(&child)) {
        let _ = child.kill();
        return Err(error);
    }
    Ok((child, tree))
}

struct JobObject(OwnedHandle);

impl JobObject {
    #[expect(unsafe_code, reason = "job objects have no safe binding")]
    fn new() -> io::Result<Self> {
        // SAFETY: no pointers are passed; the handle is checked before it is owned.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is valid and nobody else owns it.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
        job.set_flags(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE)?;
        Ok(job)
    }

    fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    #[expect(unsafe_code, reason = "job objects have no safe binding")]
    fn set_flags(&self, flags: u32) -> io::Result<()> {
        // SAFETY: all zeros is "no limit"; the size is that of the structure passed.
        unsafe {
            let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = std::mem::zeroed();
            limits.BasicLimitInformation.LimitFlags = flags;
            let size = u32::try_from(size_of_val(&limits)).unwrap_or(0);
            check(SetInformationJobObject(
                self.handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size,
            ))
        }
    }

    #[expect(unsafe_code, reason = "job objects have no safe binding")]
    fn take(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are owned and open.
        check(unsafe { AssignProcessToJobObject(self.handle(), child.as_raw_handle()) })
    }

    #[expect(unsafe_code, reason = "job objects have no safe binding")]
    fn terminate(&self) {
        // SAFETY: the handle is owned and open. A job that is empty already is no error to anybody.
        unsafe {
            TerminateJobObject(self.handle(), 1);
        }
    }

    /// What the hook deliberately left running stays when the job is closed.
    fn let_go(&self) {
        // A job that keeps its flag ends the rest at worst, as an ended hook would.
        let _ = self.set_flags(0);
    }
}

/// Starts the first thread of a process that was created suspended.
///
/// The handle of that thread is not kept by the standard library, and finding it in a list of all
/// threads of the system takes milliseconds; this call of the system's native interface, there
/// since Windows XP, takes the process instead.
#[expect(unsafe_code, reason = "there is no safe way to resume a process")]
fn resume(child: &Child) -> io::Result<()> {
    #[link(name = "ntdll")]
    unsafe extern "system" {
        fn NtResumeProcess(process: HANDLE) -> i32;
    }
    // SAFETY: the handle is owned and open.
    let status = unsafe { NtResumeProcess(child.as_raw_handle()) };
    if status >= 0 {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "cannot start it: NT status {status:#x}"
        )))
    }
}

#[expect(unsafe_code, reason = "console handlers have no safe binding")]
fn listen_to_host(sender: Sender<Report>) {
    unsafe extern "system" fn on_event(_event: u32) -> i32 {
        if let Some(host) = HOST.get()
            && let Ok(host) = host.lock()
            && let Some(sender) = &*host
        {
            return i32::from(sender.send(Report::HostSignal).is_ok());
        }
        0
    }
    let host = HOST.get_or_init(|| Mutex::new(None));
    if let Ok(mut host) = host.lock() {
        *host = Some(sender);
    }
    // SAFETY: the handler lives as long as the process. Without it a signal ends hookkit at once,
    // and the jobs end with it.
    unsafe {
        SetConsoleCtrlHandler(Some(on_event), 1);
    }
}

fn check(result: i32) -> io::Result<()> {
    if result == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
