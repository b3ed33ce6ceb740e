//! Faults that people reported of other doctors and installers, each as its file layout and the right
//! answer. HB-... are the numbers of the collection that they come from.

use serde_json::{Value, json};

use crate::Scene;
use crate::scene::{CLAUDE, COPILOT, claude, copilot, plugin, trusted};

fn codes(scene: &Scene) -> Vec<String> {
    let findings = scene.findings();
    findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap().to_owned())
        .collect()
}

fn has(scene: &Scene, code: &str) -> bool {
    codes(scene).iter().any(|found| found == code)
}

/// HB-DOC-01, HB-LAUN-08: the name is there, and what it names is no interpreter.
#[test]
fn hb_doc_01_a_store_alias_is_no_python() {
    let scene = Scene::with(&[
        (CLAUDE, claude("PreToolUse", "python3 @ROOT/h.py")),
        ("h.py", String::new()),
    ]);
    let found = |folder: &str, program: &str| {
        scene.file(&format!("{folder}/python3"), program);
        let path = format!("{}:/usr/bin:/bin", scene.path(folder).display());
        let document = scene
            .hookkit(["doctor", "--json"])
            .env("PATH", path)
            .run()
            .json();
        let findings = document["findings"].as_array().unwrap().clone();
        findings
            .into_iter()
            .find(|finding| finding["code"] == "HK302")
    };
    let alias = found("WindowsApps", "#!/bin/sh\nexit 49\n").expect("a finding");
    assert!(
        alias["what"]
            .as_str()
            .unwrap()
            .contains("WindowsApps/python3")
    );
    assert!(
        alias["fix"]
            .as_str()
            .unwrap()
            .contains("App execution aliases")
    );
    // A slow one is an interpreter all the same.
    assert_eq!(found("slow", "#!/bin/sh\nsleep 9\n"), None);
}

/// HB-DOC-03: a prefix is no file.
#[test]
fn hb_doc_03_scripts_behind_prefixes_are_found() {
    let lines = [
        "bash \"${CLAUDE_PLUGIN_ROOT}/hooks/a.sh\"",
        "EV=Stop \"${CLAUDE_PLUGIN_ROOT}/hooks/b.sh\"",
        "cd \"$CLAUDE_PROJECT_DIR\" && ./hooks/a.sh",
    ];
    let hooks: Vec<Value> = lines
        .iter()
        .map(|line| json!({"type": "command", "command": line}))
        .collect();
    let mut files = plugin(&json!({"hooks": {"Stop": [{"hooks": hooks}]}}));
    files.push(("tools/guard/hooks/a.sh", "#!/bin/sh\n".into()));
    files.push(("tools/guard/hooks/b.sh", "#!/bin/sh\n".into()));
    let scene = Scene::with(&files);
    let missing = |scene: &Scene| {
        let mut found = codes(scene);
        found.retain(|code| ["HK201", "HK202", "HK301", "HK306"].contains(&&**code));
        found.len()
    };
    assert_eq!(missing(&scene), 0, "{:?}", scene.findings());
    // The control: each is looked for.
    std::fs::remove_file(scene.path("tools/guard/hooks/a.sh")).unwrap();
    assert!(has(&scene, "HK306"));
    std::fs::remove_file(scene.path("tools/guard/hooks/b.sh")).unwrap();
    assert!(has(&scene, "HK201"));
}

/// HB-DOC-04: what is recorded counts, not what a layout would have.
#[test]
fn hb_doc_04_the_recorded_command_is_looked_at() {
    let scene = Scene::with(&[
        (CLAUDE, claude("PreToolUse", "@ROOT/home/.local/bin/hk run")),
        ("home/.local/bin/hk", "#!/bin/sh\ncat >/dev/null\n".into()),
    ]);
    let ran = scene
        .hookkit(["doctor", "--json"])
        .env("PATH", "/usr/bin:/bin")
        .run();
    assert!(ran.exited(0), "{}", ran.out());
    std::fs::remove_file(scene.path("home/.local/bin/hk")).unwrap();
    assert!(has(&scene, "HK201"));
}

/// HB-DOC-06: an event by another case, and what was meant.
#[test]
fn hb_doc_06_an_unknown_event_names_the_one_that_was_meant() {
    let hooks = json!({"version": 1, "hooks": {
        "pretooluse": [{"type": "command", "bash": "true"}],
        "Stop": [{"type": "command", "bash": "true"}],
    }});
    let scene = Scene::with(&[
        trusted(),
        ("project/.github/hooks/a.json", hooks.to_string()),
    ]);
    let mut found = scene.of("HK415");
    found.retain(|finding| finding["host"] == "copilot-cli");
    assert_eq!(found.len(), 1, "Stop is one: {found:#?}");
    assert!(found[0]["what"].as_str().unwrap().contains("`pretooluse`"));
    assert!(
        found[0]["fix"]
            .as_str()
            .unwrap()
            .to_lowercase()
            .contains("pretooluse")
    );
}

