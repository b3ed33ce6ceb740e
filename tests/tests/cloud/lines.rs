//! The command lines of the registration, by what is known of the shells that run them.

use crate::Repository;

const EVENTS: [&str; 3] = ["preToolUse", "agentStop", "subagentStop"];

fn lines(key: &str) -> Vec<String> {
    let repository = Repository::guarded();
    EVENTS.map(|event| repository.line(event, key)).to_vec()
}

#[test]
fn they_are_what_the_documentation_says() {
    assert_eq!(
        lines("bash")[0],
        "bash .github/hookkit/demo/run.sh --host auto --event PreToolUse --plugin demo \
         --if-missing deny --deadline 13"
    );
    assert_eq!(
        lines("powershell")[0],
        "& .github/hookkit/demo/run.ps1 --host auto --event PreToolUse --plugin demo \
         --if-missing deny --deadline 13; exit $LASTEXITCODE"
    );
}

/// On Windows `bash` may be the relay to a Linux that is not installed.
#[test]
fn hb_laun_02_windows_starts_no_bash() {
    assert!(
        lines("powershell")
            .iter()
            .all(|line| !line.contains("bash"))
    );
    let script =
        std::fs::read_to_string(Repository::guarded().join(".github/hookkit/demo/run.ps1"));
    let code: Vec<String> = script
        .unwrap()
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .map(str::to_owned)
        .collect();
    assert!(code.iter().all(|line| !line.contains("bash")));
}

/// Windows PowerShell has no `||` and no `&&`.
#[test]
fn hb_laun_05_no_line_has_an_operator_that_a_shell_lacks() {
    for line in [lines("bash"), lines("powershell")].concat() {
        assert!(!line.contains("||") && !line.contains("&&"), "{line}");
    }
}

/// A variable that one shell knows is empty in another.
#[test]
fn hb_laun_06_no_line_needs_a_variable() {
    for line in lines("bash") {
        assert!(!line.contains('$') && !line.contains('%'), "{line}");
    }
    for line in lines("powershell") {
        assert_eq!(line.matches('$').count(), 1, "{line}");
    }
}

/// MSYS makes another path of an argument that looks like one.
#[test]
fn hb_laun_11_no_argument_begins_with_a_slash() {
    for line in [lines("bash"), lines("powershell")].concat() {
        assert!(line.split(' ').all(|word| !word.starts_with('/')), "{line}");
    }
}

/// PowerShell makes 1 of every other exit code.
#[test]
fn hb_laun_15_powershell_passes_the_exit_code_on() {
    for line in lines("powershell") {
        assert!(line.starts_with("& ") && line.ends_with("; exit $LASTEXITCODE"));
    }
}
