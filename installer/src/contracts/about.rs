//! What the table does not say about a host: what it is, and how hookkit reaches it.

/// A host as the head of its page.
pub(super) struct About {
    pub(super) title: &'static str,
    pub(super) served: &'static str,
}

/// What is known of a host; one without a line here is introduced by its name alone.
pub(super) fn about(host: &str) -> Option<About> {
    let (title, served) = match host {
        "claude-code" => (
            "Claude Code",
            "Claude Code loads the folder that `hookkit build` makes, as a plugin and as a \
             marketplace, and starts the dispatcher without a shell. Hooks see its payloads as \
             they are: every other host is translated to them.",
        ),
        "copilot-cli" => (
            "GitHub Copilot CLI",
            "Copilot CLI loads the folder that `hookkit build` makes, as a plugin and as a \
             marketplace, and starts the dispatcher without a shell. Its payloads are translated, \
             in both casings; hooks find the original under `hookkit.native`. It runs hooks one \
             after another, and a subagent that hooks keep from stopping has no limit there, so \
             hookkit counts. A tool of an MCP server is `server-tool` there and \
             `mcp__server__tool` to hooks; where the server or the tool has a dash in its own name, \
             hooks see the client's name, and matchers match every way to read it. PreMcpToolCall \
             refuses nothing, whatever a hook says: a gate on PreToolUse does.",
        ),
        "copilot-cloud" => (
            "GitHub Copilot cloud agent",
            "The cloud agent runs only the `bash` entries of `.github/hooks/*.json` on the default \
             branch, so it is reached by a plugin that lies in the repository. Every tool is \
             approved beforehand and nobody can be asked: `ask` refuses. What is not seen live was \
             tried with Copilot CLI in that same layout, which sends the same payloads: every \
             event fires there and is answered. PreMcpToolCall refuses nothing, whatever a hook \
             says; a gate on PreToolUse refuses calls of MCP tools, as `mcp__server__tool`.",
        ),
        "vscode-copilot" => (
            "VS Code, Copilot harness",
            "The harness hands plugins that lie in a folder to Copilot's SDK, which loads their \
             hooks by the rules of the CLI. Plugins that VS Code itself converts run on a path that \
             swallows every failure, exit 2 included; hookkit's replies are JSON with exit 0, which \
             that path reads. `hookkit install` names the plugin's folder in `chat.pluginLocations` \
             of every VS Code that is there.",
        ),
        "vscode-local" => (
            "VS Code, Local harness",
            "The harness uses Claude's words and VS Code's own tools. It ignores the matchers of a \
             registration, so hookkit applies them. A tool that hookkit does not know might do \
             anything: gates on Bash, Write and Edit see it. `hookkit install` names the plugin's \
             folder in `chat.pluginLocations` of every VS Code that is there.",
        ),
        "codex" => (
            "Codex CLI",
            "Codex loads the folder that `hookkit build` makes. It reads Claude's words strictly: \
             one member that it does not know voids the whole reply and the call runs, so hookkit \
             mixes in nothing for other hosts. Nobody can be asked by a hook: `ask` refuses. A \
             refused compaction ends the turn, and `codex exec` with exit code 1. Every event was \
             seen to fire: PermissionRequest and Interrupt through the app-server, because `codex \
             exec` never asks, all others in `codex exec`. On Windows `hookkit install` gives it the \
             line that most shells run for the path at hand; that of a built folder is right for \
             PowerShell and cmd alike, but not where the path of the plugin has one of `( ) & ^ @`.",
        ),
        _ => return None,
    };
    Some(About { title, served })
}
