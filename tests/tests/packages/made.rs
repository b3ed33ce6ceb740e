//! What `hookkit package` makes.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::process::Program;
use hookkit_tests::{payload, program};
use serde_json::json;

use crate::{guard, hookkit, opened, package, packed};

#[test]
fn two_builds_are_byte_identical() {
    let (one, two) = (guard(), guard());
    for file in ["hooks/no.sh", "README.md"] {
        let ran = Program::new("touch")
            .args(["-d", "2001-02-03"])
            .arg(two.path().join(file))
            .run();
        assert!(ran.exited(0));
        let ran = Program::new("chmod")
            .arg("600")
            .arg(two.path().join(file))
            .run();
        assert!(ran.exited(0));
    }
    let first = packed(&one, &one.project().join("out"), &[]);
    let second = packed(&two, &two.project().join("elsewhere"), &[]);
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let again = packed(&one, first.parent().unwrap(), &[]);
    assert_eq!(fs::read(&again).unwrap(), fs::read(&second).unwrap());

    let ran = Program::new("sha256sum")
        .args(["--check", "--strict", "guard-0.1.0.zip.sha256"])
        .cwd(first.parent().unwrap())
        .run();
    assert!(ran.exited(0));
}

#[test]
fn the_time_is_that_of_source_date_epoch() {
    if !program::needs(&["unzip"]) {
        return;
    }
    let plugin = guard();
    let out = plugin.project().join("out");
    let dates = || {
        let ran = Program::new("unzip")
            .args(["-Z", "-T"])
            .arg(out.join("guard-0.1.0.zip"))
            .run();
        ran.out()
    };
    assert!(package(&plugin, &out, &[]).run().exited(0));
    assert!(dates().contains("19800101.000000"));
    let other = package(&plugin, &out, &[]).env("SOURCE_DATE_EPOCH", "1700000000");
    assert!(other.run().exited(0));
    assert!(dates().contains("20231114.221320") && !dates().contains("19800101"));
    let wrong = package(&plugin, &out, &[]).env("SOURCE_DATE_EPOCH", "now");
    assert!(wrong.run().exited(2));
}

/// Another program unpacks what `hookkit build` makes, and it works.
#[test]
fn what_is_unpacked_is_the_portable_tree() {
    if !program::needs(&["unzip"]) {
        return;
    }
    let plugin = guard();
    let built = plugin.build();
    let package = packed(&plugin, &plugin.project().join("out"), &[]);
    assert!(opened(&package).exited(0));
    let folder = Folder::new("unpacked");
    let ran = Program::new("unzip")
        .arg("-q")
        .arg(&package)
        .arg("-d")
        .arg(&*folder)
        .env("LANG", "C.UTF-8")
        .run();
    assert!(ran.exited(0));
    let ran = Program::new("diff")
        .arg("-r")
        .arg(built.path())
        .arg(&*folder)
        .run();
    assert!(ran.exited(0));
    let ran = Program::new(folder.join("dispatch/hookkit-dispatch"))
        .args(["--host", "claude-code", "--event", "PreToolUse"])
        .stdin(payload::claude::pre_tool_use(
            "Bash",
            json!({"command": "ls"}),
        ))
        .run();
    assert_eq!(
        ran.json()["hookSpecificOutput"]["permissionDecision"],
        "deny"
    );
}

#[test]
fn a_package_describes_itself() {
    let plugin = guard();
    let package = packed(&plugin, &plugin.project().join("out"), &[]);
    let sum = crate::sum(&package);
    let ran = hookkit(&plugin.project(), &["verify", "--json", "--sha256", &sum])
        .arg(&package)
        .run();
    assert!(ran.exited(0));
    let document = ran.json();
    assert_eq!(
        (&document["plugin"], &document["version"]),
        (&json!("guard"), &json!("0.1.0"))
    );
    assert_eq!(document["sha256"], json!(sum));
    assert_eq!(document["problems"], json!([]));
    let entries = document["entries"].as_array().unwrap();
    let names: Vec<_> = entries
        .iter()
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    assert!(names.is_sorted() && names.contains(&"hooks/n\u{e9}.txt"));
    let kind = |name: &str| {
        entries
            .iter()
            .find(|entry| entry["name"] == name)
            .map(|entry| entry["kind"].clone())
    };
    assert_eq!(kind("dispatch/hookkit-dispatch"), Some(json!("program")));
    assert_eq!(kind("README.md"), Some(json!("file")));
}

#[test]
fn an_earlier_signature_does_not_stay_beside_another_package() {
    let plugin = guard();
    let out = plugin.project().join("out");
    let package = packed(&plugin, &out, &[]);
    let signature = out.join("guard-0.1.0.zip.minisig");
    fs::write(&signature, "of the package before").unwrap();
    packed(&plugin, &out, &[]);
    assert!(package.exists() && !signature.exists());
}

/// A path above the budget is named before anything is written, and a package does not pack an earlier one.
#[test]
fn hb_rel_17_paths_that_are_too_long_for_some_systems() {
    let deep = format!("{}/x.json", ["deep"; 30].join("/"));
    let long = format!("hooks/{}.json", "n".repeat(100));
    for path in [&*format!("hooks/{deep}"), &*long] {
        let plugin = guard().file(path, "{}", 0o644);
        let out = plugin.project().join("out");
        let ran = package(&plugin, &out, &[]).run();
        assert!(ran.exited(3) && ran.err().contains(path));
        assert!(!out.exists());
    }
    let plugin = guard().with("files", json!(["**"]));
    let out = plugin.path().join("dist");
    let first = fs::read(packed(&plugin, &out, &[])).unwrap();
    assert_eq!(fs::read(packed(&plugin, &out, &[])).unwrap(), first);
}

#[test]
fn nothing_is_packed_that_cannot_be_built() {
    let plugin = guard().manifest_bytes("{");
    let out = plugin.project().join("out");
    assert!(package(&plugin, &out, &[]).run().exited(1));
    let plugin = guard();
    let own = plugin.path();
    assert!(package(&plugin, &own, &[]).run().exited(3));
    let ran = package(&plugin, &out, &["--targets", "windows"]).run();
    assert!(ran.exited(2));
    assert!(!out.exists());
}
