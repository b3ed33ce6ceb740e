//! Sessions that run on with what they read at their start: named with their process, and no others.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fs_err as fs;
use hookkit_tests::Turn;
use hookkit_tests::client_or_skip;
use hookkit_tests::process::Program;
use serde_json::{Value, json};

use crate::machine::Machine;

const HOST: &str = "copilot-cli";

/// The plugin of a folder marketplace whose hook is started from its own folder, as Copilot's plugins
/// mostly are.
fn furnish(machine: &Machine) -> PathBuf {
    let entry = json!({"type": "command", "exec": "${PLUGIN_ROOT}/dispatch/allow", "cwd": "."});
    let hooks = json!({"hooks": {"PreToolUse": [entry]}}).to_string();
    let manifest = json!({"name": "ant", "version": "1.0.0"}).to_string();
    machine.market(
        "ark",
        "ant",
        &[("plugin.json", manifest), ("hooks.json", hooks)],
    );
    machine.put("ark/ant/dispatch/allow", "#!/bin/sh\nexit 0\n");
    let program = machine.at("ark/ant/dispatch/allow");
    fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    // A second one that refuses nothing, to be replaced.
    let manifest = json!({"name": "bee", "version": "1.0.0"}).to_string();
    machine.market("den", "bee", &[("plugin.json", manifest)]);
    machine.json(
        "config/settings.json",
        machine.told(&[("ark", "ant", true), ("den", "bee", true)]),
    );
    machine.at("ark/ant/dispatch")
}

/// Puts another plugin of the same name in the place of one.
fn replace(plugin: &Path) {
    fs::remove_dir_all(plugin).unwrap();
    fs::create_dir(plugin).unwrap();
    let manifest = json!({"name": "bee", "version": "2.0.0"}).to_string();
    fs::write(plugin.join("plugin.json"), manifest).unwrap();
}

/// The sessions of the host that are listed.
fn sessions(list: &Program) -> Vec<Value> {
    let ran = list.run();
    assert!(ran.exited(0), "{}", ran.err());
    let hosts = ran.json()["hosts"].as_array().unwrap().clone();
    let of_host = hosts.into_iter().find(|host| host["host"] == HOST);
    of_host.map_or_else(Vec::new, |host| {
        host["sessions"].as_array().cloned().unwrap_or_default()
    })
}

/// Asks until there is an answer.
fn wait_for<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(40);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(Instant::now() < end, "{what}");
        thread::sleep(Duration::from_millis(100));
    }
}

fn is_client(process: &Value) -> bool {
    let exe = Path::new("/proc").join(process.to_string()).join("exe");
    fs::read_link(exe).is_ok_and(|file| file.ends_with("copilot"))
}

/// The program of a plugin goes away while a session runs: every call is refused, and the session is
/// named with the way out. Before, and once it has ended, nothing is.
#[test]
fn a_wedged_session_is_named_with_its_process() {
    let client = client_or_skip!(copilot);
    let session = client.session().keep_settings();
    let machine = Machine::of(HOST, session.places());
    let dispatch = furnish(&machine);
    let bee = machine.at("den/bee");
    let list = machine.hookkit(["list", "--json", "--host", HOST]);
    let told = machine.hookkit(["list", "--host", HOST]);
    let doctor = machine.hookkit(["doctor", "--json", "--host", HOST]);
    assert!(sessions(&list).is_empty(), "no session runs");
    let remove = format!("sleep 5; rm -r '{}'", dispatch.display());
    let session = session.file("remove.sh", remove).turns([
        client.shell("sh ./remove.sh"),
        client.shell("touch wedged"),
        Turn::text("done").after(Duration::from_secs(12)),
    ]);
    let seen = thread::scope(|scope| {
        let running = scope.spawn(|| session.run());
        let healthy = wait_for("the session is listed", || sessions(&list).pop());
        assert!(is_client(&healthy["process"]), "{healthy}");
        assert!(dispatch.exists() && healthy["holds"].is_null(), "{healthy}");

        let wedged = wait_for("what it holds is gone", || {
            let found = sessions(&list).pop()?;
            found["holds"].is_array().then_some(found)
        });
        assert_eq!(wedged["process"], healthy["process"]);
        let held = &wedged["holds"][0];
        assert_eq!(held["state"], "gone");
        assert_eq!(held["path"], json!(dispatch.join("allow")));
        let text = told.run().out();
        let process = wedged["process"].to_string();
        assert!(
            text.contains(&process) && text.contains("start it anew"),
            "{text}"
        );
        let findings = findings(&doctor);
        assert!(
            findings.contains(&process) && findings.contains("HK107"),
            "{findings}"
        );
        assert!(!findings.contains("HK108"), "{findings}");
        replace(&bee);
        let findings = self::findings(&doctor);
        assert!(findings.contains("HK108"), "{findings}");
        running.join().unwrap()
    });
    assert!(!seen.made("wedged"), "every call is refused");
    assert!(sessions(&list).is_empty(), "it has ended");

    let machine = Machine::of(HOST, seen.places());
    furnish(&machine);
    let findings = findings(&doctor);
    assert!(!findings.contains("HK107"), "{findings}");
    assert!(!findings.contains("HK108"), "{findings}");
}

fn findings(doctor: &Program) -> String {
    doctor.run().json()["findings"].to_string()
}
