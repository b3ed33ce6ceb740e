//! A dispatcher in a data folder: receipts, versions, thin folders.

use std::path::PathBuf;

use hookkit_tests::{Ran, payload};
use serde_json::{Value, json};

use crate::{Place, assert_unserved};

/// A data folder with one version of `demo`, whose gate says `store/demo/1.0.0`.
fn installed() -> (Place, PathBuf) {
    let place = Place::new();
    place.plugin("data/store/demo/1.0.0");
    std::fs::create_dir_all(place.at("data/receipts")).unwrap();
    let dispatcher = place.dispatcher("data/bin/hookkit-dispatch");
    receipt(&place, &json!({"state": "installed", "version": "1.0.0"}));
    (place, dispatcher)
}

fn receipt(place: &Place, receipt: &Value) {
    std::fs::write(place.at("data/receipts/demo"), receipt.to_string()).unwrap();
}

fn named(place: &Place, dispatcher: &std::path::Path, name: &str) -> Ran {
    place.on_claude(dispatcher).args(["--plugin", name]).run()
}

#[test]
fn the_receipt_names_the_version() {
    let (place, dispatcher) = installed();
    named(&place, &dispatcher, "demo").assert_denies("data/store/demo/1.0.0");
    place.plugin("data/store/demo/2.0.0");
    named(&place, &dispatcher, "demo").assert_denies("data/store/demo/1.0.0");
    receipt(&place, &json!({"state": "installed", "version": "2.0.0"}));
    named(&place, &dispatcher, "demo").assert_denies("data/store/demo/2.0.0");
}

/// A host that starts what somebody has trusted starts that version, whatever is in use.
#[test]
fn a_launch_line_can_be_bound_to_a_version() {
    let (place, dispatcher) = installed();
    place.plugin("data/store/demo/2.0.0");
    place.plugin("data/evil");
    let bound = |version: &str| {
        let words = ["--plugin", "demo", "--plugin-version", version];
        place.on_claude(&dispatcher).args(words).run()
    };
    bound("2.0.0").assert_denies("data/store/demo/2.0.0");
    bound("1.0.0").assert_denies("data/store/demo/1.0.0");
    for version in ["../../evil", "..", "", "3.0.0"] {
        assert_unserved(&bound(version), "");
    }
    let is_required = json!({"state": "installed", "version": "2.0.0", "required": ["PreToolUse"]});
    receipt(&place, &is_required);
    for version in ["../../evil", "3.0.0"] {
        bound(version).assert_denies("cannot be loaded");
    }
    receipt(&place, &json!({"state": "removed", "version": "2.0.0"}));
    bound("1.0.0").assert_silent();
}

#[test]
fn a_removed_plugin_says_nothing_at_all() {
    let (place, dispatcher) = installed();
    receipt(
        &place,
        &json!({"state": "removed", "version": "1.0.0", "required": ["PreToolUse"]}),
    );
    let start = place
        .on_claude(&dispatcher)
        .args(["--plugin", "demo", "--if-missing", "deny"]);
    let ran = start.run();
    ran.assert_silent();
    assert_eq!(ran.err(), "");
}

#[test]
fn a_missing_receipt_ends_the_search() {
    let (place, dispatcher) = installed();
    let other = place.plugin("other");
    // All of these would be found otherwise.
    place.plugin("data/bin");
    place.plugin("data");
    std::fs::remove_file(place.at("data/receipts/demo")).unwrap();
    let start = |rule: &[&str]| {
        let program = place
            .on_claude(&dispatcher)
            .args(["--plugin", "demo"])
            .args(rule);
        let program = program.env("CLAUDE_PLUGIN_ROOT", &other);
        program.env("PLUGIN_ROOT", &other).run()
    };
    assert_unserved(&start(&[]), "receipts/demo");
    start(&["--if-missing", "deny"]).assert_denies("receipts/demo");
    let nameless = place
        .on_claude(&dispatcher)
        .env("CLAUDE_PLUGIN_ROOT", &other)
        .run();
    assert_unserved(&nameless, "without --plugin");
    // Beside no receipts the same places count.
    std::fs::remove_dir_all(place.at("data/receipts")).unwrap();
    start(&[]).assert_denies("data/bin");
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let (place, dispatcher) = installed();
    place.plugin("data/evil");
    std::fs::write(
        place.at("data/evil/r"),
        json!({"state": "installed", "version": "1.0.0"}).to_string(),
    )
    .unwrap();
    for name in [
        "../evil/r",
        "..",
        ".",
        "",
        "a/b",
        "demo/",
        "./demo",
        ".demo",
        "dem\u{f6}",
    ] {
        assert_unserved(&named(&place, &dispatcher, name), "");
    }
    for version in [
        "../../evil",
        "..",
        ".",
        "",
        "1.0.0/../../../evil",
        "/etc",
        "1.0.0/",
    ] {
        receipt(&place, &json!({"state": "installed", "version": version}));
        assert_unserved(
            &named(&place, &dispatcher, "demo"),
            "`version` is no folder name",
        );
    }
}

