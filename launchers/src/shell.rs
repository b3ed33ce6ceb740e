//! A program and its arguments as one line for a shell, for hosts that take nothing else.
//!
//! The arguments are made of characters that no shell changes
//! ([`Registration::args`](crate::Registration::args)), so only the program is quoted.

/// The line for a POSIX shell.
pub fn posix_line(program: &str, args: &[String]) -> String {
    let quoted = if program.contains(['"', '$', '`', '\\', '!', '\'']) {
        format!("'{}'", program.replace('\'', r"'\''"))
    } else {
        format!("\"{program}\"")
    };
    format!("{quoted} {}", args.join(" "))
}

/// The line for Windows, where the host's shell is PowerShell 5.1 or 7, or cmd where there is none.
///
/// PowerShell takes a quoted program at the start of a line for a text, and makes 1 of every exit
/// code unless it is told the program's own; cmd passes the rest of the line to the program, which
/// stops reading at `end`. Only a path without blanks and special characters starts by itself in all
/// of them. With blanks `cmd /c` starts it, which takes the quotes off where one of its own special
/// characters stands between them; then only PowerShell is left.
pub fn windows_line(program: &str, args: &[String]) -> String {
    let args = args.join(" ");
    match quoting(program) {
        Quoting::None => format!("{program} {args} end ; exit $LASTEXITCODE"),
        Quoting::Cmd => format!("cmd /c \"{program}\" {args} end ; exit $LASTEXITCODE"),
        Quoting::PowerShell => format!(
            "& '{}' {args}; exit $LASTEXITCODE",
            program.replace('\'', "''")
        ),
    }
}

/// What a path needs on Windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoting {
    None,
    Cmd,
    PowerShell,
}

/// No shell of Windows changes such a path.
pub fn is_plain(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.:\\~-".contains(c);
    path.chars().all(is_plain)
}

fn quoting(program: &str) -> Quoting {
    // What cmd, or PowerShell between its quotes, changes.
    let is_special = |c: char| "()&^@<>|%!$`'\";,=".contains(c);
    if is_plain(program) {
        Quoting::None
    } else if program.contains(is_special) {
        Quoting::PowerShell
    } else {
        Quoting::Cmd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> [String; 2] {
        ["--host", "codex"].map(str::to_owned)
    }

    #[test]
    fn a_posix_shell_gets_the_path_as_it_is() {
        for (program, line) in [
            ("/home/me/d", "\"/home/me/d\" --host codex"),
            ("/home/a b/d", "\"/home/a b/d\" --host codex"),
            ("/home/$me/d", "'/home/$me/d' --host codex"),
            ("/home/o'me/d", r"'/home/o'\''me/d' --host codex"),
        ] {
            assert_eq!(posix_line(program, &args()), line);
        }
    }

    #[test]
    fn each_path_on_windows_gets_the_line_that_most_shells_run() {
        for (program, line) in [
            (
                r"C:\Users\me\d.exe",
                r"C:\Users\me\d.exe --host codex end ; exit $LASTEXITCODE",
            ),
            (
                r"C:\Users\ME~1.LOC\d.exe",
                r"C:\Users\ME~1.LOC\d.exe --host codex end ; exit $LASTEXITCODE",
            ),
            (
                r"C:\Users\a b\d.exe",
                r#"cmd /c "C:\Users\a b\d.exe" --host codex end ; exit $LASTEXITCODE"#,
            ),
            (
                "C:\\Users\\\u{e9}\\d.exe",
                "cmd /c \"C:\\Users\\\u{e9}\\d.exe\" --host codex end ; exit $LASTEXITCODE",
            ),
            (
                r"C:\Users\a (b)\d.exe",
                r"& 'C:\Users\a (b)\d.exe' --host codex; exit $LASTEXITCODE",
            ),
            (
                r"C:\Users\o'b\d.exe",
                r"& 'C:\Users\o''b\d.exe' --host codex; exit $LASTEXITCODE",
            ),
        ] {
            assert_eq!(windows_line(program, &args()), line);
        }
    }
}
