//! The variables and interpreters that launch lines name.

/// The names of roots that some host sets.
const ROOTS: [&str; 9] = [
    "CLAUDE_PLUGIN_ROOT",
    "PLUGIN_ROOT",
    "COPILOT_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
    "CLAUDE_PLUGIN_DATA",
    "COPILOT_PLUGIN_DATA",
    "PLUGIN_DATA",
    "CODEX_PLUGIN_ROOT",
];

pub(crate) fn is_root(name: &str) -> bool {
    ROOTS.contains(&name)
}

/// What a host sets for the hooks of a plugin, or of another source (claude-code 2.1.332,
/// copilot-cli 1.0.102, codex 0.171.0; VS Code's are not judged: its pages contradict each other).
pub(crate) fn is_set(host: &str, is_plugin: bool, name: &str) -> bool {
    match (host, is_plugin) {
        ("claude-code", true) => matches!(
            name,
            "CLAUDE_PROJECT_DIR" | "CLAUDE_PLUGIN_ROOT" | "CLAUDE_PLUGIN_DATA"
        ),
        ("claude-code", false) => name == "CLAUDE_PROJECT_DIR",
        ("copilot-cli", true) => !matches!(name, "PLUGIN_DATA" | "CODEX_PLUGIN_ROOT"),
        ("copilot-cli", false) => matches!(name, "CLAUDE_PROJECT_DIR" | "COPILOT_PROJECT_DIR"),
        ("codex", true) => matches!(
            name,
            "PLUGIN_ROOT" | "CLAUDE_PLUGIN_ROOT" | "PLUGIN_DATA" | "CLAUDE_PLUGIN_DATA"
        ),
        ("codex", false) => false,
        _ => true,
    }
}

/// Every root that a host sets there.
pub(crate) fn set_by(host: &str, is_plugin: bool) -> impl Iterator<Item = &'static str> {
    ROOTS
        .into_iter()
        .filter(move |name| is_set(host, is_plugin, name))
}

/// What a host replaces by itself in exec form.
pub(crate) fn is_replaced(host: &str, is_plugin: bool, name: &str) -> bool {
    match host {
        "copilot-cli" => {
            is_plugin
                && name != "COPILOT_PLUGIN_ROOT"
                && name != "COPILOT_PROJECT_DIR"
                && is_set(host, is_plugin, name)
        }
        _ => is_set(host, is_plugin, name),
    }
}

/// The language that a program runs, whatever its version; none where it is no interpreter.
pub(crate) fn interpreter_family(program: &str) -> Option<&'static str> {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    [
        "python", "node", "bash", "sh", "zsh", "dash", "ksh", "ruby", "perl", "deno", "bun",
        "pwsh", "php",
    ]
    .into_iter()
    .chain(["tsx", "npx", "bunx", "uv", "uvx", "powershell", "py"])
    .find(|known| *known == name)
    .map(|known| if known == "py" { "python" } else { known })
}
