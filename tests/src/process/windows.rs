//! Windows has no process groups: the program alone is ended.

use std::process::{Child, Command, ExitStatus};

pub(super) fn in_own_group(_: &mut Command) {}

pub(super) fn kill_group(child: &mut Child) {
    let _ = child.kill();
}

pub(super) fn terminate_group(child: &mut Child) {
    let _ = child.kill();
}

pub(super) fn signal(_: ExitStatus) -> Option<i32> {
    None
}
