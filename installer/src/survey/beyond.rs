//! What an administrator can say where hookkit does not look: in the registry of Windows for others than
//! Claude Code, and in what a device's management gives to programs on macOS. It may switch hooks on or
//! off, so it is said.
//!
//! Copilot CLI: its runtime of 1.0.102 has `mdm_load_managed_settings`. Codex and
//! VS Code: their vendors' pages.

/// The places of one host, on a system by Rust's name for it.
pub(crate) fn not_looked_at(system: &str, host: &str) -> &'static [&'static str] {
    match (system, host) {
        ("windows", "vscode-local" | "vscode-copilot") => &[
            "HKLM\\SOFTWARE\\Policies\\Microsoft\\VSCode",
            "HKCU\\SOFTWARE\\Policies\\Microsoft\\VSCode",
        ],
        ("windows", "copilot-cli") => &["policies that the device's management sets"],
        ("macos", "claude-code" | "copilot-cli" | "codex" | "vscode-local" | "vscode-copilot") => {
            &["managed preferences of this Mac"]
        }
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_looked_at_is_said_where_it_can_be() {
        for host in crate::survey::hosts() {
            assert!(not_looked_at("linux", host).is_empty(), "{host}");
        }
        assert_eq!(not_looked_at("windows", "vscode-local").len(), 2);
        assert!(not_looked_at("windows", "claude-code").is_empty());
        assert_eq!(not_looked_at("macos", "codex").len(), 1);
        assert!(not_looked_at("macos", "copilot-cloud").is_empty());
    }
}