/// HB-DOC-07: milliseconds where seconds count.
#[test]
fn hb_doc_07_a_timeout_in_milliseconds_is_found() {
    let entry = json!({"type": "command", "command": "true", "timeout": 30000});
    let scene = Scene::with(&plugin(
        &json!({"hooks": {"SessionStart": [{"hooks": [entry]}]}}),
    ));
    let found = scene.of("HK425");
    assert!(!found.is_empty());
    assert!(
        found[0]["fix"].as_str().unwrap().contains("write 30"),
        "{found:#?}"
    );
    let entry = json!({"type": "command", "command": "true", "timeout": 30});
    let scene = Scene::with(&plugin(
        &json!({"hooks": {"SessionStart": [{"hooks": [entry]}]}}),
    ));
    assert!(!has(&scene, "HK425"));
}

/// HB-DOC-10: a repository's hooks want a trusted folder.
#[test]
fn hb_doc_10_an_untrusted_folder_is_said() {
    let hooks = copilot("preToolUse", json!({"type": "command", "bash": "true"}));
    let scene = Scene::with(&[("project/.github/hooks/a.json", hooks)]);
    let found = scene.of("HK606");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0]["fix"]
            .as_str()
            .unwrap()
            .contains("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS")
    );
    let ran = scene
        .hookkit(["doctor", "--json"])
        .env("GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS", "true")
        .run();
    assert!(!ran.out().contains("HK606"));
}

/// HB-LAUN-02: the first `bash` on the PATH is Windows' own.
#[test]
fn hb_laun_02_the_relay_to_wsl_is_no_bash() {
    let scene = Scene::with(&[
        (CLAUDE, claude("Stop", "bash @ROOT/x.sh")),
        ("x.sh", "#!/bin/sh\n".into()),
    ]);
    let found = |order: &str| {
        scene.file("System32/bash", "#!/bin/sh\nexit 1\n");
        scene.file("Git/bin/bash", "#!/bin/sh\n");
        let folders = order
            .split(':')
            .map(|name| scene.path(name).display().to_string());
        let path = folders
            .chain(["/usr/bin".to_owned()])
            .collect::<Vec<_>>()
            .join(":");
        scene
            .hookkit(["doctor", "--json"])
            .env("PATH", path)
            .run()
            .out()
            .contains("HK303")
    };
    assert!(found("System32:Git/bin"));
    assert!(!found("Git/bin:System32"));
}

/// HB-LAUN-05: `||` in Claude's settings of a project, which Copilot reads too.
#[test]
fn hb_laun_05_a_line_that_copilot_gives_to_powershell() {
    let line = "\"C:\\tools\\t.exe\" check || echo {}";
    let scene = Scene::with(&[
        trusted(),
        (
            "project/.claude/settings.local.json",
            claude("PreToolUse", line),
        ),
    ]);
    let found = scene.of("HK501");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["host"], "copilot-cli");
    let scene = Scene::with(&[(CLAUDE, claude("PreToolUse", "true || echo {}"))]);
    assert!(
        !has(&scene, "HK501"),
        "Copilot does not read the user's own"
    );
}

/// HB-LAUN-03, -06: what PowerShell makes of a quoted path and of `$NAME`.
#[test]
fn hb_laun_03_a_quoted_path_starts_nothing_in_powershell() {
    let line = "\"${CLAUDE_PLUGIN_ROOT}/hooks/run-hook.cmd\" session-start";
    let entry = json!({"type": "command", "command": line});
    let scene = Scene::with(&plugin(
        &json!({"hooks": {"SessionStart": [{"hooks": [entry]}]}}),
    ));
    assert!(has(&scene, "HK502"));
    let scene = Scene::with(&[
        trusted(),
        (
            "project/.claude/settings.json",
            claude("PreToolUse", "bash \"$CLAUDE_PROJECT_DIR/x.sh\""),
        ),
    ]);
    assert!(has(&scene, "HK513"));
}

/// HB-LAUN-09: the second interpreter gets a hook whose input is read.
#[test]
fn hb_laun_09_a_hook_is_not_tried_twice() {
    let scene = Scene::with(&[(CLAUDE, claude("PreToolUse", "python3 h.py || python3 h.py"))]);
    assert!(has(&scene, "HK510"));
}

