//! On what it was measured.

use std::path::Path;
use std::process::Command;

use fs_err as fs;
use serde::Serialize;

use crate::round;

#[derive(Serialize)]
pub(crate) struct Machine {
    pub(crate) processor: String,
    pub(crate) cores: usize,
    pub(crate) virtualised: bool,
    pub(crate) system: String,
    /// Of the last minute, before the first round.
    pub(crate) load: String,
    pub(crate) shell: String,
    pub(crate) dispatcher: String,
}

pub(crate) fn describe(dispatch: &Path) -> Machine {
    let processor = read("/proc/cpuinfo");
    Machine {
        processor: model(&processor).unwrap_or_else(unknown),
        cores: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        virtualised: processor
            .lines()
            .any(|line| line.starts_with("flags") && line.contains(" hypervisor")),
        system: format!(
            "{} {} {}",
            std::env::consts::OS,
            read("/proc/sys/kernel/osrelease").trim(),
            std::env::consts::ARCH
        ),
        load: read("/proc/loadavg")
            .split(' ')
            .next()
            .map_or_else(unknown, str::to_owned),
        shell: shell(),
        dispatcher: version(dispatch),
    }
}

impl Machine {
    pub(crate) fn line(&self) -> String {
        format!(
            "{}, {} cores{}, {}, load {}, sh is {}, {}",
            self.processor,
            self.cores,
            if self.virtualised {
                " of a virtual machine"
            } else {
                ""
            },
            self.system,
            self.load,
            self.shell,
            self.dispatcher
        )
    }
}

/// What the processor is called, by Linux's list of them or by the system itself.
fn model(list: &str) -> Option<String> {
    let name = match std::env::consts::OS {
        "macos" => {
            let mut sysctl = Command::new("/usr/sbin/sysctl");
            let output = sysctl.args(["-n", "machdep.cpu.brand_string"]).output();
            String::from_utf8(output.ok()?.stdout).ok()?
        }
        "windows" => round::of_caller("PROCESSOR_IDENTIFIER")
            .into_string()
            .ok()?,
        _ => {
            let mut lines = list.lines();
            let (_, name) =
                lines.find_map(|line| line.strip_prefix("model name")?.split_once(':'))?;
            name.to_owned()
        }
    };
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// What `/bin/sh` is here.
fn shell() -> String {
    fs::canonicalize("/bin/sh").map_or_else(|_| unknown(), |path| path.display().to_string())
}

/// The first line of `--version`.
fn version(dispatch: &Path) -> String {
    Command::new(dispatch)
        .arg("--version")
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(unknown)
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn unknown() -> String {
    "unknown".to_owned()
}
