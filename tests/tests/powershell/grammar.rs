//! PowerShell's own grammar: what is a command, what are its words, and what comes after it.

use fs_err as fs;
use hookkit_launchers::shell::windows_line;
use hookkit_tests::program;
use tree_sitter::{Node, Parser, Tree};

use crate::{ROOTS, Written, arguments};

fn parsed(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_powershell::LANGUAGE.into())
        .unwrap();
    parser.parse(text, None).unwrap()
}

/// A text that is one command and a statement after it.
#[derive(Debug, PartialEq)]
struct Started<'t> {
    /// `&`, where it is there.
    operator: Option<&'t str>,
    words: Vec<&'t str>,
    after: &'t str,
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).collect()
}

/// `None` for whatever is not exactly that: two pipelines, a chain, an error.
fn started(text: &str) -> Option<Started<'_>> {
    let tree = parsed(text);
    if tree.root_node().has_error() {
        return None;
    }
    let [list] = children(tree.root_node())[..] else {
        return None;
    };
    let mut statements = children(list);
    statements.retain(|statement| statement.kind() != "empty_statement");
    let [pipeline, after] = statements[..] else {
        return None;
    };
    let [chain] = children(pipeline)[..] else {
        return None;
    };
    let [command] = children(chain)[..] else {
        return None;
    };
    let (operator, words) = read_command(command, text)?;
    let after = &text[after.byte_range()];
    Some(Started {
        operator,
        words,
        after,
    })
}

fn read_command<'t>(command: Node, text: &'t str) -> Option<(Option<&'t str>, Vec<&'t str>)> {
    if command.kind() != "command" {
        return None;
    }
    let mut operator = None;
    let mut words = Vec::new();
    for part in children(command) {
        let written = &text[part.byte_range()];
        match part.kind() {
            "command_invokation_operator" => operator = Some(written),
            "command_elements" => {
                let is_word = |word: &Node| word.kind() != "command_argument_sep";
                let inner = children(part).into_iter().filter(is_word);
                words.extend(inner.map(|word| &text[word.byte_range()]));
            }
            _ => words.push(written),
        }
    }
    Some((operator, words))
}

#[test]
fn every_line_is_one_command_and_then_its_exit_code() {
    let written = Written::new();
    let lines = written.lines();
    for key in ["windows", "commandWindows", "powershell"] {
        let some = lines.iter().filter(|line| line.key == key).count();
        assert!(some >= 12, "{some} lines under {key}");
    }
    for line in lines {
        let (operator, before, program) = match line.key.as_str() {
            "windows" => (
                Some("&"),
                None,
                "\"${CLAUDE_PLUGIN_ROOT}/dispatch/hookkit-dispatch.exe\"",
            ),
            "powershell" => (Some("&"), None, ".github/hookkit/demo/run.ps1"),
            _ => (
                None,
                Some(["cmd", "/c"]),
                "\"${PLUGIN_ROOT}/dispatch/hookkit-dispatch.exe\"",
            ),
        };
        let arguments = arguments(&line.text, program);
        assert!(arguments.contains(&"--host") && arguments.contains(&"--deadline"));
        let words = before.into_iter().flatten().chain([program]);
        let expected = Started {
            operator,
            words: words.chain(arguments).collect(),
            after: "exit $LASTEXITCODE",
        };
        assert_eq!(started(&line.text), Some(expected), "{}", line.text);
    }
}

/// The line for an installed dispatcher, whatever its folder is.
#[test]
fn the_line_for_an_installed_dispatcher_is_one_command() {
    let words = ["--host", "codex", "--deadline", "13"].map(str::to_owned);
    for (folder, operator, before) in [
        (r"C:\Users\me\bin", None, &[][..]),
        (r"C:\Users\SOMEON~1\bin", None, &[]),
        (r"C:\Users\Some One\bin", None, &["cmd", "/c"]),
        (r"C:\Program Files (x86)\bin", Some("&"), &[]),
        (r"C:\A & B; C\@1$x'2\bin", Some("&"), &[]),
    ] {
        let program = format!(r"{folder}\hookkit-dispatch.exe");
        let line = windows_line(&program, &words);
        let started = started(&line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(started.operator, operator, "{line}");
        assert_eq!(started.after, "exit $LASTEXITCODE", "{line}");
        let (there, rest) = started.words.split_at(before.len());
        assert_eq!(there, before, "{line}");
        let named = rest[0].trim_matches(['"', '\'']).replace("''", "'");
        assert_eq!(named, program);
        let given = rest[1..].iter().filter(|word| **word != "end");
        assert!(given.eq(words.iter().map(String::as_str).collect::<Vec<_>>().iter()));
    }
}

/// Folders in which the host puts them in as text.
#[test]
fn a_line_stays_one_command_whatever_folder_is_put_in() {
    let written = Written::new();
    for root in [
        r"C:\hookkit",
        r"C:\Users\Some One\plugins",
        r"C:\Program Files (x86)\A & B; C\@1'2",
        "C:\\\u{e9}\u{4e2d}",
    ] {
        for line in written.lines() {
            let text = ROOTS
                .iter()
                .fold(line.text, |text, name| text.replace(name, root));
            let read = started(&text).unwrap_or_else(|| panic!("not one command: {text}"));
            assert_eq!(read.after, "exit $LASTEXITCODE");
            let names_program = |word: &&str| word.contains("dispatch") || word.contains("run.ps1");
            assert_eq!(
                read.words.iter().filter(|word| names_program(word)).count(),
                1
            );
        }
    }
}

/// The control.
#[test]
fn a_broken_line_is_none() {
    let written = Written::new();
    for line in written.lines() {
        let text = line.text.as_str();
        let broken = [
            // Without `&` a quoted path is an expression, and what follows it an error.
            text.trim_start_matches("& ").to_owned(),
            text.replacen('"', "", 1),
            text.replace("; exit", " && exit"),
            text.replace("; exit $LASTEXITCODE", ""),
            format!("{text})"),
        ];
        for broken in broken.iter().filter(|broken| *broken != text) {
            let is_unquoted = !text.contains('"') && *broken == text.trim_start_matches("& ");
            let read = started(broken);
            // A script by its bare path is a command all the same; only the operator is missing.
            assert!(
                read.is_none() || is_unquoted && read.unwrap().operator.is_none(),
                "{broken}"
            );
        }
    }
}

/// All commands of a script, with what follows each in its block.
fn commands<'t>(node: Node, text: &'t str, found: &mut Vec<(Vec<&'t str>, Option<&'t str>)>) {
    if let Some((operator, mut words)) = read_command(node, text) {
        words.splice(0..0, operator);
        let statement = node.parent().and_then(|chain| chain.parent());
        let next = statement.and_then(|pipeline| pipeline.next_named_sibling());
        found.push((words, next.map(|next| &text[next.byte_range()])));
    }
    for child in children(node) {
        commands(child, text, found);
    }
}

