//! Launch lines that a host's shell does not read as meant.

use serde_json::json;

use crate::Case;
use crate::scene::{CLAUDE, CODEX, COPILOT, claude, claude_entry, copilot, plugin, trusted};

fn gate(command: &str) -> String {
    claude("PreToolUse", command)
}

fn of_plugin(command: &str) -> Vec<(&'static str, String)> {
    let entry = json!({"type": "command", "command": command});
    let mut files = plugin(&json!({"hooks": {"PreToolUse": [{"hooks": [entry]}]}}));
    files.push(("tools/guard/x.sh", "#!/bin/sh\n".into()));
    files
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let shell = |text: &str| copilot("preToolUse", json!({"command": text}));
    let both = |bash: &str, powershell: &str| {
        copilot(
            "preToolUse",
            json!({"bash": bash, "powershell": powershell}),
        )
    };
    let plugins = |code, with: &str, without: &str| Case {
        code,
        with: of_plugin(with),
        without: of_plugin(without),
    };
    vec![
        Case::new(
            "HK501",
            [(COPILOT, shell("true || false"))],
            [(COPILOT, shell("true"))],
        ),
        Case::new(
            "HK502",
            [(COPILOT, shell("\"/bin/true\" run"))],
            [(
                COPILOT,
                both("\"/bin/true\" run", "& \"x.exe\" run; exit $LASTEXITCODE"),
            )],
        ),
        Case::new(
            "HK503",
            [(CLAUDE, gate("[[ -f x ]] && true"))],
            [(CLAUDE, gate("[ -f x ] && true"))],
        ),
        Case::new(
            "HK503",
            [(CLAUDE, gate("diff <(true) x"))],
            [(CLAUDE, gate("bash -c 'diff <(true) x'"))],
        ),
        plugins(
            "HK504",
            "bash ${CLAUDE_PLUGIN_ROOT}/x.sh",
            "bash \"${CLAUDE_PLUGIN_ROOT}/x.sh\"",
        ),
        plugins(
            "HK505",
            "\"${CLAUDE_PLUGIN_ROOT}\"/x.sh",
            "\"${CLAUDE_PLUGIN_ROOT}/x.sh\"",
        ),
        plugins(
            "HK506",
            "\"${CLAUDE_PLUGIN_ROOT:-.}/x.sh\"",
            "\"${CLAUDE_PLUGIN_ROOT}/x.sh\"",
        ),
        plugins(
            "HK507",
            "'${CLAUDE_PLUGIN_ROOT}/x.sh'",
            "bash -c '${CLAUDE_PLUGIN_ROOT}/x.sh'",
        ),
        Case::new(
            "HK508",
            [(COPILOT, shell("exec true"))],
            [(CLAUDE, gate("exec true"))],
        ),
        Case::new(
            "HK509",
            [(CLAUDE, gate("cat || true"))],
            [(CLAUDE, claude("SessionStart", "cat || true"))],
        ),
        Case::new(
            "HK509",
            [(CLAUDE, gate("cat; exit 0"))],
            [(CLAUDE, gate("[ -f x ] || exit 0; cat"))],
        ),
        Case::new(
            "HK510",
            [(CLAUDE, gate("python3 /x/h.py || python /x/h.py"))],
            [(CLAUDE, gate("command -v python3 && python3 /x/h.py"))],
        ),
        Case::new(
            "HK511",
            [
                trusted(),
                (
                    "project/.claude/settings.json",
                    claude_entry(
                        "PreToolUse",
                        json!({
                            "type": "command", "command": "${CLAUDE_PROJECT_DIR}/x", "args": [],
                        }),
                    ),
                ),
                ("project/x", "#!/bin/sh\n".into()),
            ],
            [
                trusted(),
                (
                    "project/.claude/settings.json",
                    claude_entry(
                        "PreToolUse",
                        json!({
                            "type": "command", "command": "${CLAUDE_PROJECT_DIR}/x", "args": [],
                            "bash": "", "powershell": "",
                        }),
                    ),
                ),
                ("project/x", "#!/bin/sh\n".into()),
            ],
        ),
        plugins(
            "HK512",
            "\"${COPILOT_PLUGIN_ROOT}/x.sh\"",
            "\"${CLAUDE_PLUGIN_ROOT}/x.sh\"",
        ),
        Case::new(
            "HK512",
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "\"${CLAUDE_PLUGIN_ROOT}/x\""})),
            )],
            [(
                COPILOT,
                copilot("preToolUse", json!({"bash": "\"${CLAUDE_PROJECT_DIR}/x\""})),
            )],
        ),
        Case::new(
            "HK513",
            [(CLAUDE, gate("cat %USERPROFILE%/x"))],
            [(CLAUDE, gate("cat \"$HOME/x\""))],
        ),
        Case::new(
            "HK513",
            [(COPILOT, shell("bash \"$CLAUDE_PROJECT_DIR/x.sh\""))],
            [(
                COPILOT,
                both(
                    "bash \"$CLAUDE_PROJECT_DIR/x.sh\"",
                    "& $env:X; exit $LASTEXITCODE",
                ),
            )],
        ),
        Case::new(
            "HK514",
            [
                (CLAUDE, gate("bash ./.claude/hooks/x.sh")),
                ("project/.claude/hooks/x.sh", "#!/bin/sh\n".into()),
            ],
            [(
                CLAUDE,
                gate("cd \"$CLAUDE_PROJECT_DIR\" && bash ./.claude/hooks/x.sh"),
            )],
        ),
        Case::new(
            "HK515",
            [(COPILOT, both("true", "& \"x.exe\""))],
            [(COPILOT, both("true", "& \"x.exe\"; exit $LASTEXITCODE"))],
        ),
        Case::new(
            "HK516",
            [(
                COPILOT,
                copilot("preToolUse", json!({"powershell": "exit 0"})),
            )],
            [(COPILOT, both("true", "exit 0"))],
        ),
        Case::new(
            "HK516",
            [(
                CLAUDE,
                claude_entry(
                    "PreToolUse",
                    json!({"type": "command", "command": "exit 2", "shell": "powershell"}),
                ),
            )],
            [(CLAUDE, gate("exit 2"))],
        ),
        Case::new(
            "HK517",
            [(
                COPILOT,
                copilot("preToolUse", json!({"command": "cat", "args": ["x"]})),
            )],
            [(
                COPILOT,
                copilot("preToolUse", json!({"exec": "/bin/cat", "args": ["x"]})),
            )],
        ),
        Case::new(
            "HK518",
            [(CLAUDE, gate("bash .claude\\hooks\\x.sh"))],
            [(CLAUDE, gate("printf a\\nb"))],
        ),
        Case::new(
            "HK519",
            [(COPILOT, both("true", "bash x.sh; exit $LASTEXITCODE"))],
            [(COPILOT, both("bash -c true", "exit 0"))],
        ),
        Case::new(
            "HK520",
            [(CLAUDE, gate("cat \"x"))],
            [(CLAUDE, gate("cat \"x\""))],
        ),
        Case::new(
            "HK106",
            [(CLAUDE, gate("C:/tools/hk.exe run"))],
            [(CLAUDE, gate("curl https://example.com"))],
        ),
        Case::new(
            "HK104",
            [(CLAUDE, gate("bash {{plugin_root}}/x.sh"))],
            [(CLAUDE, gate("jq -r '{{a: 1}}'"))],
        ),
        Case::new(
            "HK602",
            [(CLAUDE, gate("echo '{\"decision\":\"deny\"}'"))],
            [(
                CLAUDE,
                gate("echo '{\"decision\":\"block\",\"reason\":\"x\"}'"),
            )],
        ),
        Case::new(
            "HK602",
            [(
                COPILOT,
                copilot(
                    "preToolUse",
                    json!({"bash": "echo '{\"decision\":\"block\"}'"}),
                ),
            )],
            [(
                COPILOT,
                copilot(
                    "preToolUse",
                    json!({"bash": "echo '{\"permissionDecision\":\"deny\"}'"}),
                ),
            )],
        ),
        Case::new(
            "HK602",
            [(
                CODEX,
                claude("PreToolUse", "echo '{\"permissionDecision\":\"deny\"}'"),
            )],
            [(
                CODEX,
                claude(
                    "PreToolUse",
                    "echo '{\"decision\":\"block\",\"reason\":\"x\"}'",
                ),
            )],
        ),
    ]
}

#[test]
fn what_a_shell_reads_otherwise_is_found() {
    cases().iter().for_each(Case::check);
}
