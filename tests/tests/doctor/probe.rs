//! `--probe`: hooks of anybody's plugin, started as their host starts them, on what it would send.

use hookkit_tests::Ran;
use serde_json::{Value, json};

use crate::Scene;
use crate::scene::plugin;

/// A plugin whose one hook is this entry.
#[expect(clippy::needless_pass_by_value, reason = "callers make it in place")]
fn with(event: &str, entry: Value) -> Scene {
    Scene::with(&plugin(
        &json!({"hooks": {event: [{"matcher": "Bash|startup", "hooks": [entry]}]}}),
    ))
}

/// A plugin with a line for a shell.
fn with_line(event: &str, line: &str) -> Scene {
    with(event, json!({"type": "command", "command": line}))
}

/// The same in Copilot's own form.
#[expect(clippy::needless_pass_by_value, reason = "callers make it in place")]
fn of_copilot(event: &str, entry: Value) -> Scene {
    let scene = Scene::with(&plugin(&json!({"hooks": {}})));
    let hooks = json!({"version": 1, "hooks": {event: [entry]}});
    scene.file("tools/guard/hooks.json", &hooks.to_string());
    scene
}

fn probe(scene: &Scene, name: &str, host: &str) -> Ran {
    let words = ["doctor", "--json", "--host", host, "--probe", name];
    // Where a probe makes its folders.
    scene.hookkit(words).env("TMPDIR", scene.root()).run()
}

/// What the probe says: codes and words.
fn said(scene: &Scene, host: &str) -> Vec<(String, String)> {
    let ran = probe(scene, "guard", host);
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.err());
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let document = ran.json();
    let findings = document["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| text(finding, "code").starts_with("HK82"))
        .map(|finding| {
            assert_eq!(finding["host"], host);
            assert!(finding["file"].as_str().unwrap().contains("/tools/guard/"));
            assert!(finding["line"].is_number());
            (text(finding, "code"), text(finding, "what"))
        })
        .collect()
}

/// One finding of this code, and its words.
#[track_caller]
fn one(scene: &Scene, host: &str, code: &str) -> String {
    let said = said(scene, host);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].0, code, "{said:?}");
    said[0].1.clone()
}

#[track_caller]
fn nothing(scene: &Scene, host: &str) {
    assert_eq!(said(scene, host), [], "{host}");
}

const CLAUDE: &str = "claude-code";
const COPILOT: &str = "copilot-cli";

/// A refusal where Claude Code looks for one, and where Copilot does.
const NESTED: &str = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'"#;
const ROOT: &str = r#"echo '{"permissionDecision":"deny","permissionDecisionReason":"no"}'"#;

#[test]
fn a_hook_that_fails_is_found_and_a_refusal_is_none() {
    let what = one(
        &with_line("PreToolUse", "echo oops >&2; exit 3"),
        CLAUDE,
        "HK821",
    );
    for word in [
        "PreToolUse",
        "exit code 3",
        "oops",
        "goes on as if there were no hook",
    ] {
        assert!(what.contains(word), "{word} in {what}");
    }
    let scene = of_copilot("preToolUse", json!({"bash": "exit 3"}));
    let what = one(&scene, COPILOT, "HK821");
    assert!(what.contains("refuses for that"), "{what}");
    one(&with_line("PreToolUse", "kill -9 $$"), CLAUDE, "HK821");
    // Python's 2 is no refusal.
    let gone = "python3 \"${CLAUDE_PLUGIN_ROOT}/gone.py\"";
    let what = one(&with_line("PreToolUse", gone), CLAUDE, "HK821");
    assert!(
        what.contains("tools/guard/gone.py"),
        "the plugin's own folder: {what}"
    );

    nothing(&with_line("PreToolUse", "cat >/dev/null"), CLAUDE);
    nothing(&with_line("PreToolUse", "echo no >&2; exit 2"), CLAUDE);
    nothing(&with_line("PreToolUse", NESTED), CLAUDE);
    // Claude Code reads a document beside any exit code.
    nothing(
        &with_line("PreToolUse", &format!("{NESTED}; exit 1")),
        CLAUDE,
    );
}

