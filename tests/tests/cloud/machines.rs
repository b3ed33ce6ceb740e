//! Machines that have other tools, or are other machines.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use fs_err as fs;
use hookkit_tests::{Plugin, Ran, program};

use crate::{
    Repository, allowed, denied_by_the_gate, denied_by_the_script, install, plugin, refused,
};

/// A folder of programs, as the only one on the PATH.
struct Machine {
    repository: Repository,
    bin: PathBuf,
}

impl Machine {
    /// What the script needs, without a program for sums.
    fn new() -> Self {
        let repository = Repository::guarded();
        let bin = repository.folder.join("bin");
        fs::create_dir(&bin).unwrap();
        let machine = Self { repository, bin };
        machine.have(&["bash", "sh", "cat", "cp", "mv", "chmod", "mkdir"])
    }

    fn have(self, programs: &[&str]) -> Self {
        for name in programs {
            let program = program::found(name).expect("a usual program");
            fs_err::os::unix::fs::symlink(program, self.bin.join(name)).unwrap();
        }
        self
    }

    fn script(self, name: &str, text: &str) -> Self {
        let file = self.bin.join(name);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn refuses(&self) -> Ran {
        let fire = self.repository.fire("preToolUse", refused());
        fire.env("PATH", &self.bin).run()
    }
}

/// A program that makes sums by another name.
fn sums_as(arguments: &str) -> String {
    let real = program::found("sha256sum").expect("a usual program");
    format!("test \"$*\" = '{arguments}' && exec '{}'", real.display())
}

#[test]
fn hb_rel_05_any_of_three_programs_makes_the_sum() {
    let shasum = sums_as("-a 256");
    let openssl = sums_as("dgst -sha256 -r");
    for machine in [
        Machine::new().have(&["sha256sum"]),
        Machine::new().script("shasum", &shasum),
        Machine::new().script("openssl", &openssl),
        Machine::new()
            .script("sha256sum", "exit 1")
            .script("shasum", &shasum),
        Machine::new()
            .script("sha256sum", "echo nonsense")
            .script("openssl", &openssl),
    ] {
        assert!(denied_by_the_gate(&machine.refuses()));
    }
    let ran = Machine::new().refuses();
    assert!(denied_by_the_script(
        &ran,
        "no sha256sum, shasum or openssl"
    ));
    if program::needs(&["openssl"]) {
        assert!(denied_by_the_gate(
            &Machine::new().have(&["openssl"]).refuses()
        ));
    }
}

/// A busybox that is all there is.
#[test]
fn busybox_makes_the_sum() {
    if program::needs(&["busybox"]) {
        let busybox = program::found("busybox").unwrap();
        let machine = Machine::new().script(
            "sha256sum",
            &format!("exec '{}' sha256sum \"$@\"", busybox.display()),
        );
        assert!(denied_by_the_gate(&machine.refuses()));
    }
}

/// A repository whose plugin was built for the other architecture alone.
fn for_another_machine(plugin: &Plugin) -> Repository {
    let (target, machine) = match std::env::consts::ARCH {
        "x86_64" => ("linux-aarch64", 183_u16),
        _ => ("linux-x86_64", 62),
    };
    let repository = Repository::new("project");
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(18, 0);
    elf.extend(machine.to_le_bytes());
    let file = repository.folder.join("other");
    fs::write(&file, elf).unwrap();
    let file = file.to_str().unwrap();
    let more = ["--targets", target, "--dispatcher", file];
    let ran = hookkit_tests::process::Program::new(program::hookkit())
        .arg("install")
        .arg(plugin.path())
        .args(["--yes", "--host", "copilot-cloud", "--repo"])
        .arg(&repository.path)
        .args(more)
        .env("HOME", plugin.project())
        .run();
    assert!(ran.exited(0));
    repository
}

#[test]
fn another_architecture_denies_by_name() {
    let repository = for_another_machine(&plugin());
    let ran = repository.fire("preToolUse", allowed()).run();
    let machine = format!("(Linux {})", std::env::consts::ARCH);
    assert!(denied_by_the_script(&ran, &machine));
}

/// Elsewhere than on Linux nobody is bound, and an installed dispatcher serves those who have one.
#[test]
fn another_system_is_not_bound() {
    let repository = Repository::guarded();
    repository.change_script("/proc/sys/kernel/arch", "/nowhere");
    let bin = repository.folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let script = |file: PathBuf, text: &str| {
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    let path = |first: PathBuf| {
        format!(
            "{}:{}:{}",
            first.display(),
            bin.display(),
            program::search_path()
        )
    };
    for system in [
        "Darwin arm64",
        "MINGW64_NT-10.0-22631 x86_64",
        "FreeBSD amd64",
    ] {
        script(bin.join("uname"), &format!("echo '{system}'"));
        let fire = || repository.fire("preToolUse", refused());
        let ran = fire().env("PATH", path(bin.clone())).run();
        assert!(ran.exited(0) && ran.stdout.is_empty());
        assert!(ran.err().contains("is not enforced on this machine"));
        assert!(ran.err().contains(&format!("({system})")));

        // One that lies in the repository is the repository's.
        let inside = repository.join("bin");
        fs::create_dir_all(&inside).unwrap();
        script(inside.join("hookkit-dispatch"), "echo inside");
        let ran = fire().env("PATH", path(inside.clone())).run();
        assert!(ran.exited(0) && ran.stdout.is_empty());
        let link = repository.folder.join("link");
        if !link.exists() {
            fs_err::os::unix::fs::symlink(&inside, &link).unwrap();
        }
        let ran = fire().env("PATH", path(link)).run();
        assert!(ran.exited(0) && ran.stdout.is_empty());

        let installed = repository.folder.join("installed");
        fs::create_dir_all(&installed).unwrap();
        program::dispatcher_at(&installed.join("hookkit-dispatch"));
        let ran = fire().env("PATH", path(installed.clone())).run();
        assert!(denied_by_the_gate(&ran), "{system}");
        fs::remove_dir_all(installed).unwrap();
    }
}

/// The other systems' dispatchers start where the tree has them.
#[test]
fn macos_starts_its_own() {
    let repository = Repository::guarded();
    repository.change_script("/proc/sys/kernel/arch", "/nowhere");
    repository.change_script(
        "Darwin\\ *) dispatcher=dispatch/macos",
        &format!("Darwin\\ *) dispatcher=dispatch/{}", crate::target()),
    );
    let bin = repository.folder.join("bin");
    fs::create_dir(&bin).unwrap();
    let uname = bin.join("uname");
    fs::write(&uname, "#!/bin/sh\necho Darwin x86_64\n").unwrap();
    fs::set_permissions(&uname, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), program::search_path());
    let ran = repository
        .fire("preToolUse", refused())
        .env("PATH", path)
        .run();
    assert!(denied_by_the_gate(&ran));
}

/// Both kinds of Linux in one tree.
#[test]
fn a_tree_for_several_machines_takes_the_right_one() {
    let repository = Repository::guarded();
    let other = if std::env::consts::ARCH == "x86_64" {
        "aarch64"
    } else {
        "x86_64"
    };
    let folder = repository.join(&format!("{}/dispatch/linux-{other}", crate::FOLDER));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("hookkit-dispatch"), "not this one").unwrap();
    assert!(denied_by_the_gate(
        &repository.fire("preToolUse", refused()).run()
    ));
    assert!(!install(&plugin(), &repository.path, &[]).exited(0));
}
