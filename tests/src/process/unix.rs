use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process_group};

/// The program becomes the leader of a group.
pub(super) fn in_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Ends all members of the group that are left. Fails when there are none, which is as well.
pub(super) fn kill_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Asks them to end.
pub(super) fn terminate_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::TERM);
}

/// The signal that ended the program.
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}
