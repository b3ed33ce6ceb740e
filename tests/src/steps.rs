//! The calls by which a program changes anything on disk, one after the other: at each of them a test
//! ends it, or lets it fail.

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;

use crate::environment::is_long_run;
use crate::process::Program;
use crate::program;

/// The calls by which a run changes anything.
const CHANGES: [&str; 11] = [
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "fsync",
];

/// Of so many steps one is tried where there is no time for all.
const EVERY: usize = 4;

/// One of them: the call, and how often it had been made.
#[derive(Debug, Clone)]
pub struct Step {
    call: String,
    count: usize,
}

impl Step {
    /// The program, with something done to it at this step, in the words of `strace`.
    pub fn of(&self, program: Program, what: &str) -> Program {
        let inject = format!("inject={}:{what}:when={}", self.call, self.count);
        program.under("strace", &["-qq", "-o", "/dev/null", "-e", &inject])
    }
}

/// The steps that a program makes, as many as there is time for; `None`, and said loudly, where no
/// process can be traced.
pub fn of(program: Program, trace: &Path) -> Option<Vec<Step>> {
    if !program::needs(&["strace"]) {
        return None;
    }
    let set = format!("trace={}", CHANGES.join(","));
    let trace_name = trace.to_str().expect("text");
    let ran = program
        .under("strace", &["-qq", "-e", &set, "-o", trace_name])
        .run();
    let text = fs::read_to_string(trace).unwrap_or_default();
    if !program::can(
        ran.exited(0) && !text.is_empty(),
        "no process can be traced",
    ) {
        return None;
    }
    let mut counts = BTreeMap::new();
    let calls = text.lines().filter_map(|line| line.split_once('('));
    let steps: Vec<Step> = calls
        .filter(|(call, _)| CHANGES.contains(call))
        .map(|(call, _)| {
            let count = counts.entry(call.to_owned()).or_insert(0);
            *count += 1;
            Step {
                call: call.to_owned(),
                count: *count,
            }
        })
        .collect();
    assert!(steps.len() >= 8, "{steps:?}");
    let every = if is_long_run() { 1 } else { EVERY };
    Some(steps.into_iter().step_by(every).collect())
}
