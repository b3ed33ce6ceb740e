//! What only Codex wants: a copy of the plugin in its own folder, and a person's trust in it.

use std::path::PathBuf;

use fs_err as fs;
use hookkit_tests::client::{Places, Seen, Session};
use hookkit_tests::process::Program;
use hookkit_tests::{Ran, Turn, client_or_skip, payload, program};
use serde_json::{Value, json};

use crate::Home;
use crate::home::gate;

const WORDS: &str = "Markers are not made here.";

/// Settings as people have them, in TOML.
const CONFIGS: [&str; 9] = [
    "",
    "\n",
    "model = \"gpt\"",
    "# mine\nmodel = \"gpt\" # yes\n\n[features]\nweb = true\n",
    "# mine\r\nmodel = \"gpt\"\r\n\r\n[features]\r\nweb = true",
    "\u{feff}model = \"gpt\"\n",
    "[marketplaces.theirs]\nsource_type = \"local\"\nsource = \"/theirs\"\n\n[plugins.\"a@theirs\"]\nenabled = true\n",
    "[hooks.state]\n\n[hooks.state.\"/their/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n",
    "plugins = { \"a@b\" = { enabled = true } }\n",
];

#[test]
fn every_config_is_given_back_byte_for_byte() {
    for config in CONFIGS {
        let places = Places::new();
        let home = Home::of("codex", &places);
        fs::write(home.settings(), config).unwrap();
        let before = home.snapshot();
        home.installs(&gate("1.0.0", "No.", true));
        let told = fs::read_to_string(home.settings()).unwrap();
        assert!(told.contains("gatekeeper@hookkit-gatekeeper-"), "{told}");
        home.uninstalls("gatekeeper");
        assert_eq!(home.snapshot(), before, "{config:?}");
    }
}

#[test]
fn nothing_of_codex_is_left_where_nothing_was() {
    let places = Places::new();
    let home = Home::of("codex", &places);
    fs::remove_dir(places.config()).unwrap();
    home.installs(&gate("1.0.0", "No.", true));
    assert!(copy(&home, &places).join("content.sha256").is_file());
    home.uninstalls("gatekeeper");
    assert!(!places.config().exists());
}

/// What Codex, or its user, wrote meanwhile stays; what either wrote about the plugin goes.
#[test]
fn what_codex_noted_about_the_plugin_goes_with_it() {
    let places = Places::new();
    let home = Home::of("codex", &places);
    fs::write(home.settings(), "model = \"gpt\"\n").unwrap();
    home.installs(&gate("1.0.0", "No.", true));
    let id = home.receipt("gatekeeper")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = fs::read_to_string(home.settings()).unwrap();
    let text = text.replace("gpt", "gpt-next");
    let key = format!("{id}:hooks/codex.json:pre_tool_use:0:0");
    let noted = format!("\n[hooks.state]\n\n[hooks.state.\"{key}\"]\ntrusted_hash = \"1\"\n");
    fs::write(home.settings(), text + &noted).unwrap();
    fs::write(copy(&home, &places).join("content.sha256"), "other\n").unwrap();
    fs::write(copy(&home, &places).join("more"), "").unwrap();
    home.uninstalls("gatekeeper");
    let left = fs::read_to_string(home.settings()).unwrap();
    assert_eq!(left.trim_end(), "model = \"gpt-next\"");
    let cache = places.config().join("plugins/cache");
    let is_empty = fs::read_dir(&cache).map_or(true, |mut entries| entries.next().is_none());
    assert!(is_empty, "nothing of it is in {}", cache.display());
}

/// Known by itself, without a data folder.
#[test]
fn our_tables_are_known_without_a_data_folder() {
    let places = Places::new();
    let home = Home::of("codex", &places);
    let theirs = "[marketplaces.hookkit-gatekeeper-00000000]\nsource_type = \"local\"\nsource = \"/their/hookkit/market/gatekeeper\"\n";
    fs::write(home.settings(), theirs).unwrap();
    let before = fs::read(home.settings()).unwrap();
    home.installs(&gate("1.0.0", "No.", true));
    let copy = copy(&home, &places);
    fs::remove_dir_all(home.data("")).unwrap();
    home.uninstalls("gatekeeper");
    assert_eq!(fs::read(home.settings()).unwrap(), before);
    assert!(!copy.exists());
}

