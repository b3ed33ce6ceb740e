//! What a person at a terminal sees while something is fetched.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Shorter waits need no bar.
const BEFORE: Duration = Duration::from_secs(1);

/// Gone from the screen with the value. Without a terminal on stderr nothing is drawn.
pub(super) struct Progress {
    began: Instant,
    what: String,
    bar: Option<ProgressBar>,
    is_wanted: bool,
}

impl Progress {
    pub(super) fn new(what: String, is_wanted: bool) -> Self {
        Self {
            began: Instant::now(),
            what,
            bar: None,
            is_wanted,
        }
    }

    /// This much has come, of that much where it is known.
    pub(super) fn show(&mut self, come: u64, all: Option<u64>) {
        if !self.is_wanted || self.began.elapsed() < BEFORE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(&self.what, all));
        bar.set_position(come);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &str, all: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(all, ProgressDrawTarget::stderr());
    let template = if all.is_some() {
        "{msg} [{bar:24}] {bytes}/{total_bytes} {bytes_per_sec}"
    } else {
        "{msg} {spinner} {bytes} {bytes_per_sec}"
    };
    // The templates are valid; the usual style would do as well.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.set_message(what.to_owned());
    bar
}
