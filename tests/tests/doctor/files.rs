//! Files of settings and hooks: what is dropped, dead, wide, late or ignored.

use serde_json::json;

use crate::Case;
use crate::scene::{CLAUDE, CODEX, COPILOT, claude, claude_entry, copilot, matched, plugin};

fn codex(hooks: &str) -> String {
    format!("{{\"hooks\": {hooks}}}")
}

const STOP: &str = r#"{"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}"#;

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let sound = || claude("Stop", "true");
    let plain = || copilot("preToolUse", json!({"type": "command", "bash": "true"}));
    let run = |more: serde_json::Value| {
        let mut entry = json!({"type": "command", "command": "true"});
        entry
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        entry
    };
    vec![
        Case::new(
            "HK401",
            [(CLAUDE, "{\"hooks\": {".into())],
            [(CLAUDE, sound())],
        ),
        Case::new("HK401", [(COPILOT, "[1".into())], [(COPILOT, plain())]),
        Case::new(
            "HK402",
            [(CLAUDE, format!("// x\n{}", sound()))],
            [(CLAUDE, sound())],
        ),
        Case::new(
            "HK402",
            [(COPILOT, plain().replace("}]", "},]"))],
            [(COPILOT, plain())],
        ),
        Case::new(
            "HK402",
            [(CODEX, format!("{{ // x\n\"hooks\": {STOP}}}"))],
            [(CODEX, codex(STOP))],
        ),
        Case::new(
            "HK403",
            [(COPILOT, format!("\u{feff}{}", plain()))],
            [(COPILOT, plain())],
        ),
        // Claude Code's settings may begin with a mark, its plugins' hooks may not.
        Case::new(
            "HK403",
            [(CODEX, format!("\u{feff}{}", codex(STOP)))],
            [(CLAUDE, format!("\u{feff}{}", sound()))],
        ),
        Case::new(
            "HK404",
            [(
                CLAUDE,
                claude_entry("PreToolUse", run(json!({"timeout": "5"}))),
            )],
            [(
                CLAUDE,
                claude_entry("PreToolUse", run(json!({"timeout": 5}))),
            )],
        ),
        Case {
            code: "HK405",
            with: plugin(
                &json!({"hooks": {"PreToolUse": [{"hooks": [run(json!({"type": "shell"}))]}]}}),
            ),
            without: plugin(&json!({"hooks": {"PreToolUse": [{"hooks": [run(json!({}))]}]}})),
        },
        Case::new(
            "HK406",
            [(COPILOT, copilot("preToolUse", json!({"type": "command"})))],
            [(COPILOT, plain())],
        ),
        Case::new(
            "HK407",
            [(
                CLAUDE,
                json!({"hooks": {"PreToolUse": [{"type": "command", "bash": "true"}]}}).to_string(),
            )],
            [(CLAUDE, claude("PreToolUse", "true"))],
        ),
        Case::new(
            "HK408",
            [(
                COPILOT,
                plain().replace("\"version\":1", "\"version\":\"1\""),
            )],
            [(COPILOT, plain())],
        ),
        Case::new(
            "HK409",
            [(
                COPILOT,
                copilot("preToolUse", json!({"exec": "/bin/true", "bash": "true"})),
            )],
            [(COPILOT, copilot("preToolUse", json!({"exec": "/bin/true"})))],
        ),
        Case::new(
            "HK410",
            [(CODEX, format!("{{\"version\": 1, \"hooks\": {STOP}}}"))],
            [(
                CODEX,
                format!("{{\"description\": \"x\", \"hooks\": {STOP}}}"),
            )],
        ),
        Case::new(
            "HK411",
            [(
                CODEX,
                codex(r#"{"Stop": [{"hooks": [{"type": "command", "bash": "true"}]}]}"#),
            )],
            [(CODEX, codex(STOP))],
        ),
        Case {
            code: "HK412",
            with: [
                plugin(&json!({"hooks": {}})),
                vec![(
                    "tools/guard/hooks.json",
                    copilot("preToolUse", json!({"bash": "true"})),
                )],
            ]
            .concat(),
            without: plugin(&json!({"hooks": {}})),
        },
        Case {
            code: "HK413",
            with: [
                plugin(&json!({"hooks": {}})),
                vec![
                    (
                        "tools/guard/plugin.json",
                        json!({"name": "guard", "hooks": "./other.json"}).to_string(),
                    ),
                    (
                        "tools/guard/other.json",
                        copilot("preToolUse", json!({"bash": "true"})),
                    ),
                ],
            ]
            .concat(),
            without: [
                plugin(&json!({"hooks": {}})),
                vec![(
                    "tools/guard/plugin.json",
                    json!({"name": "guard"}).to_string(),
                )],
            ]
            .concat(),
        },
        Case::new(
            "HK414",
            [(
                CLAUDE,
                sound().replace("{\"Stop\"", "{\"Stop\": [],\n\"Stop\""),
            )],
            [(CLAUDE, sound())],
        ),
        Case::new(
            "HK415",
            [(CLAUDE, claude("pretooluse", "true"))],
            [(CLAUDE, claude("PreToolUse", "true"))],
        ),
        Case::new(
            "HK416",
            [(
                COPILOT,
                copilot("PostToolBatch", json!({"type": "command", "bash": "true"})),
            )],
            [(COPILOT, plain())],
        ),
        Case {
            code: "HK417",
            with: plugin(&json!({"PreToolUse": [{"hooks": [run(json!({}))]}]})),
            without: plugin(&json!({"hooks": {"PreToolUse": [{"hooks": [run(json!({}))]}]}})),
        },
        Case::new(
            "HK418",
            [(
                COPILOT,
                json!({"version": 1, "hooks": {"preToolUse": {"bash": "true"}}}).to_string(),
            )],
            [(COPILOT, plain())],
        ),
        Case::new(
            "HK419",
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "matcher": ""})),
            )],
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "matcher": "bash"})),
            )],
        ),
        // Seen on Copilot CLI 1.0.102, which checks a matcher only where it looks at it.
        Case::new(
            "HK419",
            [(
                COPILOT,
                copilot("PreCompact", json!({"bash": "true", "matcher": ""})),
            )],
            [(
                COPILOT,
                copilot("Stop", json!({"bash": "true", "matcher": ""})),
            )],
        ),
        Case::new(
            "HK422",
            [(
                COPILOT,
                copilot(
                    "PostToolUseFailure",
                    json!({"bash": "true", "matcher": "Bash"}),
                ),
            )],
            [(
                COPILOT,
                copilot("PostToolUse", json!({"bash": "true", "matcher": "Bash"})),
            )],
        ),
        Case::new(
            "HK420",
            [(CLAUDE, matched("("))],
            [(CLAUDE, matched("Bash|Edit"))],
        ),
        Case::new(
            "HK420",
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "matcher": "*"})),
            )],
            [(
                COPILOT,
                copilot("PreToolUse", json!({"bash": "true", "matcher": "*"})),
            )],
        ),
        Case::new(
            "HK421",
            [(CLAUDE, matched("bash"))],
            [(CLAUDE, matched("Bash"))],
        ),
        Case::new(
            "HK421",
            [(CLAUDE, matched("Bash(git *)"))],
            [(CLAUDE, matched("Bash.*"))],
        ),
        Case::new(
            "HK421",
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "matcher": "Bash"})),
            )],
            [(
                COPILOT,
                copilot("PreToolUse", json!({"bash": "true", "matcher": "Bash"})),
            )],
        ),
        Case::new(
            "HK422",
            [(
                CLAUDE,
                json!({"hooks": {"Stop": [{"matcher": "Bash", "hooks": [run(json!({}))]}]}})
                    .to_string(),
            )],
            [(
                CLAUDE,
                json!({"hooks": {"Stop": [{"matcher": "*", "hooks": [run(json!({}))]}]}})
                    .to_string(),
            )],
        ),
        Case::new(
            "HK423",
            [(CLAUDE, matched("Write.*|Edit"))],
            [(CLAUDE, matched("^(Write|Edit)$"))],
        ),
        Case::new(
            "HK424",
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "timeoutSec": 0})),
            )],
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "timeoutSec": 0.5})),
            )],
        ),
        Case::new(
            "HK425",
            [(CLAUDE, claude_entry("Stop", run(json!({"timeout": 30000}))))],
            [(CLAUDE, claude_entry("Stop", run(json!({"timeout": 600}))))],
        ),
        Case::new(
            "HK426",
            [(
                CLAUDE,
                claude_entry("SessionEnd", run(json!({"timeout": 90}))),
            )],
            [(
                CLAUDE,
                claude_entry("SessionEnd", run(json!({"timeout": 60}))),
            )],
        ),
        Case::new(
            "HK427",
            [(CLAUDE, claude_entry("Stop", run(json!({"timeoutSec": 5}))))],
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "true", "timeoutSec": 5})),
            )],
        ),
        Case::new(
            "HK428",
            [(
                COPILOT,
                copilot("PreToolUse", json!({"bash": "true", "if": "Bash(git *)"})),
            )],
            [(
                CLAUDE,
                claude_entry("PreToolUse", run(json!({"if": "Bash(git *)"}))),
            )],
        ),
        Case {
            code: "HK429",
            with: [
                plugin(&json!({"hooks": {}})),
                vec![(
                    "tools/guard/.claude-plugin/plugin.json",
                    json!({"name": "guard", "version": "1.0.0", "hooks": "./hooks/hooks.json"})
                        .to_string(),
                )],
            ]
            .concat(),
            without: plugin(&json!({"hooks": {}})),
        },
        Case::new(
            "HK430",
            [("home/.copilot/hooks/a.jsonc", plain())],
            [("home/.copilot/hooks/a.json", plain())],
        ),
        Case {
            code: "HK431",
            with: [
                plugin(&json!({"hooks": {}})),
                vec![(
                    "tools/guard/plugin.json",
                    json!({"name": "guard", "hooks": "../other.json"}).to_string(),
                )],
            ]
            .concat(),
            without: plugin(&json!({"hooks": {}})),
        },
        Case::new(
            "HK433",
            [(
                COPILOT,
                copilot(
                    "preToolUse",
                    json!({"type": "http", "url": "http://example.com/x"}),
                ),
            )],
            [(
                COPILOT,
                copilot(
                    "preToolUse",
                    json!({"type": "http", "url": "https://example.com/x"}),
                ),
            )],
        ),
        Case::new(
            "HK434",
            [(
                COPILOT,
                copilot("preToolUse", json!({"type": "prompt", "prompt": "x"})),
            )],
            [(
                COPILOT,
                copilot("sessionStart", json!({"type": "prompt", "prompt": "x"})),
            )],
        ),
    ]
}

#[test]
fn what_a_host_drops_or_reads_otherwise_is_found() {
    cases().iter().for_each(Case::check);
}
