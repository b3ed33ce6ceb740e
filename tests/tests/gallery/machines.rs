//! Which dispatcher the selector picks, and what it says where there is none.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::payload;
use hookkit_tests::process::Program;

use crate::shells;
use crate::{ARGUMENTS, plugin};

/// Where this machine's dispatcher stands below `dispatch/`.
pub(crate) fn here() -> String {
    match std::env::consts::OS {
        "macos" => "macos/hookkit-dispatch".to_owned(),
        system => format!("{system}-{}/hookkit-dispatch", std::env::consts::ARCH),
    }
}

/// Copied by a process of its own: a file that is open for writing while another test forks cannot
/// be started.
pub(crate) fn install(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let copied = Program::new("install")
        .args(["-m", "755"])
        .arg(from)
        .arg(to)
        .run();
    assert!(copied.exited(0), "a stub is placed");
}

/// The files by which the kernel tells the selector of its machine.
pub(crate) const KERNELS_WORD: [&str; 2] = ["/proc/sys/abi/vsyscall32", "/proc/sys/kernel/arch"];

/// A selector that looks for these files where there is none.
pub(crate) fn without(files: &[&str], selector: &str) -> String {
    files.iter().fold(selector.to_owned(), |script, file| {
        assert!(script.contains(file), "{file}");
        script.replace(file, "/nonexistent/file")
    })
}

/// A `dispatch` folder whose selector asks a made-up machine for its name, with a dispatcher in
/// every place that says where it stands.
fn on_machine(folder: &Folder, name: &str) -> std::path::PathBuf {
    let tree = plugin().build();
    let dispatch = folder.join(name.replace(['/', ' '], "_"));
    for place in [
        "linux-x86_64/hookkit-dispatch",
        "linux-aarch64/hookkit-dispatch",
        "macos/hookkit-dispatch",
        "hookkit-dispatch.exe",
    ] {
        let stub = folder.join("stub");
        fs::write(&stub, format!("#!/bin/sh\necho {place} \"$@\"\n")).unwrap();
        install(&stub, &dispatch.join(place));
    }
    let script = fs::read_to_string(tree.path().join("dispatch/hookkit-dispatch")).unwrap();
    let asks = "command -p uname -sm";
    assert!(script.contains(asks));
    let script = without(&KERNELS_WORD, &script).replace(asks, &format!("echo '{name}'"));
    fs::write(dispatch.join("hookkit-dispatch"), script).unwrap();
    dispatch.join("hookkit-dispatch")
}

#[test]
fn each_machine_gets_its_own() {
    let folder = Folder::new("machines");
    for (machine, expected) in [
        ("Linux x86_64", "linux-x86_64/hookkit-dispatch"),
        ("Linux aarch64", "linux-aarch64/hookkit-dispatch"),
        ("Darwin arm64", "macos/hookkit-dispatch"),
        ("Darwin x86_64", "macos/hookkit-dispatch"),
        ("MINGW64_NT-10.0-22631 x86_64", "hookkit-dispatch.exe"),
        ("MSYS_NT-10.0-22631 x86_64", "hookkit-dispatch.exe"),
        ("CYGWIN_NT-10.0-22631 x86_64", "hookkit-dispatch.exe"),
    ] {
        let selector = on_machine(&folder, machine);
        for shell in shells::all() {
            let ran = shell.run(&selector).args(["a b", "", "c"]).run();
            assert_eq!(
                ran.out(),
                format!("{expected} a b  c\n"),
                "{} {machine}",
                shell.name
            );
        }
    }
    let unknown = on_machine(&folder, "Linux riscv64");
    for shell in shells::all() {
        let ran = shell.run(&unknown).run();
        assert!(ran.exited(0) && ran.stdout.is_empty(), "{}", shell.name);
        assert!(ran.err().contains("Linux riscv64"), "{}", shell.name);
    }
}

#[test]
fn without_the_kernels_word_uname_is_asked() {
    let tree = plugin().build();
    let selector = tree.path().join("dispatch/hookkit-dispatch");
    let script = fs::read_to_string(&selector).unwrap();
    let [x86_64, arch] = KERNELS_WORD;
    for missing in [&[][..], &[x86_64], &[arch], &[x86_64, arch]] {
        fs::write(&selector, without(missing, &script)).unwrap();
        for shell in shells::all() {
            let ran = shell
                .run(&selector)
                .args(ARGUMENTS)
                .stdin(crate::refused())
                .run();
            let refused = ran.out().contains("the gate says no");
            assert!(refused, "{} {missing:?}", shell.name);
        }
    }
}

#[test]
fn a_missing_dispatcher_denies_where_a_required_gate_is_and_says_so() {
    let tree = plugin().build();
    let dispatch = tree.path().join("dispatch");
    fs::remove_file(dispatch.join(here())).unwrap();
    let selector = dispatch.join("hookkit-dispatch");
    for shell in shells::all() {
        for (arguments, code) in [
            (&ARGUMENTS[..], 2),
            (&["--if-missing", "deny"], 2),
            (&["--if-missing", "allow"], 0),
            (&["--host", "claude-code"], 0),
            (&[], 0),
        ] {
            let ran = shell
                .run(&selector)
                .args(arguments)
                .stdin(crate::refused())
                .run();
            let what = format!("{} {arguments:?}", shell.name);
            assert!(ran.exited(code), "{what}");
            assert!(ran.stdout.is_empty(), "{what}");
            let said = ran.err();
            assert_eq!(said.lines().count(), 1, "{what}");
            assert!(said.contains(&*dispatch.to_string_lossy()), "{what}");
            let machine = match std::env::consts::OS {
                "macos" => "Darwin ".to_owned(),
                _ => format!("Linux {}", std::env::consts::ARCH),
            };
            assert!(said.contains(&machine), "{what}");
        }
    }
}

#[test]
fn a_dispatcher_without_its_executable_bit_is_missing() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = plugin().build();
    let dispatch = tree.path().join("dispatch");
    let data = std::fs::Permissions::from_mode(0o644);
    fs::set_permissions(dispatch.join(here()), data).unwrap();
    for shell in shells::all() {
        let start = shell.run(dispatch.join("hookkit-dispatch")).args(ARGUMENTS);
        assert!(
            start.stdin(crate::refused()).run().exited(2),
            "{}",
            shell.name
        );
    }
}

/// A gate that cannot decide holds up the end of a turn once, or the turn would never end.
#[test]
fn a_missing_dispatcher_does_not_hold_up_a_turn_for_ever() {
    let tree = plugin().build();
    let dispatch = tree.path().join("dispatch");
    fs::remove_file(dispatch.join(here())).unwrap();
    for shell in shells::all() {
        for event in ["Stop", "SubagentStop"] {
            for (is_again, code) in [(false, 2), (true, 0)] {
                let ran = shell
                    .run(dispatch.join("hookkit-dispatch"))
                    .args(["--event", event, "--if-missing", "deny"])
                    .stdin(payload::claude::stop(is_again))
                    .run();
                assert!(ran.exited(code), "{} {event} {is_again}", shell.name);
            }
        }
    }
}