#[test]
fn a_hook_that_cannot_start_is_found() {
    let what = one(
        &with_line("PreToolUse", "no-such-guard check"),
        CLAUDE,
        "HK822",
    );
    assert!(
        what.contains("127") && what.contains("no-such-guard"),
        "{what}"
    );
    let alone = |command: &str| json!({"type": "command", "command": command, "args": ["a b"]});
    let scene = with("PreToolUse", alone("${CLAUDE_PLUGIN_ROOT}/bin/guard"));
    let what = one(&scene, CLAUDE, "HK822");
    assert!(
        what.contains("tools/guard/bin/guard") && what.contains("os error 2"),
        "{what}"
    );
    scene.file("!tools/guard/bin/guard", "#!/bin/sh\n");
    let what = one(&scene, CLAUDE, "HK822");
    assert!(what.contains("os error 13"), "{what}");
    scene.file("tools/guard/bin/guard", "#!/bin/sh\n[ \"$1\" = 'a b' ]\n");
    nothing(&scene, CLAUDE);
    let what = one(&with("PreToolUse", alone("no-such-guard")), CLAUDE, "HK822");
    assert!(what.contains("PATH"), "{what}");

    let scene = of_copilot("preToolUse", json!({"bash": "true", "cwd": "gone"}));
    assert!(one(&scene, COPILOT, "HK822").contains("gone"));
    // Copilot gives a line's program its bit.
    let scene = of_copilot("preToolUse", json!({"bash": "./x.sh"}));
    scene.file("!tools/guard/x.sh", "#!/bin/sh\n");
    nothing(&scene, COPILOT);
    let scene = of_copilot("preToolUse", json!({"exec": "./x.sh"}));
    scene.file("!tools/guard/x.sh", "#!/bin/sh\n");
    one(&scene, COPILOT, "HK822");
}

#[test]
fn a_hook_that_outlasts_its_timeout_is_found() {
    let entry = |line: &str| json!({"type": "command", "command": line, "timeout": 1});
    let what = one(&with("PreToolUse", entry("sleep 30")), CLAUDE, "HK823");
    assert!(what.contains("within its 1 s"), "{what}");
    nothing(&with("PreToolUse", entry("sleep 0.1")), CLAUDE);
}

#[test]
fn a_gate_that_lets_through_what_it_refuses_is_found() {
    let what = one(&with_line("PreToolUse", ROOT), CLAUDE, "HK824");
    assert!(what.contains("permissionDecision"), "{what}");
    let what = one(
        &with_line("PreToolUse", "no-such-guard || true"),
        CLAUDE,
        "HK824",
    );
    assert!(what.contains("no-such-guard"), "{what}");
    one(
        &with_line("PreToolUse", &format!("echo checking; {NESTED}")),
        CLAUDE,
        "HK824",
    );
    one(
        &of_copilot("preToolUse", json!({"bash": NESTED})),
        COPILOT,
        "HK824",
    );
    let what = one(
        &of_copilot("agentStop", json!({"bash": "exit 2"})),
        COPILOT,
        "HK824",
    );
    assert!(what.contains("refuses nothing there"), "{what}");

    nothing(&of_copilot("preToolUse", json!({"bash": ROOT})), COPILOT);
    nothing(&of_copilot("PreToolUse", json!({"bash": NESTED})), COPILOT);
    nothing(&with_line("Stop", "echo no >&2; exit 2"), CLAUDE);
    nothing(
        &with_line("PreToolUse", "command -v no-such-guard || true"),
        CLAUDE,
    );
}

#[test]
fn what_nobody_reads_is_found() {
    let what = one(&with_line("PreToolUse", "echo checked"), CLAUDE, "HK825");
    assert!(what.contains("is no JSON"), "{what}");
    let context = r#"echo '{"additionalContext":"main"}'"#;
    one(&with_line("SessionStart", context), CLAUDE, "HK825");
    one(
        &of_copilot("sessionStart", json!({"bash": "echo main"})),
        COPILOT,
        "HK825",
    );
    nothing(&with_line("SessionStart", "echo main"), CLAUDE);
    nothing(
        &of_copilot("sessionStart", json!({"bash": context})),
        COPILOT,
    );
}