#[test]
fn a_receipt_that_cannot_be_read_is_as_good_as_missing() {
    let (place, dispatcher) = installed();
    for broken in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"state":"installed"}"#,
        r#"{"state":"x","version":"1.0.0"}"#,
    ] {
        std::fs::write(place.at("data/receipts/demo"), broken).unwrap();
        assert_unserved(&named(&place, &dispatcher, "demo"), "receipts/demo");
        let program =
            place
                .on_claude(&dispatcher)
                .args(["--plugin", "demo", "--if-missing", "deny"]);
        program.run().assert_denies("receipts/demo");
    }
}

#[test]
fn the_receipts_list_of_required_events_counts_when_the_version_is_gone() {
    let (place, dispatcher) = installed();
    let installed = |required: &[&str]| {
        receipt(
            &place,
            &json!({"state": "installed", "version": "9.9.9", "required": required}),
        );
        named(&place, &dispatcher, "demo")
    };
    installed(&["PreToolUse"]).assert_denies("A required plugin `demo` cannot be loaded");
    assert_unserved(&installed(&["Stop"]), "has no hookkit.json");
    // The registration itself is heard first.
    receipt(
        &place,
        &json!({"state": "installed", "version": "9.9.9", "required": ["PreToolUse"]}),
    );
    let program = place
        .on_claude(&dispatcher)
        .args(["--plugin", "demo", "--if-missing", "allow"]);
    assert_unserved(&program.run(), "has no hookkit.json");
}

#[test]
fn a_thin_folder_points_to_the_installation_around_it() {
    let (place, _) = installed();
    let thin = |name: &str| {
        let folder = place.at("data/market/demo");
        std::fs::create_dir_all(&folder).unwrap();
        let pointer = json!({"schema": 1, "name": name, "managed": true});
        std::fs::write(folder.join("hookkit.json"), pointer.to_string()).unwrap();
        place
            .on_claude(&place.dispatcher("data/market/demo/dispatch/d"))
            .run()
    };
    thin("demo").assert_denies("data/store/demo/1.0.0");
    assert_unserved(&thin("ghost"), "receipts/ghost");
    assert_unserved(&thin("../evil"), "no plugin name");
    std::fs::remove_dir_all(place.at("data/receipts")).unwrap();
    assert_unserved(&thin("demo"), "an installation that is gone");
}

#[test]
fn the_users_own_variables_do_not_say_where_the_data_folder_is() {
    let (place, dispatcher) = installed();
    for folder in ["elsewhere/hookkit", "elsewhere/.local/share/hookkit"] {
        place.plugin(&format!("{folder}/store/demo/1.0.0"));
        std::fs::create_dir_all(place.at(folder).join("receipts")).unwrap();
        std::fs::copy(
            place.at("data/receipts/demo"),
            place.at(folder).join("receipts/demo"),
        )
        .unwrap();
    }
    let elsewhere = place.at("elsewhere");
    for (dispatcher, served) in [(&dispatcher, true), (&place.dispatcher("alone/d"), false)] {
        let ran = place
            .on_claude(dispatcher)
            .args(["--plugin", "demo"])
            .env("HOME", &elsewhere)
            .env("XDG_DATA_HOME", &elsewhere)
            .env("XDG_CONFIG_HOME", &elsewhere)
            .env("HOOKKIT_HOME", elsewhere.join("hookkit"))
            .run();
        if served {
            ran.assert_denies("data/store/demo/1.0.0");
        } else {
            assert_unserved(&ran, "lies in no plugin");
        }
    }
    // The same folders serve a dispatcher that stands in them.
    let there = place.dispatcher("elsewhere/hookkit/bin/d");
    named(&place, &there, "demo").assert_denies("elsewhere/hookkit/store");
}

#[test]
fn programs_recorded_at_install_are_used_while_they_exist() {
    let (place, dispatcher) = installed();
    let recorded = place.at("recorded-sh");
    std::fs::write(&recorded, "#!/bin/sh\necho recorded >&2; exit 2\n").unwrap();
    let with = json!({"state": "installed", "version": "1.0.0", "programs": {"sh": recorded}});
    receipt(&place, &with);
    named(&place, &dispatcher, "demo").assert_denies("data/store/demo/1.0.0");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&recorded, mode).unwrap();
    named(&place, &dispatcher, "demo").assert_denies("recorded");
}

#[test]
fn a_session_start_is_never_refused() {
    let (place, dispatcher) = installed();
    std::fs::remove_file(place.at("data/receipts/demo")).unwrap();
    hookkit_tests::process::Program::new(&dispatcher)
        .args([
            "--host",
            "claude-code",
            "--event",
            "SessionStart",
            "--plugin",
            "demo",
            "--if-missing",
            "deny",
        ])
        .stdin(payload::claude::session_start("startup"))
        .run()
        .assert_silent();
}
