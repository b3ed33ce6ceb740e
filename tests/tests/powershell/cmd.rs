//! The line for Codex CLI, which may reach cmd: the client falls back to it where it finds no
//! PowerShell. No cmd is here, so its documented rules are (`cmd /?`): special characters outside
//! quotes take the line apart, and after `/c` the first and the last quote are dropped unless there
//! are just two, with a blank and nothing special between them, around a program.

use hookkit_launchers::shell::windows_line;

use crate::{Written, arguments};

const SPECIAL: [char; 8] = ['&', '<', '>', '(', ')', '@', '^', '|'];

/// The program that `cmd /c LINE` starts and the words that it gets; `None` where the line is taken
/// apart.
fn started(line: &str) -> Option<(String, Vec<&str>)> {
    let mut is_quoted = false;
    for character in line.chars() {
        is_quoted ^= character == '"';
        if character == '%' || (!is_quoted && "&|<>()^".contains(character)) {
            return None;
        }
    }
    let line = line.strip_prefix("cmd /c ").unwrap_or(line);
    let Some(opened) = line.strip_prefix('"') else {
        let (program, rest) = line.split_once(' ')?;
        return Some((program.to_owned(), rest.split_whitespace().collect()));
    };
    let (program, rest) = opened.split_once('"')?;
    let is_kept = !rest.contains('"') && program.contains(' ') && !program.contains(&SPECIAL[..]);
    if is_kept {
        return Some((program.to_owned(), rest.split_whitespace().collect()));
    }
    // Without its quotes the name ends at the first blank.
    let program = program.split(' ').next()?;
    Some((program.to_owned(), rest.split_whitespace().collect()))
}

fn line(root: &str) -> String {
    let line = Written::new().line("hooks/codex.json", "PreToolUse", "commandWindows");
    line.replace("${PLUGIN_ROOT}", root)
}

/// The dispatcher stops reading at `end`: what is PowerShell's comes after it.
#[test]
fn cmd_starts_the_dispatcher_with_its_arguments() {
    for root in [
        r"C:\hookkit",
        r"C:\Users\Some One\.codex",
        "C:\\A \u{e9}\u{4e2d}",
    ] {
        let line = line(root);
        let program = format!("{root}/dispatch/hookkit-dispatch.exe");
        let mut words = arguments(&line, &format!("\"{program}\""));
        assert_eq!(words.last(), Some(&"end"));
        words.extend([";", "exit", "$LASTEXITCODE"]);
        assert_eq!(started(&line), Some((program, words)));
    }
}

/// The controls: a blank beside a special character, and the form for PowerShell alone.
#[test]
fn cmd_does_not_start_it_from_every_folder_nor_by_every_line() {
    for root in [r"C:\Program Files (x86)\p", r"C:\A & B", r"C:\100% it"] {
        let line = line(root);
        let program = started(&line).map(|(program, _)| program);
        assert!(program.is_none_or(|program| !program.contains("hookkit-dispatch")));
    }
    let written = Written::new();
    let for_powershell = written.line("hooks/hooks.json", "PreToolUse", "windows");
    assert_eq!(started(&for_powershell), None);
}

/// Where the installer knows the folder, cmd starts the program from all but those in which it takes
/// every line apart; there it is left to PowerShell.
#[test]
fn cmd_starts_an_installed_dispatcher_where_any_line_lets_it() {
    let words = ["--host", "codex"].map(str::to_owned);
    for (folder, is_started) in [
        (r"C:\Users\me\AppData\Local\hookkit\bin", true),
        (r"C:\Users\SOMEON~1\AppData\Local\hookkit\bin", true),
        (r"C:\Users\Some One\hookkit\bin", true),
        ("C:\\A \u{e9}\u{4e2d}\\bin", true),
        ("C:\\\u{e9}\\bin", true),
        (r"C:\Program Files (x86)\bin", false),
        (r"C:\A&B\bin", false),
    ] {
        let program = format!(r"{folder}\hookkit-dispatch.exe");
        let line = windows_line(&program, &words);
        let given = ["--host", "codex", "end", ";", "exit", "$LASTEXITCODE"].to_vec();
        let expected = is_started.then_some((program, given));
        assert_eq!(started(&line), expected, "{line}");
    }
}
