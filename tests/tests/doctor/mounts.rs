//! What only an administrator can set up: a mount from which nothing starts, files in /etc.

use hookkit_tests::program;
use serde_json::{Value, json};

use crate::Scene;
use crate::scene::{CLAUDE, claude, claude_entry};

/// The document of `hookkit doctor` behind these commands; none where there are no own mounts.
fn document(scene: &Scene, commands: &str) -> Option<Value> {
    let script = format!("{commands}; exec \"$@\"");
    let words = [
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        &script,
        "sh",
    ];
    let as_root = ["--map-root-user"]
        .into_iter()
        .filter(|_| !rustix::process::geteuid().is_root());
    let words: Vec<&str> = as_root.chain(words).collect();
    let ran = scene
        .hookkit(["doctor", "--json"])
        .under("unshare", &words)
        .run();
    let document = serde_json::from_slice(&ran.stdout).ok();
    program::can(
        document.is_some(),
        "this system gives no mounts of one's own",
    )
    .then_some(document?)
}

fn has(document: &Value, code: &str) -> bool {
    let findings = document["findings"].as_array().unwrap();
    findings.iter().any(|finding| finding["code"] == code)
}

#[test]
fn a_program_on_a_mount_from_which_nothing_starts_is_found() {
    let entry = json!({"type": "command", "command": "@ROOT/mount/x", "args": []});
    let scene = Scene::with(&[
        (CLAUDE, claude_entry("Stop", entry)),
        ("mount/x", "#!/bin/sh\n".into()),
    ]);
    let mounted = |options: &str| {
        let folder = scene.path("mount").display().to_string();
        document(
            &scene,
            &format!(
                "mount -t tmpfs -o {options} none {folder}; printf '#!/bin/sh\\n' >{folder}/x; chmod 755 {folder}/x"
            ),
        )
    };
    let (Some(noexec), Some(exec)) = (mounted("noexec"), mounted("exec")) else {
        return;
    };
    assert!(has(&noexec, "HK209"), "{noexec:#}");
    assert!(!has(&exec, "HK209"));
}

/// HB-DOC-09: a policy turns hooks off, and is said before anything else.
#[test]
fn hb_doc_09_a_policy_for_managed_hooks_alone_is_found() {
    let scene = Scene::with(&[(CLAUDE, claude("Stop", "true"))]);
    let managed = |settings: &str| {
        document(
            &scene,
            &format!(
                "mount -t tmpfs none /etc/claude-code 2>/dev/null || {{ mkdir -p /run/hk/u /run/hk/w; mount -t tmpfs none /run; mkdir -p /run/hk/u /run/hk/w; mount -t overlay -o lowerdir=/etc,upperdir=/run/hk/u,workdir=/run/hk/w none /etc; mkdir -p /etc/claude-code; }}; printf '%s' '{settings}' >/etc/claude-code/managed-settings.json"
            ),
        )
    };
    let (Some(only), Some(all)) = (
        managed("{\"allowManagedHooksOnly\":true}"),
        managed("{\"allowManagedHooksOnly\":false}"),
    ) else {
        return;
    };
    let found = only["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["code"] == "HK605");
    let said = found.unwrap_or_else(|| panic!("{only:#}"))["what"]
        .as_str()
        .unwrap();
    assert!(said.contains("managed-settings.json"), "{said}");
    assert!(!has(&all, "HK605"));
    for (strict, is_found) in [
        ("true", true),
        ("[\"hooks\"]", true),
        ("[\"skills\"]", false),
    ] {
        let settings = format!("{{\"strictPluginOnlyCustomization\":{strict}}}");
        let found = managed(&settings).is_some_and(|said| has(&said, "HK605"));
        assert_eq!(found, is_found, "{strict}");
    }
}
