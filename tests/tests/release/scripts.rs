//! `install.sh`, run by the shells that people pipe it into.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::web::{Page, Proxy};
use hookkit_tests::{Ran, program};

use crate::home::{Home, SHELLS, USED, only};
use crate::served::{one_line, served};

const DASH: &[&str] = &["dash"];

fn published() -> Published {
    Published::of(VERSION)
}

/// Refused, in these words, with everything as it was.
fn left_no_trace(home: &Home, ran: &Ran, words: &[&str]) {
    assert!(!ran.exited(0) && !ran.timed_out);
    for words in words {
        assert!(ran.err().contains(words), "{words}: {}", ran.err());
    }
    assert_eq!(home.everything(), Home::new().everything());
}

#[test]
fn each_shell_installs_by_the_one_line() {
    let released = published();
    for shell in SHELLS {
        if !program::needs(&[shell[0], "curl"]) {
            continue;
        }
        let (home, web) = (Home::new(), served(&released, VERSION));
        let ran = one_line(&home, shell, &web).run();
        assert!(ran.exited(0), "{shell:?}");
        assert_eq!(home.version(), format!("hookkit {VERSION}"));
        let dispatch = home.own().join("bin/hookkit-dispatch");
        assert!(home.program(dispatch).arg("--version").run().exited(0));
        // A new shell finds it, by each of its files, and once.
        for start in [["-l", "-c"], ["-i", "-c"]] {
            let said = home
                .program("bash")
                .args(start)
                .arg("command -v hookkit; printf '%s\n' \"$PATH\" | tr : '\\n' | grep -c /self/bin")
                .run();
            let expected = format!("{}/bin/hookkit\n1\n", home.own().display());
            assert_eq!(said.out(), expected, "{shell:?} {start:?}");
        }
        // Nothing is left of the way to it.
        let names = fs::read_dir(home.own()).unwrap();
        let mut names: Vec<_> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["bin", "edit.lock", "receipt.json", "versions"]);
    }
}

#[test]
fn hb_rel_04_a_script_that_was_cut_off_does_nothing() {
    let released = published();
    let script = fs::read(released.file("install.sh")).unwrap();
    let (home, web) = (Home::new(), served(&released, VERSION));
    let before = home.everything();
    let last = script.len() - 2;
    let points = (0..last).step_by(211).chain(last - 40..last);
    for shell in SHELLS {
        if !program::needs(&[shell[0]]) {
            continue;
        }
        for point in points.clone() {
            home.program(shell[0])
                .args(&shell[1..])
                .env("HOOKKIT_BASE_URL", web.at(""))
                .stdin_bytes(&script[..point])
                .run();
            assert_eq!(web.asked(), [""; 0], "{shell:?} at {point}");
        }
        assert_eq!(home.everything(), before, "{shell:?}");
    }
    // The control: all of it.
    let whole = home.program("dash").env("HOOKKIT_BASE_URL", web.at(""));
    assert!(whole.stdin_bytes(script).run().exited(0) && !web.asked().is_empty());
}

#[test]
fn hb_rel_02_what_is_not_the_archive_is_never_unpacked() {
    let damaged = published().copy();
    let archive = damaged.archive(VERSION);
    let mut bytes = fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&archive, bytes).unwrap();
    let (home, web) = (Home::new(), served(&damaged, VERSION));
    let ran = one_line(&home, DASH, &web).run();
    left_no_trace(&home, &ran, &["its sha256 is", "Nothing of it was used"]);
    // Signed by the right key, but not what the script knows.
    let older = Published::of("0.0.9").copy();
    fs::rename(older.archive("0.0.9"), older.archive(VERSION)).unwrap();
    let (home, web) = (Home::new(), served(&older, VERSION));
    let script = published().file("install.sh");
    let ran = home
        .shell(DASH, &script)
        .env("HOOKKIT_BASE_URL", web.at(""))
        .run();
    left_no_trace(&home, &ran, &["Nothing of it was used"]);
}

#[test]
fn hb_rel_02_without_a_sum_to_hold_it_against_nothing_is_fetched() {
    let released = published();
    let web = served(&released, VERSION);
    let script = fs::read_to_string(released.file("install.sh")).unwrap();
    let sums = fs::read_to_string(released.file("SHA256SUMS")).unwrap();
    let sum = sums
        .lines()
        .find_map(|line| line.strip_suffix("x86_64-unknown-linux-musl.tar.gz"))
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    assert!(script.contains(sum));
    for other in [
        "",
        &sum[1..],
        &format!("{sum}0"),
        &sum.to_uppercase(),
        "@SUM@",
    ] {
        let home = Home::new();
        let changed = script.replace(sum, other);
        let program = home.program("dash").stdin_bytes(changed);
        let ran = program.env("HOOKKIT_BASE_URL", web.at("")).run();
        left_no_trace(&home, &ran, &["knows no archive"]);
        assert_eq!(web.asked(), [""; 0]);
    }
}

