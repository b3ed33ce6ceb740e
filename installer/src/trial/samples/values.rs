//! Example values for members of payloads, by Claude Code's names.

use serde_json::{Value, json};

/// The value of a member that has nothing to do with a tool call; `None` leaves it out.
pub(super) fn of(event: &str, name: &str) -> Option<Value> {
    Some(match (event, name) {
        ("PostModelRequest", "error") => Value::Null,
        ("ErrorOccurred", "error") => {
            json!({"message": "The model answered with status 500", "name": "Error", "stack": ""})
        }
        ("PostToolUseFailure", "error") => json!("Command failed with exit code 1"),
        (_, "error") => json!("rate_limit"),
        ("PermissionRequest", "hook_name") => json!("permissionRequest"),
        ("InstructionsLoaded", "file_path") => json!("$CWD/CLAUDE.md"),
        ("ConfigChange", "file_path") => json!("$CWD/.claude/settings.json"),
        ("FileChanged", "file_path") => json!("$CWD/.envrc"),
        ("UserPromptExpansion", "prompt") => json!("/review"),
        ("Elicitation", "message") => json!("Which project is it about?"),
        ("PreSkillShellCommand", "tool_name") => json!("Bash"),
        ("PreSkillShellCommand", "tool_input") => json!({"command": "git status"}),
        ("PostToolBatch", "tool_calls") => json!([{
            "tool_name": "Read",
            "tool_input": {"file_path": "$CWD/README.md"},
            "tool_use_id": "toolu_01",
            "tool_response": "# Demo\n",
        }]),
        (_, "reason") => json!("other"),
        (_, "source") => json!("startup"),
        _ => return common(name),
    })
}

fn common(name: &str) -> Option<Value> {
    Some(match name {
        "tool_use_id" => json!("toolu_01"),
        "duration_ms" => json!(12),
        "is_interrupt" | "stop_hook_active" => json!(false),
        "permission_suggestions" | "background_tasks" | "session_crons" => json!([]),
        "prompt" | "initial_prompt" | "transformed_prompt" => json!("Please update the notes."),
        "last_assistant_message" | "response" | "delta" => json!("The notes are up to date."),
        "agent_id" => json!("agent-1"),
        "parent_agent_id" => json!("agent-0"),
        "agent_type" | "agent_name" => json!("general-purpose"),
        "agent_transcript_path" => json!("$CWD/agent-1.jsonl"),
        "transcript_path" => json!("$CWD/transcript.jsonl"),
        "stop_reason" => json!("end_turn"),
        "trigger" => json!("manual"),
        "custom_instructions" | "command_args" => json!(""),
        "compact_summary" => json!("The notes were updated."),
        "message" => json!("The agent needs your permission to use Bash"),
        "title" => json!("Permission needed"),
        "expansion_type" => json!("slash_command"),
        "command_name" => json!("review"),
        "command_source" => json!("user"),
        "invoked_by" => json!("model"),
        "task_id" => json!("1"),
        "task_subject" => json!("Update the notes"),
        "task_description" => json!("Bring the notes up to date"),
        "teammate_name" => json!("reviewer"),
        "team_name" => json!("docs"),
        "from_model" => json!("claude-sonnet"),
        "to_model" | "requested_model" => json!("claude-opus"),
        "mcp_server_name" => json!("demo"),
        "mode" => json!("form"),
        "requested_schema" => {
            json!({"type": "object", "properties": {"project": {"type": "string"}}})
        }
        "action" => json!("accept"),
        "content" => json!({"project": "demo"}),
        "memory_type" => json!("Project"),
        "load_reason" => json!("session_start"),
        "old_cwd" => json!("$CWD"),
        "new_cwd" => json!("$CWD/src"),
        "event" => json!("change"),
        "worktree_path" => json!("$CWD/worktrees/feature"),
        "directory" => json!("$CWD/other"),
        "name" => json!("feature"),
        "turn_id" => json!("turn-1"),
        "message_id" => json!("msg-1"),
        "index" => json!(0),
        "notification_type" => json!("permission_prompt"),
        "kind" => json!("sampling"),
        "request_id" => json!("request-1"),
        "attempt_number" => json!(1),
        "thread_id" => json!("thread-1"),
        "status" => json!("completed"),
        "token_usage" => json!({"input_tokens": 100, "output_tokens": 10}),
        "error_context" => json!("model_call"),
        "final" | "recoverable" => json!(true),
        _ => return None,
    })
}

/// What the member that matchers look at may be, the usual value first.
pub(crate) fn subjects(event: &str) -> &'static [&'static str] {
    match event {
        "SessionStart" => &["startup", "resume", "clear", "compact"],
        "SessionEnd" => &["other", "clear", "logout", "prompt_input_exit"],
        "PreCompact" | "PostCompact" => &["auto", "manual"],
        "Setup" => &["init", "maintenance"],
        "SubagentStart" | "SubagentStop" => &["general-purpose", "Explore", "Plan"],
        "Notification" => &[
            "permission_prompt",
            "idle_prompt",
            "auth_success",
            "elicitation_dialog",
        ],
        "ConfigChange" => &[
            "project_settings",
            "local_settings",
            "user_settings",
            "policy_settings",
            "skills",
        ],
        "StopFailure" => &[
            "rate_limit",
            "authentication_failed",
            "server_error",
            "unknown",
        ],
        "InstructionsLoaded" => &[
            "session_start",
            "nested_traversal",
            "path_glob_match",
            "include",
        ],
        "PreModelSwitch" | "PostModelSwitch" => &["claude-opus", "claude-sonnet", "claude-haiku"],
        "UserPromptExpansion" => &["review"],
        "Elicitation" | "ElicitationResult" => &["demo"],
        "FileChanged" => &[".envrc", ".env", "package.json"],
        "DirectoryAdded" => &["command"],
        _ => &[],
    }
}
