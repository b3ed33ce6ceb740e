//! Codex's `config.toml`, on the disk.

use std::fs;

use hookkit::edit::{Change, Refused, Toml};
use serde_json::json;

use crate::{Home, listing};

const PLUGIN: [&str; 3] = ["plugins", "ours@m", "enabled"];
const CONFIG: &str =
    "# sk-comment\nmodel = \"o3\"\n\n[mcp_servers.x.env]\nKEY = \"sk-value\" # sk-2\n";

fn change(home: &Home) -> Result<Change, Refused> {
    let mut toml = Toml::open(&home.path("home/.codex/config.toml"))?;
    toml.set(&PLUGIN, &json!(true))?;
    Ok(toml.change())
}

fn home(config: Option<&str>) -> Home {
    let home = Home::new();
    if let Some(config) = config {
        fs::create_dir(home.path("home/.codex")).unwrap();
        fs::write(home.path("home/.codex/config.toml"), config).unwrap();
    }
    home
}

fn text(home: &Home) -> String {
    fs::read_to_string(home.path("home/.codex/config.toml")).unwrap()
}

#[test]
fn a_config_comes_back_as_it_was() {
    for config in [
        None,
        Some(""),
        Some("\n"),
        Some(CONFIG),
        Some("a = 1\r\nb = 2"),
    ] {
        let home = home(config);
        let before = listing(&home.path("home"));
        let change = change(&home).unwrap();
        home.write(&change).unwrap();
        assert!(text(&home).contains("[plugins.\"ours@m\"]"));
        let undone = change
            .undo()
            .change_toml(|_| panic!("the record is enough"))
            .unwrap();
        home.write(&undone).unwrap();
        assert_eq!(listing(&home.path("home")), before, "{config:?}");
    }
}

#[test]
fn in_a_config_that_changed_since_only_our_entry_goes() {
    let changed = home(Some(CONFIG));
    let first = change(&changed).unwrap();
    changed.write(&first).unwrap();
    let file = changed.path("home/.codex/config.toml");
    fs::write(&file, text(&changed) + "[theirs]\nx = 1\n").unwrap();
    let remove = |toml: &mut Toml| toml.remove(&PLUGIN, 2);
    changed
        .write(&first.undo().change_toml(remove).unwrap())
        .unwrap();
    assert_eq!(text(&changed), format!("{CONFIG}[theirs]\nx = 1\n"));

    let made = home(None);
    let first = change(&made).unwrap();
    made.write(&first).unwrap();
    let file = made.path("home/.codex/config.toml");
    fs::write(&file, format!("\n{}", text(&made))).unwrap();
    made.write(&first.undo().change_toml(remove).unwrap())
        .unwrap();
    assert!(!made.path("home/.codex").exists());
}

#[test]
fn a_diff_hides_what_is_somebody_elses() {
    let home = home(Some(CONFIG));
    let change = change(&home).unwrap();
    let shown = change.diff();
    assert!(!shown.contains("sk-"), "{shown}");
    assert!(
        shown
            .contains(" KEY = \"\u{2026}\" #\u{2026}\n+\n+[plugins.\"ours@m\"]\n+enabled = true\n"),
        "{shown}"
    );
    let record = serde_json::to_string(&change.undo()).unwrap();
    assert!(record.len() < 500, "{record}");
}

#[test]
fn a_config_that_does_not_parse_is_left_as_it_is() {
    let home = home(Some("model = \"o3\"\n[x\n"));
    let refused = change(&home).unwrap_err();
    assert_eq!(refused.line, Some(2));
    assert!(refused.what.starts_with("does not parse: "), "{refused}");
}