/// HB-LAUN-11: MSYS rewrites what looks like a path of its own.
#[test]
fn hb_laun_11_an_argument_that_git_bash_rewrites_is_found() {
    let found = |line: &str| {
        has(
            &Scene::with(&[(CLAUDE, claude("PreToolUse", line))]),
            "HK521",
        )
    };
    assert!(found("\"C:/tools/hk.exe\" --event /PreToolUse"));
    assert!(!found("\"C:/tools/hk.exe\" --event=/PreToolUse"));
    assert!(!found(
        "MSYS2_ARG_CONV_EXCL='*' C:/tools/hk.exe --event /PreToolUse"
    ));
    let alone = json!({"type": "command", "command": "C:/tools/hk.exe", "args": ["/PreToolUse"]});
    let scene = Scene::with(&[(CLAUDE, crate::scene::claude_entry("PreToolUse", alone))]);
    assert!(!has(&scene, "HK521"), "no shell starts it");
}

/// HB-LAUN-12: `%` and `&` in the path of a program.
#[test]
fn hb_laun_12_a_path_with_characters_of_the_shell_is_found() {
    let found = |line: &str| {
        let entry = json!({"bash": "true", "powershell": line});
        has(
            &Scene::with(&[(COPILOT, copilot("preToolUse", entry))]),
            "HK522",
        )
    };
    assert!(found(r"C:\Users\A&B\bin\hk.exe run; exit $LASTEXITCODE"));
    assert!(found(
        r#"cmd /c "C:\Users\A\100%OS%\bin\hk.exe" run; exit $LASTEXITCODE"#
    ));
    assert!(!found(
        r#"& "C:\Users\A&B\100%OS%\bin\hk.exe" run; exit $LASTEXITCODE"#
    ));
    assert!(!found(
        r#"cmd /c "%USERPROFILE%\bin\hk.exe" run; exit $LASTEXITCODE"#
    ));
    let exec = json!({"exec": r"C:\Users\A&B\100%OS%\bin\hk.exe"});
    let scene = Scene::with(&[(COPILOT, copilot("preToolUse", exec))]);
    assert!(!has(&scene, "HK522"), "no shell starts it");
}

/// HB-LAUN-14, -15: PowerShell that is not there, and an exit code that it changes.
#[test]
fn hb_laun_14_powershell_that_is_not_there() {
    let entry = json!({"type": "command", "shell": "powershell", "command": "exit 2"});
    let settings = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [entry]}]}});
    let scene = Scene::with(&[(CLAUDE, settings.to_string())]);
    let ran = scene
        .hookkit(["doctor", "--json"])
        .env("PATH", "/nowhere")
        .run();
    assert!(ran.out().contains("HK516"));
    scene.file("ps/pwsh", "#!/bin/sh\n");
    let ran = scene
        .hookkit(["doctor", "--json"])
        .env("PATH", scene.path("ps"))
        .run();
    assert!(!ran.out().contains("HK516"));
    let entry = json!({"bash": "true", "powershell": "& \"h.cmd\""});
    let scene = Scene::with(&[(COPILOT, copilot("preToolUse", entry))]);
    assert!(has(&scene, "HK515"));
}

/// HB-INST-11: the program is gone, and its entry is not.
#[test]
fn hb_inst_11_an_entry_without_its_program_is_found() {
    let settings = json!({"hooks": {"PreToolUse": [
        {"matcher": "*", "hooks": [{"type": "command", "command": "@ROOT/gone/hookkit run"}]},
    ]}});
    let scene = Scene::with(&[(CLAUDE, settings.to_string())]);
    assert_eq!(scene.of("HK201").len(), 1);
    scene.file("gone/hookkit", "#!/bin/sh\n");
    assert!(!has(&scene, "HK201"));
}

/// HB-INST-12: a plugin and the settings name the same hook.
#[test]
fn hb_inst_12_a_hook_of_a_plugin_and_of_settings_is_found_twice() {
    let stop =
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true stop"}]}]}});
    let mut files = plugin(&stop);
    let mut settings: Value = serde_json::from_str(&files[0].1).unwrap();
    settings["hooks"] = stop["hooks"].clone();
    files[0].1 = settings.to_string();
    let scene = Scene::with(&files);
    let found = scene.of("HK601");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0]["what"]
            .as_str()
            .unwrap()
            .contains("already active through plugin guard@tools")
    );
}

/// HB-INST-15: a path that the next upgrade removes.
#[test]
fn hb_inst_15_a_versioned_path_is_found() {
    for (path, expected) in [
        ("brew/Cellar/hk/1.0.0/bin/hk", true),
        ("home/.nvm/versions/node/v22.1.0/bin/hk", true),
        ("brew/bin/hk", false),
    ] {
        let scene = Scene::with(&[(CLAUDE, claude("Stop", &format!("@ROOT/{path} stop")))]);
        scene.file(path, "#!/bin/sh\n");
        assert_eq!(has(&scene, "HK211"), expected, "{path}");
    }
}