#[test]
fn hb_rel_05_sums_are_made_by_what_is_there_or_nothing_is_fetched() {
    if !program::needs(&["shasum", "openssl", "curl"]) {
        return;
    }
    let released = published();
    let script = released.file("install.sh");
    for (digester, is_enough) in [
        (Some("sha256sum"), true),
        (Some("shasum"), true),
        (Some("openssl"), true),
        (None, false),
    ] {
        let (home, web) = (Home::new(), served(&released, VERSION));
        let path = only(&[&USED[..], &["curl"]].concat());
        if let Some(name) = digester {
            std::os::unix::fs::symlink(program::found(name).unwrap(), path.join(name)).unwrap();
        }
        let ran = home
            .program("/bin/dash")
            .arg(&script)
            .env("HOOKKIT_BASE_URL", web.at(""))
            .env("PATH", &*path)
            .run();
        if is_enough {
            assert!(ran.exited(0), "{digester:?}");
            assert_eq!(home.version(), format!("hookkit {VERSION}"));
        } else {
            left_no_trace(&home, &ran, &["no sha256sum, shasum or openssl"]);
            assert_eq!(web.asked(), [""; 0]);
        }
    }
}

#[test]
fn hb_rel_01_a_fault_of_the_network_is_called_that() {
    let released = published();
    let bytes = fs::read(released.archive(VERSION)).unwrap();
    let name = released.archive(VERSION);
    let name = name.file_name().unwrap().to_str().unwrap();
    let path = format!("/download/v{VERSION}/{name}");
    let script = released.file("install.sh");
    for fetcher in ["curl", "wget"] {
        if !program::needs(&[fetcher]) {
            continue;
        }
        for (page, words) in [
            (Page::Status(404), "404"),
            (Page::Status(500), "500"),
            (Page::Redirect(path.clone()), "redirect"),
            (Page::Cut(bytes.clone(), 5000), ""),
            (Page::Length(bytes.clone(), bytes.len() + 5), ""),
        ] {
            let (home, web) = (Home::new(), served(&released, VERSION));
            web.put(&path, page.clone());
            let path = only(&[&USED[..], &["sha256sum", fetcher]].concat());
            let ran = home
                .program("/bin/dash")
                .arg(&script)
                .env("HOOKKIT_BASE_URL", web.at(""))
                .env("PATH", &*path)
                .run();
            // Some wgets take a file that is shorter than was said; then its sum tells.
            let address = web.at(&format!("/download/v{VERSION}/{name}"));
            if ran.err().contains("its sha256 is") {
                assert!(words.is_empty(), "{fetcher:?} {page:?}");
                left_no_trace(&home, &ran, &[]);
            } else {
                left_no_trace(&home, &ran, &[&format!("cannot get {address}: ")]);
                let said = ran.err().to_lowercase();
                assert!(said.contains(words), "{fetcher:?}: {said}");
            }
        }
    }
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let home = Home::new();
    let ran = home
        .shell(DASH, &published().file("install.sh"))
        .env("HOOKKIT_BASE_URL", "http://127.0.0.1:9")
        .run();
    left_no_trace(&home, &ran, &["cannot get http://127.0.0.1:9/download/"]);
}

/// The one here hands on what is encrypted, so that it refuses this.
#[test]
fn a_proxy_is_asked_where_there_is_one() {
    let released = published();
    let (home, proxy) = (Home::new(), Proxy::start());
    let web = served(&released, VERSION);
    let install = home.shell(DASH, &released.file("install.sh"));
    let install = install
        .env("HOOKKIT_BASE_URL", web.at(""))
        .env("http_proxy", proxy.address());
    let refused = install.run();
    left_no_trace(&home, &refused, &["HTTP 405"]);
    let address = web.at("/download/");
    assert!(proxy.asked()[0].starts_with(&format!("GET {address}")));
    assert_eq!(web.asked(), [""; 0]);
    assert!(install.env("no_proxy", "127.0.0.1").run().exited(0));
}

#[test]
fn an_archive_that_is_there_needs_no_network() {
    let released = published();
    let home = Home::new();
    let install = |archive: &Path| {
        home.shell(DASH, &released.file("install.sh"))
            .env("HOOKKIT_BASE_URL", "http://127.0.0.1:9")
            .arg("--archive")
            .arg(archive)
            .run()
    };
    let ran = install(&released.file("install.ps1"));
    left_no_trace(&home, &ran, &["Nothing of it was used"]);
    left_no_trace(&home, &install(Path::new("/nonexistent")), &["no file"]);
    assert!(install(&released.archive(VERSION)).exited(0));
    assert_eq!(home.version(), format!("hookkit {VERSION}"));
}