#[test]
fn the_script_starts_what_it_found_and_passes_its_exit_code_on() {
    let text = fs::read_to_string(Written::new().script()).unwrap();
    let tree = parsed(&text);
    assert!(!tree.root_node().has_error());
    let mut found = Vec::new();
    commands(tree.root_node(), &text, &mut found);
    let starts: Vec<_> = found
        .iter()
        .filter(|(words, _)| words[0] == "&" && !words[1].starts_with('{'))
        .collect();
    let words = vec!["&", "$program", "--plugin-root", "$PSScriptRoot", "@args"];
    assert_eq!(starts, [&(words, Some("exit $LASTEXITCODE"))]);
}

/// What an administrator runs to see what is in place.
#[test]
fn the_script_that_checks_a_rollout_is_powershell() {
    let text = include_str!("../../../launchers/src/managed/check.ps1");
    assert!(text.is_ascii());
    assert!(!parsed(text).root_node().has_error());
}

/// It stands in one block, so that a copy that was cut off within it does nothing but fail.
#[test]
fn a_script_that_was_cut_off_is_an_error() {
    let text = fs::read_to_string(Written::new().script()).unwrap();
    let opens = text.find("& {").unwrap() + 3;
    let closes = text.rfind("} @args").unwrap();
    for end in opens..=closes {
        let tree = parsed(&text[..end]);
        assert!(tree.root_node().has_error(), "{end}: {}", &text[..end]);
    }
    assert!(!parsed(&text[..=closes]).root_node().has_error());
}

fn install_script() -> String {
    let script = program::repository().join("installer/scripts/install.ps1");
    fs::read_to_string(script).unwrap()
}

/// What runs when a script is read: the commands outside of its functions.
fn started_at_once(node: Node, text: &str, found: &mut Vec<String>) {
    if node.kind() == "function_statement" {
        return;
    }
    if let Some((_, words)) = read_command(node, text) {
        found.push(words.join(" "));
    }
    for child in children(node) {
        started_at_once(child, text, found);
    }
}

/// Windows PowerShell 5.1 reads a script without a byte order mark by the machine's code page, and
/// `iex` cannot read one with it.
#[test]
fn the_install_script_is_plain_and_starts_one_function() {
    let text = install_script();
    assert!(text.is_ascii() && !text.contains('\r'));
    let tree = parsed(&text);
    assert!(!tree.root_node().has_error());
    let mut found = Vec::new();
    started_at_once(tree.root_node(), &text, &mut found);
    assert_eq!(found, ["Install-Hookkit @args"]);
}

#[test]
fn an_install_script_that_was_cut_off_starts_nothing() {
    let text = install_script();
    let last = text.trim_end().len();
    let lines = text.match_indices('\n').map(|(end, _)| end);
    for end in lines.filter(|end| *end < last).chain(last - 50..last) {
        let cut = &text[..end];
        let tree = parsed(cut);
        let mut found = Vec::new();
        if !tree.root_node().has_error() {
            started_at_once(tree.root_node(), cut, &mut found);
        }
        // The first letters of `if` are a command that is not there.
        found.retain(|words| !"if".starts_with(words.as_str()));
        assert_eq!(found, [""; 0], "at {end}");
    }
}

/// The words that only PowerShell 7 knows, which are no fault of grammar.
#[test]
fn hb_rel_14_the_install_script_looks_what_it_may_do_and_is_for_5_1_too() {
    let text = install_script();
    for word in [
        "&& ",
        " || ",
        " ?? ",
        "?.",
        "-Parallel",
        "ForEach-Object -",
        "Join-String",
    ] {
        assert!(!text.contains(word), "{word}");
    }
    // It reads what mode the language is in before it does anything.
    let mode = text.find("LanguageMode -ne").unwrap();
    assert!(text[mode..].contains("New-Item") && !text[..mode].contains("New-Item"));
}