/// A plugin that is told to Codex twice would fire twice.
#[test]
fn another_registration_in_codex_is_refused_or_replaced() {
    let plugin = gate("1.0.0", "No.", false);
    let places = Places::new();
    let home = Home::of("codex", &places);
    let theirs = "# theirs\n[plugins.\"gatekeeper@market\"]\nenabled = true\n";
    fs::write(home.settings(), theirs).unwrap();
    let before = home.snapshot();
    let ran = home.install(&plugin.path()).run();
    assert!(ran.exited(3) && ran.err().contains("gatekeeper@market"));
    assert_eq!(home.snapshot(), before);
    let ran = home.install(&plugin.path()).arg("--replace").run();
    assert!(ran.exited(0));
    let text = fs::read_to_string(home.settings()).unwrap();
    assert!(text.contains("[plugins.\"gatekeeper@market\"]\nenabled = false\n"));
    home.uninstalls("gatekeeper");
    assert_eq!(home.snapshot(), before);

    let line = "\"/x/hookkit/bin/hookkit-dispatch\" --host codex --plugin gatekeeper --deadline 3";
    let hooks = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}});
    let file = places.config().join("hooks.json");
    fs::write(home.settings(), "").unwrap();
    fs::write(&file, hooks.to_string()).unwrap();
    let ran = home.install(&plugin.path()).run();
    assert!(ran.exited(3) && ran.err().contains("hooks.json"));
    fs::write(&file, hooks.to_string().replace("gatekeeper", "other")).unwrap();
    home.installs(&plugin);
}

/// What is in the copy names the version and its files, and the launch line starts no other one.
#[test]
fn codex_runs_exactly_the_version_that_it_was_told() {
    let places = Places::new();
    let home = Home::of("codex", &places);
    home.installs(&gate("1.0.0", "No.", true));
    let sums = copy(&home, &places).join("content.sha256");
    let checked = Program::new("sha256sum")
        .args(["--check", "--strict"])
        .arg(&sums)
        .cwd(home.data("store/gatekeeper/1.0.0"))
        .run();
    assert!(checked.exited(0) && checked.out().contains("hookkit.json: OK"));
    let line = line(&home, &places);
    judged(&line).assert_denies("No.");
    home.installs(&gate("2.0.0", "Never.", true));
    judged(&line).assert_denies("No.");
    judged(&self::line(&home, &places)).assert_denies("Never.");
    // Switched off, and gone, it is for every version.
    let switched = home.hookkit(["disable", "--yes", "gatekeeper"]).run();
    assert!(switched.exited(0));
    judged(&line).assert_silent();
    home.hookkit(["enable", "--yes", "gatekeeper"]).run();
    fs::remove_dir_all(home.data("store/gatekeeper/1.0.0")).unwrap();
    judged(&line).assert_denies("cannot be loaded");
}

/// The folder that Codex reads.
fn copy(home: &Home, places: &Places) -> PathBuf {
    let id = home.receipt("gatekeeper")["id"].take();
    let (plugin, marketplace) = id.as_str().unwrap().split_once('@').unwrap();
    let cache = places.config().join("plugins/cache");
    cache.join(marketplace).join(plugin).join("local")
}

/// The command of the copy's first entry.
fn line(home: &Home, places: &Places) -> String {
    let bytes = fs::read(copy(home, places).join("hooks/codex.json")).unwrap();
    let hooks: Value = serde_json::from_slice(&bytes).unwrap();
    let entry = &hooks["hooks"]["PreToolUse"][0]["hooks"][0];
    entry["command"].as_str().unwrap().to_owned()
}

/// A forbidden call, as Codex would have it judged.
fn judged(line: &str) -> Ran {
    let call = payload::codex::pre_tool_use("Bash", json!({"command": "touch forbidden"}));
    Program::new("bash").args(["-c", line]).stdin(call).run()
}

/// A session in which one call is forbidden and one is not.
fn two_calls(session: Session) -> Seen {
    let client = session.client();
    let turns = [
        client.shell("touch forbidden"),
        client.shell("touch allowed"),
        Turn::text("done"),
    ];
    let seen = session.turns(turns).run();
    assert!(seen.ran.exited(0) && seen.made("allowed"));
    seen
}

/// Codex starts nothing that nobody has trusted. That is said, and the real client does it.
#[test]
fn codex_enforces_what_was_trusted_and_asks_again_after_an_update() {
    let client = client_or_skip!(codex);
    let told = |places: &Places, version: &str, words: &[&str]| {
        let home = Home::of("codex", places);
        let ran = home
            .beside(&[client], ["install", "--yes", "--host", "codex"])
            .args(words)
            .arg(gate(version, WORDS, true).path())
            .run();
        assert!(ran.exited(0), "{}", ran.err());
        ran.out()
    };
    let config = "# mine\r\nsandbox_mode = \"read-only\"";
    for (steps, is_enforced) in [
        (&[("1.0.0", &[][..])][..], false),
        (&[("1.0.0", &["--trust"])], true),
        // What was trusted stays so while it is the same.
        (&[("1.0.0", &["--trust"]), ("1.0.0", &[])], true),
        (&[("1.0.0", &[]), ("1.0.0", &["--trust"])], true),
        (&[("1.0.0", &["--trust"]), ("2.0.0", &[])], false),
        (&[("1.0.0", &["--trust"]), ("2.0.0", &["--trust"])], true),
    ] {
        let session = client.session().keep_settings();
        let home = Home::of("codex", session.places());
        fs::write(home.settings(), config).unwrap();
        let before = home.snapshot();
        let mut said = String::new();
        for (version, words) in steps {
            said = told(session.places(), version, words);
            let line = format!(
                "--plugin gatekeeper --if-missing deny --deadline 13 --plugin-version {version}"
            );
            assert!(said.contains(&line) && said.contains("sha256:"), "{said}");
        }
        let words =
            "codex        not enforced on PreToolUse (required): its hooks do not run until";
        assert_eq!(said.contains(words), !is_enforced, "{said}");
        let words = "codex        runs on PreToolUse (required).";
        assert_eq!(said.contains(words), is_enforced, "{said}");

        let seen = two_calls(session);
        assert_eq!(seen.made("forbidden"), !is_enforced, "{steps:?}");
        assert_eq!(seen.model.results()[0].contains(WORDS), is_enforced);
        // The client fills its folder; what was there before is as it was.
        let home = Home::of("codex", seen.places());
        home.uninstalls("gatekeeper");
        let after = home.snapshot();
        for (name, content) in &before {
            assert_eq!(after.get(name), Some(content), "{steps:?}: {name}");
        }
        let left: Vec<_> = after
            .keys()
            .filter(|name| name.contains("hookkit"))
            .collect();
        assert_eq!(left, [""; 0], "{steps:?}");
    }
}

