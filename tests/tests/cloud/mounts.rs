//! Disks that lose executable bits, and mounts from which nothing starts.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use fs_err as fs;
use hookkit_tests::Ran;
use hookkit_tests::program;

use crate::{Repository, allowed, denied_by_the_gate, denied_by_the_script, dispatcher, refused};

fn without_executable_bit() -> Repository {
    let repository = Repository::guarded();
    let file = repository.join(&dispatcher());
    fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
    repository
}

fn refuses(repository: &Repository) -> bool {
    denied_by_the_gate(&repository.fire("preToolUse", refused()).run())
}

#[test]
fn a_lost_executable_bit_is_no_loss() {
    let repository = without_executable_bit();
    assert!(refuses(&repository));
    let mode = |path: &str| fs::metadata(repository.join(path)).unwrap().mode() & 0o777;
    assert_eq!(mode(&dispatcher()), 0o644, "the checkout stays as it is");
    let [copy] = &repository.copies()[..] else {
        panic!("{:?}", repository.copies());
    };
    let inode = fs::metadata(copy).unwrap().ino();
    assert!(refuses(&repository));
    assert_eq!(repository.copies().len(), 1);
    assert_eq!(fs::metadata(copy).unwrap().ino(), inode, "it is used again");
    let folder = fs::metadata(copy.parent().unwrap()).unwrap();
    assert_eq!(folder.mode() & 0o777, 0o700);
}

#[test]
fn a_copy_that_was_changed_is_made_anew() {
    let repository = without_executable_bit();
    assert!(refuses(&repository));
    let copy = &repository.copies()[0];
    fs::write(copy, "#!/bin/sh\necho hijacked\n").unwrap();
    assert!(refuses(&repository));
    assert_eq!(
        fs::read(copy).unwrap(),
        fs::read(repository.join(&dispatcher())).unwrap()
    );
}

#[test]
fn a_folder_that_somebody_else_made_is_not_used() {
    let repository = without_executable_bit();
    let foreign = repository.folder.join("foreign");
    let name = format!("hookkit-{}", rustix::process::geteuid().as_raw());
    let fire = || {
        let fire = repository.fire("preToolUse", refused());
        fire.env("XDG_RUNTIME_DIR", &foreign).run()
    };
    fs::create_dir(&foreign).unwrap();
    symlink(repository.folder.join("home"), foreign.join(&name)).unwrap();
    assert!(denied_by_the_gate(&fire()));
    assert_eq!(repository.copies().len(), 1);
    assert_eq!(
        fs::read_dir(repository.folder.join("home"))
            .unwrap()
            .count(),
        0
    );
    if rustix::process::geteuid().is_root() {
        fs::remove_file(foreign.join(&name)).unwrap();
        fs::create_dir(foreign.join(&name)).unwrap();
        std::os::unix::fs::chown(foreign.join(&name), Some(65_534), None).unwrap();
        assert!(denied_by_the_gate(&fire()));
        assert_eq!(fs::read_dir(foreign.join(&name)).unwrap().count(), 0);
    }
}

/// A copy in the repository could be changed by whoever works on it.
#[test]
fn no_copy_goes_into_the_repository() {
    let repository = without_executable_bit();
    let inside = repository.join("temp");
    fs::create_dir(&inside).unwrap();
    let ran = repository
        .fire("preToolUse", refused())
        .env("XDG_RUNTIME_DIR", &inside)
        .run();
    assert!(denied_by_the_gate(&ran));
    assert_eq!(fs::read_dir(&inside).unwrap().count(), 0);
}

/// Runs a script in a mount namespace of its own, with the registered line as `$1` and the
/// repository's folder as `$2`.
fn in_own_mounts(repository: &Repository, mounts: &str) -> Option<Ran> {
    if !program::needs(&["unshare", "mount"]) {
        return None;
    }
    let own_mounts = |script: &str| {
        program::among_own_mounts(script)
            .arg(repository.line("preToolUse", "bash"))
            .arg(&*repository.folder)
            .env("HOME", repository.folder.join("home"))
    };
    let tried = own_mounts("mount -t tmpfs -o noexec none \"$2/home\"").run();
    if !program::can(tried.exited(0), "this user may not mount anything") {
        return None;
    }
    let script = format!("{mounts}\nexec /bin/bash --norc --noprofile -c \"$1\"");
    Some(own_mounts(&script).stdin(refused()).run())
}

#[test]
fn hb_rel_07_a_mount_from_which_nothing_starts_is_no_loss() {
    let repository = Repository::guarded();
    let ran = in_own_mounts(
        &repository,
        r#"mkdir "$2/mount"
        mount -t tmpfs -o noexec none "$2/mount"
        cp -a "$2/project" "$2/mount/"
        cd "$2/mount/project"
        export TMPDIR="$2/temp""#,
    );
    let Some(ran) = ran else { return };
    assert!(denied_by_the_gate(&ran));
    assert_eq!(repository.copies().len(), 1);
}

/// The first folder is no help, the second is.
#[test]
fn hb_rel_07_a_folder_for_copies_from_which_nothing_starts_is_passed_over() {
    let repository = without_executable_bit();
    let ran = in_own_mounts(
        &repository,
        r#"mkdir "$2/mount"
        mount -t tmpfs -o noexec none "$2/mount"
        cd "$2/project"
        export XDG_RUNTIME_DIR="$2/mount" TMPDIR="$2/temp""#,
    );
    let Some(ran) = ran else { return };
    assert!(denied_by_the_gate(&ran));
    assert_eq!(repository.copies().len(), 1);
}

#[test]
fn hb_rel_07_where_nothing_starts_at_all_the_answer_says_so() {
    let repository = Repository::guarded();
    let ran = in_own_mounts(
        &repository,
        r#"mount -t tmpfs -o noexec none /mnt
        cp -a "$2/project" /mnt/
        export HOME=/mnt TMPDIR=
        for folder in /dev/shm /var/tmp /tmp; do mount -t tmpfs -o noexec none $folder; done
        cd /mnt/project"#,
    );
    let Some(ran) = ran else { return };
    assert!(denied_by_the_script(&ran, "does not start here"));
}

#[test]
fn a_call_that_is_allowed_goes_on_from_a_copy_too() {
    let repository = without_executable_bit();
    let ran = repository.fire("preToolUse", allowed()).run();
    assert!(ran.exited(0) && ran.stdout.is_empty() && ran.stderr.is_empty());
}
