//! Hooks that are ended: by their timeout, by the deadline, by a signal from the host.

use std::time::{Duration, Instant};

use hookkit_tests::{Plugin, program, survivors};
use rustix::process::Signal;
use serde_json::json;

use crate::live::{Live, wait_for};
use crate::{call, gate, note, on_call};

/// How long hookkit may take beyond a hook's timeout, on a machine with other work to do.
const LATE: Duration = Duration::from_millis(1500);

/// A gate that does these words of `nasty` and does not end in its 0.4 s.
fn endless(words: &[&str]) -> Plugin {
    let words: Vec<&str> = words.iter().copied().chain(["sleep", "600"]).collect();
    Plugin::new("demo").nasty(gate(0.4), &words)
}

fn assert_ended(plugin: &Plugin) {
    let ran = on_call(plugin).run();
    ran.assert_denies("did not end within 0.4 s");
    assert!(ran.elapsed < Duration::from_millis(400) + LATE, "{ran}");
    survivors::assert_none(plugin);
}

#[test]
fn a_hook_that_ignores_sigterm_is_killed() {
    assert_ended(&endless(&["ignore-sigterm"]));
    assert_ended(&endless(&[]));
}

#[test]
fn what_an_ended_hook_started_goes_with_it() {
    for way in ["child", "setsid-child", "double-fork"] {
        for first in [&["ignore-sigterm"][..], &[]] {
            let plugin = Plugin::new("demo");
            let file = note(&plugin, "pid");
            let words = [first, &[way, &file, "sleep", "600"]].concat();
            let plugin = plugin.nasty(gate(0.4), &words);
            assert_ended(&plugin);
            let child: u32 = wait_for(&file).parse().unwrap();
            assert!(!survivors::lives(child), "{way}");
        }
    }
}

#[test]
fn what_an_ended_hook_started_goes_with_it_though_it_hides() {
    // Without the environment by which its orphans are known, in a session of its own, deaf to SIGTERM, and its parent
    // gone: at the timeout, or long before.
    let deaf = "trap '' TERM; echo $$ >\"$0\"; while :; do sleep 600; done";
    for orphaned in ["", "& exit"] {
        let plugin = Plugin::new("demo");
        let file = note(&plugin, "pid");
        let script = format!(
            "(env -i PATH=\"$PATH\" setsid sh -c '{deaf}' {file} >/dev/null 2>&1 {orphaned})&\nsleep 600"
        );
        let plugin = plugin.sh(gate(0.6), &script);
        on_call(&plugin)
            .run()
            .assert_denies("did not end within 0.6 s");
        let hidden: u32 = wait_for(&file).trim().parse().unwrap();
        let end = Instant::now() + Duration::from_secs(2);
        while survivors::lives(hidden) {
            assert!(Instant::now() < end, "`{orphaned}` {hidden} lives");
            std::thread::sleep(Duration::from_millis(5));
        }
        survivors::assert_none(&plugin);
    }
}

#[test]
fn a_daemon_of_a_hook_that_ended_by_itself_is_left_alone() {
    for way in ["child", "setsid-child", "double-fork"] {
        let plugin = Plugin::new("demo");
        let file = note(&plugin, "pid");
        let plugin = plugin.nasty(gate(10.0), &[way, &file]);
        let ran = on_call(&plugin).run();
        ran.assert_silent();
        assert!(!ran.left_open);
        let daemon: u32 = wait_for(&file).parse().unwrap();
        assert!(survivors::lives(daemon), "{way}");
        assert_eq!(survivors::of(&plugin), [daemon]);
        let pid = rustix::process::Pid::from_raw(i32::try_from(daemon).unwrap()).unwrap();
        rustix::process::kill_process(pid, Signal::KILL).unwrap();
    }
}

#[test]
fn a_daemon_is_left_alone_when_another_hook_is_ended() {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "pid");
    let daemon = json!({"id": "daemon", "event": "PreToolUse"});
    let plugin = plugin
        .nasty(daemon, &["double-fork", &file])
        .nasty(gate(0.6), &["sleep", "600"]);
    on_call(&plugin).run().assert_denies("`guard`");
    let daemon: u32 = wait_for(&file).parse().unwrap();
    assert_eq!(survivors::of(&plugin), [daemon]);
    let pid = rustix::process::Pid::from_raw(i32::try_from(daemon).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
}

