//! What an installation writes, and what an uninstallation gives back.

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::is_long_run;
use serde_json::json;

use crate::Home;
use crate::home::gate;

/// Settings as people have them: what stands in them is no business of ours.
pub(crate) const SETTINGS: [&str; 12] = [
    "{}",
    "{}\n",
    "{\"model\":\"opus\"}",
    "{\n  \"model\": \"opus\"\n}\n",
    "{\r\n\t\"model\": \"opus\",\r\n\t\"env\": {}\r\n}\r\n",
    "\u{feff}{\n    \"model\": \"opus\"\n}",
    "{\n  // a comment\n  \"model\": \"opus\", /* another */\n}\n",
    "{\"zebra\":1,\"hooks\":{},\"alpha\":{\"z\":1,\"a\":2}}\n",
    "{\"enabledPlugins\": {}, \"extraKnownMarketplaces\": {}}\n",
    "{\"enabledPlugins\": {\"a@b\": true}, \"n\": 12345678901234567890123, \"e\": 1E+2}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": [ {\"type\": \"command\", \"command\": \"true && echo 'a' > b\"} ]} ] /* mine */\n  }\n}\n",
    "\n\n",
];

#[test]
fn every_file_is_given_back_byte_for_byte() {
    // A required gate is told to Copilot CLI in a file of its own, whatever stands in the settings.
    let told = [
        ("claude-code", true),
        ("copilot-cli", false),
        ("claude-code", false),
        ("copilot-cli", true),
    ];
    for (number, settings) in SETTINGS.into_iter().enumerate() {
        let tried = if is_long_run() { told.len() } else { 1 };
        for (host, is_required) in told.into_iter().cycle().skip(number).take(tried) {
            let places = Places::new();
            let home = Home::of(host, &places);
            fs::write(home.settings(), settings).unwrap();
            let before = home.snapshot();
            home.installs(&gate("1.0.0", "No.", is_required));
            assert_ne!(home.snapshot(), before);
            home.uninstalls("gatekeeper");
            assert_eq!(home.snapshot(), before, "{host} {settings:?}");
        }
    }
}

/// Two plugins share a file: whichever goes first, the last one gives back what was there.
#[test]
fn two_plugins_go_in_any_order() {
    let (one, two) = (
        gate("1.0.0", "No.", false),
        gate("1.0.0", "No.", false).with("name", "second".into()),
    );
    let text = "{\n  // theirs\n  \"model\": \"opus\",\n}\n";
    for host in ["claude-code", "copilot-cli"] {
        for order in [["gatekeeper", "second"], ["second", "gatekeeper"]] {
            for there in [Some(text), None] {
                let places = Places::new();
                let home = Home::of(host, &places);
                if let Some(text) = there {
                    fs::write(home.settings(), text).unwrap();
                }
                let before = home.snapshot();
                home.installs(&one);
                home.installs(&two);
                home.uninstalls(order[0]);
                let stays = fs::read_to_string(home.settings()).unwrap();
                assert!(!stays.contains(&format!("{}@", order[0])), "{stays}");
                assert!(stays.contains(&format!("{}@hookkit-", order[1])), "{stays}");
                home.uninstalls(order[1]);
                assert_eq!(home.snapshot(), before, "{host} {order:?} {there:?}");
            }
        }
    }
}

#[test]
fn nothing_is_left_where_nothing_was() {
    for host in ["claude-code", "copilot-cli"] {
        let places = Places::new();
        let home = Home::of(host, &places);
        fs::remove_dir(places.config()).unwrap();
        fs::remove_dir(places.root().join("data")).unwrap();
        home.installs(&gate("1.0.0", "No.", false));
        home.uninstalls("gatekeeper");
        assert!(!places.config().exists() && !places.root().join("data").exists());
    }
}

/// What somebody else wrote meanwhile stays.
#[test]
fn what_came_in_meanwhile_stays() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    fs::write(home.settings(), "{\n  \"model\": \"opus\"\n}\n").unwrap();
    home.installs(&gate("1.0.0", "No.", false));
    let text = fs::read_to_string(home.settings()).unwrap();
    fs::write(home.settings(), text.replace("opus", "sonnet")).unwrap();
    home.uninstalls("gatekeeper");
    assert_eq!(
        fs::read_to_string(home.settings()).unwrap(),
        "{\n  \"model\": \"sonnet\"\n}\n"
    );
}

/// Installing the same again changes nothing; uninstalling twice neither.
#[test]
fn to_do_it_again_does_nothing() {
    let places = Places::new();
    let home = Home::of("copilot-cli", &places);
    let before = home.snapshot();
    let plugin = gate("1.0.0", "No.", true);
    home.installs(&plugin);
    let installed = home.snapshot();
    assert!(home.installs(&plugin).out().contains("Nothing to do"));
    assert_eq!(home.snapshot(), installed);
    home.uninstalls("gatekeeper");
    assert!(
        home.uninstalls("gatekeeper")
            .out()
            .contains("Nothing of gatekeeper")
    );
    assert_eq!(home.snapshot(), before);
}

/// Our entries are known by themselves: the data folder may be gone, and the host may have dropped
/// what it does not know.
#[test]
fn our_entries_are_known_without_a_data_folder() {
    for host in ["claude-code", "copilot-cli"] {
        for is_required in [false, true] {
            let places = Places::new();
            let home = Home::of(host, &places);
            let theirs = json!({
                "extraKnownMarketplaces": {
                    "hookkit-gatekeeper-00000000": {"source": {"source": "directory", "path": "/their/hookkit/market/gatekeeper"}},
                    "hookkit-gatekeeper": {"source": {"source": "directory", "path": home.data("market/gatekeeper")}},
                },
                "enabledPlugins": {"gatekeeper@theirs": false, "gatekeeper2@hookkit-gatekeeper2-00000000": true},
            });
            let text = format!("{theirs:#}\n");
            fs::write(home.settings(), &text).unwrap();
            let hooks = places.config().join("hooks");
            fs::create_dir(&hooks).unwrap();
            fs::write(
                hooks.join("hookkit-other.json"),
                "{\"version\":1,\"hooks\":{}}",
            )
            .unwrap();
            let before = home.snapshot();
            home.installs(&gate("1.0.0", "No.", is_required));
            fs::remove_dir_all(home.data("")).unwrap();
            home.uninstalls("gatekeeper");
            assert_eq!(home.snapshot(), before, "{host}");
        }
    }
}

/// Without a terminal nothing is done that nobody said yes to.
#[test]
fn nothing_is_done_without_a_yes() {
    let places = Places::new();
    let home = Home::of("claude-code", &places);
    fs::write(home.settings(), "{}\n").unwrap();
    let before = home.snapshot();
    let gate = gate("1.0.0", "No.", true);
    let plugin = gate.path();
    let plain = home
        .hookkit(["install", "--host", "claude-code"])
        .arg(&plugin)
        .run();
    assert!(plain.exited(3) && plain.out().contains("+  \"enabledPlugins\""));
    let dry = home
        .hookkit(["install", "--dry-run", "--host", "claude-code"])
        .arg(&plugin)
        .run();
    assert!(dry.exited(0) && dry.out() == plain.out());
    let told = home
        .hookkit(["install", "--dry-run", "--json", "--host", "claude-code"])
        .arg(&plugin)
        .run()
        .json();
    assert_eq!((&told["schema"], &told["done"]), (&json!(1), &json!(false)));
    assert_eq!(home.snapshot(), before);
    let done = home.install(&plugin).arg("--json").run().json();
    assert_eq!(
        done["steps"], told["steps"],
        "what is done is what was shown"
    );
    assert_ne!(home.snapshot(), before);
}

/// Claude Code drops a whole settings file for one comment, and says nothing.
#[test]
fn settings_that_the_host_does_not_read_are_named() {
    for (host, text, is_named) in [
        (
            "claude-code",
            "{\n  // mine\n  \"model\": \"opus\"\n}\n",
            true,
        ),
        ("claude-code", "\u{feff}{\"model\": \"opus\"}", false),
        (
            "copilot-cli",
            "{\n  // mine\n  \"model\": \"opus\"\n}\n",
            false,
        ),
    ] {
        let places = Places::new();
        let home = Home::of(host, &places);
        fs::write(home.settings(), text).unwrap();
        let said = home.installs(&gate("1.0.0", "No.", false)).out();
        let words = "careful: claude-code reads nothing of";
        assert_eq!(said.contains(words), is_named, "{host} {text:?}: {said}");
        assert_eq!(said.contains("line 2 has one"), is_named);
    }
}

/// Settings that cannot be read keep nobody from taking a plugin away that does not stand in them.
#[test]
fn settings_without_it_do_not_keep_it() {
    let places = Places::new();
    let home = Home::of("copilot-cli", &places);
    home.installs(&gate("1.0.0", "No.", true));
    fs::write(home.settings(), "{ broken").unwrap();
    home.uninstalls("gatekeeper");
    assert!(!places.config().join("hooks").exists() && !home.data("").exists());

    fs::write(home.settings(), "{}").unwrap();
    home.installs(&gate("1.0.0", "No.", false));
    let text = fs::read_to_string(home.settings()).unwrap();
    fs::write(home.settings(), text + "{").unwrap();
    let ran = home.hookkit(["uninstall", "--yes", "gatekeeper"]).run();
    assert!(ran.exited(3) && ran.err().contains("settings.json"));
}
