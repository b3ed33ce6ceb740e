//! `hookkit` for Windows installs a package from a server: the network, the authorities and the zip
//! are other code there.

use fs_err as fs;
use hookkit_tests::folder::Folder;
use hookkit_tests::foreign::{self, Wine};
use hookkit_tests::process::Program;
use hookkit_tests::web::{Authority, Web};
use hookkit_tests::{Plugin, program};
use serde_json::{Value, json};

#[test]
fn a_signed_package_comes_over_https_from_whom_the_person_trusts() {
    let made = || {
        Some((
            foreign::hookkit("windows/hookkit.exe")?,
            foreign::dispatcher("hookkit-dispatch.exe")?,
            Wine::find()?,
        ))
    };
    let Some((hookkit, dispatcher, wine)) = made() else {
        return;
    };
    let folder = Folder::new("windows");
    let place = |name: &str| folder.join(name);
    for name in ["programs", "published", "data", "claude"] {
        fs::create_dir(place(name)).unwrap();
    }
    fs::copy(hookkit, place("programs/hookkit.exe")).unwrap();
    fs::copy(dispatcher, place("programs/hookkit-dispatch.exe")).unwrap();
    let here = |words: &[&str]| {
        let program = Program::new(program::hookkit()).args(words);
        program.env("HOME", &*folder).cwd(&*folder)
    };
    assert!(here(&["keygen", "--out", "published"]).run().exited(0));
    let plugin = Plugin::new("guard").sh(json!({"id": "no", "event": "PreToolUse"}), "exit 2");
    let key = place("published/minisign.key");
    let packed = here(&["package", "--out", "published", "--dispatcher"])
        .arg(program::dispatcher())
        .arg("--sign-key")
        .arg(&key)
        .arg(plugin.path());
    assert!(packed.run().exited(0));
    fs::remove_file(key).unwrap();

    let authority = Authority::new();
    let web = Web::start_encrypted(&authority);
    web.put_folder("/p", &place("published"));
    let install = wine
        .program(&place("programs/hookkit.exe"))
        .args(["install", "--yes", "--host", "claude-code", "--key"])
        .arg(Wine::path(&place("published/minisign.pub")))
        .arg(web.at("/p/guard-0.1.0.zip"))
        .env("HOOKKIT_HOME", Wine::path(&place("data")))
        .env("CLAUDE_CONFIG_DIR", Wine::path(&place("claude")))
        .cwd(&*folder);
    let ran = install.run();
    assert!(ran.exited(3) && ran.err().contains("cannot be trusted"));
    assert!(fs::read_dir(place("data")).unwrap().next().is_none());
    let trusted = Wine::path(&authority.write(&folder));
    let ran = install.env("SSL_CERT_FILE", trusted).run();
    assert!(ran.exited(0));
    let receipt = fs::read(place("data/receipts/guard")).unwrap();
    let receipt: Value = serde_json::from_slice(&receipt).unwrap();
    assert_eq!(receipt["source"]["address"], web.at("/p/guard-0.1.0.zip"));
    let key = fs::read_to_string(place("published/minisign.pub")).unwrap();
    assert_eq!(receipt["key"].as_str(), key.lines().nth(1));
    assert!(place("data/store/guard/0.1.0/hookkit.json").is_file());
}