#[test]
fn a_signal_from_the_host_ends_everything_and_a_gate_still_answers() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let plugin = Plugin::new("demo");
        let file = note(&plugin, "pid");
        let plugin = plugin
            .nasty(
                gate(60.0),
                &["ignore-sigterm", "double-fork", &file, "sleep", "600"],
            )
            .sh(json!({"id": "other", "event": "PreToolUse"}), "sleep 600");
        let live = Live::start(&plugin, call().to_string().as_bytes());
        wait_for(&file);
        let told = Instant::now();
        live.signal(signal);
        let (said, status) = live.end();
        // 0.3 s by the design; the rest is for a machine that does other things.
        assert!(told.elapsed() < Duration::from_millis(900), "{signal:?}");
        assert!(said.contains("\"deny\""), "{signal:?}: {said}");
        assert!(said.contains("the agent told hookkit to end"), "{said}");
        assert_eq!(status.code(), Some(0));
        survivors::assert_none(&plugin);
    }
}

#[test]
fn a_signal_leaves_an_observer_silent() {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "pid");
    let entry = json!({"id": "looks", "event": "PreToolUse", "mode": "observe"});
    let plugin = plugin.nasty(entry, &["pid", &file, "sleep", "600"]);
    let live = Live::start(&plugin, call().to_string().as_bytes());
    wait_for(&file);
    live.signal(Signal::TERM);
    let (said, status) = live.end();
    assert_eq!((said.as_str(), status.code()), ("", Some(0)));
    survivors::assert_none(&plugin);
}

#[test]
fn a_deadline_below_the_timeout_of_a_hook_denies() {
    let plugin = Plugin::new("demo").nasty(gate(60.0), &["sleep", "600"]);
    let ran = on_call(&plugin).args(["--deadline", "0.5"]).run();
    ran.assert_denies("did not end before the agent's own limit");
    assert!(ran.elapsed < Duration::from_millis(500) + LATE);
    survivors::assert_none(&plugin);
    let plugin = Plugin::new("demo").nasty(gate(60.0), &["sleep", "0.1"]);
    on_call(&plugin)
        .args(["--deadline", "5"])
        .run()
        .assert_silent();
}

#[test]
fn blocked_signals_of_the_host_hide_no_end() {
    if !program::needs(&["python3"]) {
        return;
    }
    let plugin = Plugin::new("demo").sh(gate(60.0), "exit 0");
    let blocked = "import os, signal, sys\n\
                   signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n\
                   signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n\
                   os.execv(sys.argv[1], sys.argv[1:])";
    let ran = hookkit_tests::process::Program::new(program::found("python3").unwrap())
        .args(["-c", blocked])
        .arg(program::dispatcher())
        .args([
            "--host",
            "claude-code",
            "--event",
            "PreToolUse",
            "--plugin-root",
        ])
        .arg(plugin.path())
        .stdin(call())
        .limit(Duration::from_secs(20))
        .run();
    ran.assert_silent();
}

#[test]
fn orphans_of_a_running_hook_do_not_pile_up_as_zombies() {
    let plugin = Plugin::new("demo");
    let file = note(&plugin, "zombies");
    // The dispatcher adopts orphans, so it has to see them off.
    let script = format!(
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do (true & ) ; done\nsleep 0.3\n\
         ps -o stat= --ppid $PPID | grep -c Z >{file}\nexit 0"
    );
    let plugin = plugin.sh(gate(20.0), &script);
    if !program::needs(&["ps"]) {
        return;
    }
    on_call(&plugin).run().assert_silent();
    let zombies: u32 = wait_for(&file).trim().parse().unwrap();
    assert!(zombies <= 1, "{zombies} zombies");
}

/// A process inherits which signals are ignored and blocked, from a host and from hookkit.
#[test]
fn signals_are_to_a_hook_as_they_are_to_any_program() {
    let plugin = Plugin::new("demo").sh(gate(20.0), "echo No. >&2; exit 2");
    let deaf = "trap '' CHLD; exec \"$0\" \"$@\"";
    let ran = on_call(&plugin).under("sh", &["-c", deaf]).run();
    ran.assert_denies("No.");
    assert!(ran.elapsed < Duration::from_secs(10), "its end was seen");
    for signal in ["TERM", "INT", "HUP", "PIPE"] {
        let script = format!("kill -{signal} $$; exit 0");
        let plugin = Plugin::new("demo").sh(gate(20.0), &script);
        on_call(&plugin).run().assert_denies("was ended by signal");
    }
    // One that ignores the signal itself goes on.
    let plugin = Plugin::new("demo").sh(gate(20.0), "trap '' TERM; kill -TERM $$; exit 0");
    on_call(&plugin).run().assert_silent();
}