/// Without a network: what these tests are about comes after it.
fn from_archive(home: &Home, released: &Published, version: &str) -> Program {
    home.shell(DASH, &released.file("install.sh"))
        .arg("--archive")
        .arg(released.archive(version))
}

#[test]
fn files_of_shells_are_left_alone_where_that_is_asked_for() {
    let released = published();
    for by_option in [true, false] {
        let home = Home::new();
        let install = from_archive(&home, &released, VERSION);
        let ran = if by_option {
            install.arg("--no-modify-path").run()
        } else {
            install.env("HOOKKIT_NO_MODIFY_PATH", "1").run()
        };
        assert!(ran.exited(0) && ran.out().contains("export PATH="));
        assert_eq!(home.read(".profile"), Home::new().read(".profile"));
        assert_eq!(home.read(".bashrc"), Home::new().read(".bashrc"));
    }
}

#[test]
fn an_unmanaged_folder_gets_both_programs_and_nothing_else() {
    let released = published();
    for by_option in [true, false] {
        let home = Home::new();
        let folder = home.path().join("tools");
        let before = home.everything();
        let install = from_archive(&home, &released, VERSION);
        let ran = if by_option {
            install.arg("--unmanaged").arg(&folder).run()
        } else {
            install.env("HOOKKIT_UNMANAGED_INSTALL", &folder).run()
        };
        assert!(ran.exited(0));
        for name in ["hookkit", "hookkit-dispatch"] {
            let said = home.program(folder.join(name)).arg("--version").run();
            assert!(said.out().starts_with(&format!("{name} {VERSION}")));
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(home.everything(), before);
    }
}

#[test]
fn each_shell_is_told_in_its_own_file() {
    let released = published();
    let home = Home::new();
    home.write("z/.zshrc", "# zsh\n");
    home.write("c/fish/config.fish", "# fish\n");
    home.write(".bash_login", "# login\n");
    let ran = from_archive(&home, &released, VERSION)
        .env("ZDOTDIR", home.path().join("z"))
        .env("XDG_CONFIG_HOME", home.path().join("c"))
        .run();
    assert!(ran.exited(0));
    let files = [
        ".profile",
        ".bashrc",
        ".bash_login",
        "z/.zshrc",
        "c/fish/conf.d/hookkit.fish",
    ];
    for file in files {
        assert!(home.read(file).trim_end().ends_with("# hookkit"), "{file}");
        assert!(ran.out().contains(file), "{file}");
    }
    assert!(!home.path().join(".bash_profile").exists() && !home.path().join(".zshrc").exists());
    if program::needs(&["zsh"]) {
        let said = home
            .program("zsh")
            .args(["-i", "-c", "command -v hookkit"])
            .env("ZDOTDIR", home.path().join("z"))
            .run();
        assert_eq!(
            said.out().trim(),
            home.own().join("bin/hookkit").to_str().unwrap()
        );
    }
    if program::found("fish").is_some() {
        let said = home
            .program("fish")
            .args(["-c", "command -v hookkit"])
            .env("LANG", "C.UTF-8")
            .env("XDG_CONFIG_HOME", home.path().join("c"))
            .run();
        assert_eq!(
            said.out().trim(),
            home.own().join("bin/hookkit").to_str().unwrap()
        );
    }
}

#[test]
fn a_file_that_cannot_be_written_does_not_stop_it() {
    let home = Home::new();
    let file = home.path().join(".bashrc");
    let mut mode = fs::metadata(&file).unwrap().permissions();
    mode.set_readonly(true);
    fs::set_permissions(&file, mode).unwrap();
    let ran = from_archive(&home, &published(), VERSION).run();
    assert!(ran.exited(0) && ran.out().contains(".bashrc is read-only"));
    assert_eq!(home.read(".bashrc"), Home::new().read(".bashrc"));
    assert!(home.read(".profile").contains("# hookkit"));
}

#[test]
fn once_more_is_no_change_and_a_damaged_version_is_made_whole() {
    let released = published();
    let home = Home::new();
    let install = || from_archive(&home, &released, VERSION).run();
    assert!(install().exited(0));
    let before = home.everything();
    fs::write(
        home.own().join("versions").join(VERSION).join("hookkit"),
        "",
    )
    .unwrap();
    assert!(install().exited(0));
    assert_eq!(home.everything(), before);
}

#[test]
fn hb_rel_16_another_version_leaves_the_one_before_where_it_is() {
    let home = Home::new();
    assert!(from_archive(&home, &published(), VERSION).run().exited(0));
    let newer = Published::of("0.9.0");
    assert!(from_archive(&home, &newer, "0.9.0").run().exited(0));
    assert_eq!(home.version(), "hookkit 0.9.0");
    let old = home.own().join("versions").join(VERSION).join("hookkit");
    assert!(home.program(old).arg("--version").run().exited(0));
    assert_eq!(home.read(".profile").matches("# hookkit").count(), 1);
}

#[test]
fn hb_rel_07_nothing_is_started_from_a_temporary_folder() {
    if !can_mount() {
        return;
    }
    let (home, released) = (Home::new(), published());
    // As some administrators mount it.
    let tmp = home.path().join("tmp");
    fs::create_dir(&tmp).unwrap();
    let script = "mount -t tmpfs -o noexec none \"$1\"; shift; exec \"$@\"";
    let ran = among_mounts(&home, script, &tmp, &from_archive_words(&released))
        .env("TMPDIR", &tmp)
        .run();
    assert!(ran.exited(0));
    assert_eq!(home.version(), format!("hookkit {VERSION}"));
}

#[test]
fn hb_rel_07_a_home_that_starts_nothing_or_cannot_be_written_is_named() {
    if !can_mount() {
        return;
    }
    let released = published();
    for (options, words) in [
        ("noexec", ["noexec", "--dir"]),
        ("ro", ["read-only", "--dir"]),
    ] {
        let home = Home::new();
        let script = format!(
            "mount -t tmpfs -o {options} none \"$1\"; home=$1; shift; \"$@\"; code=$?; \
             ls -A \"$home\" >&2; exit $code"
        );
        let ran = among_mounts(&home, &script, &home.path(), &from_archive_words(&released)).run();
        assert!(!ran.exited(0), "{options}");
        for words in words {
            assert!(ran.err().contains(words), "{options}: {}", ran.err());
        }
        assert!(!ran.err().contains(".local\n"), "{}", ran.err());
    }
}

fn can_mount() -> bool {
    let ran = program::among_own_mounts("mount -t tmpfs none /mnt").run();
    program::can(ran.exited(0), "nothing can be mounted here")
}

fn from_archive_words(released: &Published) -> Vec<String> {
    let words = [
        Path::new("dash"),
        &released.file("install.sh"),
        Path::new("--archive"),
        &released.archive(VERSION),
    ];
    words.map(|word| word.to_str().unwrap().to_owned()).to_vec()
}

fn among_mounts(home: &Home, script: &str, place: &Path, words: &[String]) -> Program {
    program::among_own_mounts(script)
        .arg(place)
        .args(words)
        .env("HOME", home.path())
        .env("SHELL", "/bin/bash")
}

#[test]
fn by_sudo_nothing_is_installed() {
    let home = Home::new();
    let path = only(&USED);
    fs::remove_file(path.join("id")).unwrap();
    fs::write(path.join("id"), "#!/bin/sh\necho 0\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(path.join("id"), mode).unwrap();
    let ran = home
        .program("/bin/dash")
        .arg(published().file("install.sh"))
        .env("PATH", &*path)
        .env("SUDO_USER", "somebody")
        .run();
    left_no_trace(&home, &ran, &["by sudo", "run it as yourself"]);
}

/// Both architectures are in one archive, because a shell under Rosetta says `x86_64`.
#[test]
fn hb_rel_08_each_machine_gets_its_own_archive() {
    for (says, words) in [
        ("Darwin arm64", "no archive for universal-apple-darwin"),
        ("Darwin x86_64", "no archive for universal-apple-darwin"),
        ("Linux aarch64", "no archive for aarch64-unknown-linux-musl"),
        (
            "Linux riscv64",
            "no hookkit for this machine (Linux riscv64)",
        ),
        ("MINGW64_NT-10.0 x86_64", "install.ps1 | iex"),
    ] {
        let home = Home::new();
        let path = only(&USED);
        let (system, machine) = says.split_once(' ').unwrap();
        fs::remove_file(path.join("uname")).unwrap();
        let text =
            format!("#!/bin/sh\ncase $1 in -m) echo {machine} ;; *) echo {system} ;; esac\n");
        fs::write(path.join("uname"), text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path.join("uname"), mode).unwrap();
        let ran = home
            .program("/bin/dash")
            .arg(published().file("install.sh"))
            .env("PATH", &*path)
            .run();
        left_no_trace(&home, &ran, &[words]);
    }
}
