//! Processes that outlive the dispatcher.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Plugin;

/// Living processes that were started from a plugin: its folder stands in their arguments or in their environment,
/// where the dispatcher put it.
pub fn of(plugin: &Plugin) -> Vec<u32> {
    of_folder(&plugin.path())
}

/// Living processes that this folder is named to.
fn of_folder(folder: &Path) -> Vec<u32> {
    let mark = folder.as_os_str().as_encoded_bytes();
    let holds = |file: String| {
        std::fs::read(file).is_ok_and(|bytes| bytes.windows(mark.len()).any(|part| part == mark))
    };
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| {
            lives(*pid)
                && (holds(format!("/proc/{pid}/cmdline")) || holds(format!("/proc/{pid}/environ")))
        })
        .collect()
}

/// Whether a process exists and has not ended.
pub fn lives(pid: u32) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat
            .rsplit_once(')')
            .map_or("", |(_, rest)| rest.trim_start());
        !state.starts_with(['Z', 'X'])
    })
}

/// Panics when something of a plugin still lives. A killed process may need a moment to go.
pub fn assert_none(plugin: &Plugin) {
    assert_none_of(&plugin.path());
}

/// The same of anything below a folder.
pub fn assert_none_of(folder: &Path) {
    let end = Instant::now() + Duration::from_secs(2);
    loop {
        let left = of_folder(folder);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < end, "still alive: {left:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