#[test]
fn a_hook_that_no_payload_fits_is_said_to_be_untried() {
    let with_matcher = |matcher: &str| {
        let entry = json!({"type": "command", "command": "exit 3"});
        Scene::with(&plugin(
            &json!({"hooks": {"PreToolUse": [{"matcher": matcher, "hooks": [entry]}]}}),
        ))
    };
    one(&with_matcher("^Nobody.*x$"), CLAUDE, "HK826");
    one(&with_matcher("mcp__mine__look"), CLAUDE, "HK821");
    let scene = Scene::with(&plugin(&json!({"hooks": {}})));
    let ran = probe(&scene, "guard", CLAUDE);
    assert!(
        ran.out().contains("nothing of it was tried"),
        "{}",
        ran.out()
    );
}

/// What a hook tells of itself on stderr.
fn tells(scene: &Scene, host: &str) -> Vec<String> {
    let what = one(scene, host, "HK821");
    let (_, told) = what.split_once("exit code 3: ").unwrap();
    let (told, _) = told.split_once("; ").unwrap_or((told, ""));
    told.split(" , ")
        .map(|word| word.trim().to_owned())
        .collect()
}

/// That the real clients do so is shown in the suite `listing`.
#[test]
fn each_host_starts_a_hook_in_its_own_way() {
    let script = "P=$(cat)\n\
        has() { case \"$P\" in *\"\\\"$1\\\"\"*) echo yes;; *) echo no;; esac; }\n\
        echo \"$(basename \"$PWD\") , $(basename \"$HOME\") , ${CLAUDE_PLUGIN_ROOT##*/} , ${COPILOT_CLI:-none} , \
        $(has tool_use_id) , $(has toolArgs) , $(has git\\ status)\" >&2\nexit 3\n";
    let add = |scene: Scene| {
        scene.file("tools/guard/x.sh", &format!("#!/bin/sh\n{script}"));
        scene
    };
    let line = "\"${CLAUDE_PLUGIN_ROOT}/x.sh\"";
    let claude = add(with_line("PreToolUse", line));
    assert_eq!(
        tells(&claude, CLAUDE),
        ["project", "home", "plugin", "none", "yes", "no", "yes"]
    );
    // The same file is Copilot's too: it starts it in the plugin, with the names of Claude's form.
    assert_eq!(
        tells(&claude, COPILOT),
        ["plugin", "home", "plugin", "1", "no", "no", "yes"]
    );
    let copilot = add(of_copilot("preToolUse", json!({"bash": line, "cwd": "."})));
    assert_eq!(
        tells(&copilot, COPILOT),
        ["project", "home", "plugin", "1", "no", "yes", "yes"]
    );
}

#[test]
fn nothing_of_a_probe_stays() {
    let line = "setsid sleep 600 </dev/null >/dev/null 2>&1 & sleep 600 & echo x >\"$HOME/x\"; \
                echo x >\"$CLAUDE_PLUGIN_ROOT/x\"; echo x >x; mktemp >/dev/null; exit 3";
    let scene = with_line("PreToolUse", line);
    let before = scene.snapshot();
    one(&scene, CLAUDE, "HK821");
    assert!(before == scene.snapshot(), "files and folders");
    #[cfg(target_os = "linux")]
    hookkit_tests::survivors::assert_none_of(scene.root());
}

#[test]
fn a_name_that_says_too_little_is_refused_before_anything_runs() {
    let scene = with_line("PreToolUse", "touch @ROOT/ran");
    let other = json!({
        "extraKnownMarketplaces": {
            "tools": {"source": {"source": "directory", "path": "@ROOT/tools"}},
            "more": {"source": {"source": "directory", "path": "@ROOT/more"}},
        },
        "enabledPlugins": {"guard@tools": true, "guard@more": true},
    });
    scene.file(crate::scene::CLAUDE, &other.to_string());
    let market = json!({"name": "more", "owner": {"name": "a"},
                        "plugins": [{"name": "guard", "source": "./guard"}]});
    scene.file("more/.claude-plugin/marketplace.json", &market.to_string());
    scene.file(
        "more/guard/.claude-plugin/plugin.json",
        "{\"name\": \"guard\"}",
    );
    let ran = probe(&scene, "guard", CLAUDE);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err().contains("guard@more, guard@tools"),
        "{}",
        ran.err()
    );
    let ran = probe(&scene, "nobody", CLAUDE);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("no plugin `nobody`"), "{}", ran.err());
    assert!(!scene.path("ran").exists());
    scene.findings();
    assert!(!scene.path("ran").exists(), "nobody named it");
    probe(&scene, "guard@tools", CLAUDE);
    assert!(scene.path("ran").exists());
}
