//! By libproc and `sysctl`. What the system keeps back of protected programs is not there.

use super::arguments::Arguments;
use super::{Process, values};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// From `sys/proc_info.h`, which the crate `libc` does not have: those of an effective user.
const PROC_UID_ONLY: u32 = 4;

/// The processes of this user with a name that is wanted; `None` where they cannot be listed.
pub(super) fn of_user(
    is_wanted: &dyn Fn(&OsStr) -> bool,
    variables: &[&'static str],
) -> Option<Vec<Process>> {
    let ids = ids(rustix::process::geteuid().as_raw())?;
    let found = ids
        .into_iter()
        .filter_map(|id| of(id, is_wanted, variables));
    Some(found.collect())
}

fn of(
    id: libc::pid_t,
    is_wanted: &dyn Fn(&OsStr) -> bool,
    variables: &[&'static str],
) -> Option<Process> {
    let about = about(id)?;
    let bytes = arguments(id)?;
    let Arguments {
        file,
        words,
        environment,
    } = Arguments::parse(&bytes)?;
    let file = Path::new(OsStr::from_bytes(file));
    // Its own name is the file's once all links are resolved, which for Claude Code is a number. A
    // title stands in the first word.
    let title = words.first().map(|word| Path::new(OsStr::from_bytes(word)));
    let paths = [Some(file), title].into_iter().flatten();
    let own = about.pbi_comm.map(libc::c_char::cast_unsigned);
    let own = own.split(|byte| *byte == 0).next().map(OsStr::from_bytes);
    let names: Vec<OsString> = paths
        .filter_map(Path::file_name)
        .chain(own)
        .map(OsStr::to_owned)
        .collect();
    if !names.iter().any(|name| is_wanted(name)) {
        return None;
    }
    let environment: Vec<&OsStr> = environment.into_iter().map(OsStr::from_bytes).collect();
    Some(Process {
        id: u32::try_from(id).ok()?,
        parent: Some(about.pbi_ppid),
        start: about.pbi_start_tvsec,
        names,
        program: Some(file.to_owned()),
        words: words
            .into_iter()
            .map(|word| OsStr::from_bytes(word).to_owned())
            .collect(),
        variables: values(&environment, variables),
    })
}

#[expect(unsafe_code, reason = "libproc has no safe binding")]
fn ids(user: u32) -> Option<Vec<libc::pid_t>> {
    // SAFETY: without a buffer only a size is given.
    let size = unsafe { libc::proc_listpids(PROC_UID_ONLY, user, std::ptr::null_mut(), 0) };
    // Some may start in between.
    let count = usize::try_from(size).ok()? / size_of::<libc::pid_t>() + 64;
    let mut ids: Vec<libc::pid_t> = vec![0; count];
    let size = libc::c_int::try_from(size_of_val(&*ids)).ok()?;
    // SAFETY: the buffer is as large as `size` says.
    let size = unsafe { libc::proc_listpids(PROC_UID_ONLY, user, ids.as_mut_ptr().cast(), size) };
    ids.truncate(usize::try_from(size).ok()? / size_of::<libc::pid_t>());
    ids.retain(|id| *id > 0);
    // This process is one of them.
    (!ids.is_empty()).then_some(ids)
}

/// Parent, start and the process's own name.
#[expect(unsafe_code, reason = "libproc has no safe binding")]
fn about(id: libc::pid_t) -> Option<libc::proc_bsdinfo> {
    let mut about = std::mem::MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    let size = libc::c_int::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
    // SAFETY: `about` is as large as `size` says, and all zeros is a value of this plain type.
    unsafe {
        let kind = libc::PROC_PIDTBSDINFO;
        let filled = libc::proc_pidinfo(id, kind, 0, about.as_mut_ptr().cast(), size);
        (filled == size).then(|| about.assume_init())
    }
}

#[expect(unsafe_code, reason = "`sysctl` has no safe binding")]
fn arguments(id: libc::pid_t) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut size = 0;
    // First without a buffer, for the size.
    for is_last in [false, true] {
        let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, id];
        bytes.resize(size, 0);
        let buffer = if is_last {
            bytes.as_mut_ptr().cast()
        } else {
            std::ptr::null_mut()
        };
        // SAFETY: `name` has three numbers, and the buffer is as large as `size` says.
        let result = unsafe {
            libc::sysctl(
                name.as_mut_ptr(),
                3,
                buffer,
                &raw mut size,
                std::ptr::null_mut(),
                0,
            )
        };
        if result != 0 {
            return None;
        }
    }
    bytes.truncate(size);
    Some(bytes)
}
