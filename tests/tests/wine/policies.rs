//! What an administrator wrote into the registry for Claude Code, as `hookkit list` shows it.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::foreign::{self, Wine};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Somebody with a hook of their own.
struct Person {
    wine: Wine,
    hookkit: PathBuf,
    folder: Folder,
}

impl Person {
    fn new() -> Option<Self> {
        let person = Self {
            hookkit: foreign::hookkit("windows/hookkit.exe")?,
            wine: Wine::find()?,
            folder: Folder::new("policies"),
        };
        fs::create_dir(person.folder.join("claude")).unwrap();
        let settings = hook("own").to_string();
        fs::write(person.folder.join("claude/settings.json"), settings).unwrap();
        Some(person)
    }

    /// Writes a policy, and takes it back at its end.
    fn policy<'p>(&'p self, hive: &'static str, kind: &str, json: &Value) -> Policy<'p> {
        let policy = Policy { person: self, hive };
        let json = json.to_string();
        let words = ["/v", "Settings", "/t", kind, "/d", &json, "/f"];
        policy.registry("add", &words);
        policy
    }

    /// What each hook starts, and whether it fires; and why not.
    fn fires(&self) -> Vec<(String, String, String)> {
        let at = |place: &str| Wine::path(&self.folder.join(place));
        let words = ["list", "--json", "--host", "claude-code", "--event", "Stop"];
        let ran = self
            .wine
            .program(&self.hookkit)
            .args(words)
            .env("HOOKKIT_HOME", at("data"))
            .env("CLAUDE_CONFIG_DIR", at("claude"))
            .cwd(&*self.folder)
            .run();
        let host = &ran.json()["hosts"][0];
        assert!(host.get("not_looked_at").is_none(), "{host}");
        let sources = host["sources"].as_array().unwrap().iter();
        let hooks = sources.flat_map(|source| source["hooks"].as_array().unwrap());
        hooks
            .map(|hook| {
                let text = |key: &str| hook[key].as_str().unwrap_or_default().to_owned();
                (text("starts"), text("fires"), text("why"))
            })
            .collect()
    }

    fn assert(&self, expected: &[(&str, &str)]) {
        let fires = self.fires();
        let shown = fires.iter().map(|(name, fires, _)| (&**name, &**fires));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{fires:?}");
    }
}

/// A policy that is there until it is dropped.
struct Policy<'p> {
    person: &'p Person,
    hive: &'static str,
}

impl Policy<'_> {
    fn registry(&self, verb: &str, words: &[&str]) {
        let key = format!(r"{}\SOFTWARE\Policies\ClaudeCode", self.hive);
        let reg = self.person.wine.program(Path::new("reg"));
        let ran = reg.args([verb, &key]).args(words).run();
        assert!(ran.exited(0), "{}", ran.err());
    }
}

impl Drop for Policy<'_> {
    fn drop(&mut self) {
        self.registry("delete", &["/f"]);
    }
}

fn hook(name: &str) -> Value {
    json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": name}]}]}})
}

fn with(mut settings: Value, key: &str) -> Value {
    settings[key] = json!(true);
    settings
}

/// The one test that writes policies, for there is one registry.
#[test]
fn policies_in_the_registry_are_listed_and_switch_others_off() {
    let Some(person) = Person::new() else { return };
    person.assert(&[("own", "yes")]);

    let of_user = person.policy("HKCU", "REG_SZ", &hook("of-user"));
    person.assert(&[("of-user", "yes"), ("own", "yes")]);

    let only = with(hook("of-machine"), "allowManagedHooksOnly");
    let machine = person.policy("HKLM", "REG_EXPAND_SZ", &only);
    person.assert(&[("of-machine", "yes"), ("of-user", "no"), ("own", "no")]);
    let why: Vec<_> = person.fires().into_iter().map(|(.., why)| why).collect();
    let place = r"HKLM\SOFTWARE\Policies\ClaudeCode, `Settings`";
    assert!(
        why[1].contains("counts alone") && why[1].contains(place),
        "{}",
        why[1]
    );
    assert!(
        why[2].contains("administrator") && why[2].contains(&format!("{place}:1")),
        "{}",
        why[2]
    );
    drop(machine);

    let off = with(hook("of-machine"), "disableAllHooks");
    let machine = person.policy("HKLM", "REG_SZ", &off);
    person.assert(&[("of-machine", "no"), ("of-user", "no"), ("own", "no")]);
    drop(machine);
    drop(of_user);
    person.assert(&[("own", "yes")]);
}