/// What would be trusted is in the document for programs; a yes to it without Codex is refused.
#[test]
fn what_is_to_be_trusted_is_told_to_programs() {
    let client = client_or_skip!(codex);
    let places = Places::new();
    let home = Home::of("codex", &places);
    let plugin = gate("1.0.0", WORDS, true);
    let before = home.snapshot();
    let told = home
        .beside(
            &[client],
            ["install", "--json", "--dry-run", "--host", "codex"],
        )
        .arg(plugin.path())
        .run()
        .json();
    let trust = &told["hosts"][0]["trust"];
    assert_eq!(
        (&trust["state"], &told["hosts"][0]["enforced"]),
        (&json!("missing"), &json!(false))
    );
    let hook = &trust["hooks"][0];
    assert_eq!(
        (&hook["event"], &hook["matcher"]),
        (&json!("preToolUse"), &json!("Bash"))
    );
    let command = hook["command"].as_str().unwrap();
    assert!(command.ends_with("--plugin-version 1.0.0"), "{command}");
    assert!(hook["hash"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(home.snapshot(), before, "the client was asked elsewhere");

    let ran = home.install(&plugin.path()).arg("--trust").run();
    assert!(
        ran.exited(3) && ran.err().contains("is not on the PATH"),
        "{}",
        ran.err()
    );
    assert_eq!(home.snapshot(), before);
    let said = home.installs(&plugin).out();
    assert!(
        said.contains("not enforced on PreToolUse") && said.contains("/hooks"),
        "{said}"
    );
}

/// What the person's own settings switch off is not said to be enforced.
#[test]
fn hooks_that_are_switched_off_in_codex_are_not_said_to_run() {
    let client = client_or_skip!(codex);
    for (config, is_off) in [
        ("[features]\nhooks = false\n", true),
        ("[features]\nhooks = true\n", false),
    ] {
        let places = Places::new();
        let home = Home::of("codex", &places);
        fs::write(home.settings(), config).unwrap();
        let ran = home
            .beside(
                &[client],
                ["install", "--yes", "--trust", "--host", "codex"],
            )
            .arg(gate("1.0.0", "No.", true).path())
            .run();
        assert!(ran.exited(0), "{}", ran.err());
        let said = ran.out();
        let words = "codex        not enforced on PreToolUse (required): `hooks = false` in the table `features`";
        assert_eq!(said.contains(words), is_off, "{said}");
    }
}

/// At a terminal two things are asked, and only yes is yes.
#[test]
fn a_person_at_a_terminal_is_asked_for_trust() {
    let client = client_or_skip!(codex);
    if !program::needs(&["script"]) {
        return;
    }
    let plugin = gate("1.0.0", "No.", true);
    for (answers, is_installed, is_trusted) in [
        ("n\n", false, false),
        ("y\nn\n", true, false),
        ("y\ny\n", true, true),
    ] {
        let places = Places::new();
        let home = Home::of("codex", &places);
        let folder = client.file().parent().unwrap();
        let path = format!("{}:{}", folder.display(), program::search_path());
        let command = format!(
            "{} install --host codex {}",
            home.program().display(),
            plugin.path().display()
        );
        let ran = places
            .program("script")
            .args(["--quiet", "--return", "--command", &command, "/dev/null"])
            .env("CODEX_HOME", places.config())
            .env("PATH", path)
            .stdin_bytes(answers)
            .run();
        let said = ran.out();
        assert!(said.contains("Do it? [y/N]"), "{said}");
        let question = "Shall codex trust these hooks as they are now?";
        assert_eq!(said.contains(question), is_installed, "{said}");
        assert_eq!(ran.exited(0), is_installed, "{said}");
        let config = fs::read_to_string(home.settings()).unwrap_or_default();
        assert_eq!(config.contains("[plugins."), is_installed, "{config}");
        assert_eq!(config.contains("trusted_hash"), is_trusted, "{config}");
    }
}
