//! What Windows PowerShell 5.1 makes of a launch line.

use super::{Judged, Who, variables};
use crate::doctor::codes::launch as code;

pub(super) fn judge(text: &str, who: &Who, judged: &mut Judged) {
    let bare = outside_quotes(text);
    for operator in ["||", "&&"] {
        if bare.contains(operator) {
            let what = format!("`{operator}` is a parse error in Windows PowerShell 5.1");
            judged.add(&code::CHAIN_51, what);
            break;
        }
    }
    let text = text.trim_start();
    if text.starts_with(['"', '\'']) {
        let what = "begins with a quoted path, which PowerShell prints in place of starting it";
        judged.add(&code::QUOTED_FIRST, what);
    }
    if text.starts_with("exec ") {
        judged.add(
            &code::EXEC_WORD,
            "begins with `exec`, which PowerShell does not have",
        );
    }
    if let Some(name) = shell_variable(text) {
        let what = format!("`{name}` is PowerShell's own variable there, and empty");
        judged.add(&code::SHELL_VARIABLE, what);
    }
    if who.is_for_powershell && who.can_block && !text.contains("exit ") {
        let what = "ends without `exit $LASTEXITCODE`, so exit 2 arrives as 1";
        judged.add(&code::EXIT_LOST, what);
    }
    if who.is_for_powershell && text.starts_with("bash ") {
        judged.add(
            &code::BARE_BASH,
            "starts whichever `bash` is first on the PATH",
        );
    }
}

/// The text with what is in quotes blanked.
pub(super) fn outside_quotes(text: &str) -> String {
    let mut quote = None;
    text.chars()
        .map(|character| match (quote, character) {
            (None, '"' | '\'') => {
                quote = Some(character);
                ' '
            }
            (Some(begun), _) if begun == character => {
                quote = None;
                ' '
            }
            (Some(_), _) => ' ',
            (None, _) => character,
        })
        .collect()
}

/// `$CLAUDE_PROJECT_DIR` or `${CLAUDE_PROJECT_DIR}` where the host does not replace it.
fn shell_variable(text: &str) -> Option<String> {
    text.match_indices('$').find_map(|(at, _)| {
        let rest = text[at + 1..].trim_start_matches('{');
        let name: String = rest
            .chars()
            .take_while(|next| next.is_ascii_alphanumeric() || *next == '_')
            .collect();
        let is_bare = !text[at + 1..].starts_with('{');
        let is_ours = variables::is_root(&name) || name == "HOME" && is_bare;
        (is_ours && is_bare && name != "HOME").then(|| format!("${name}"))
    })
}
