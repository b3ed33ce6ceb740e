//! docs/requirements.md.

use std::fmt::Write as _;

use super::rules::{Answer, Group, Rule};

const HEAD: &str = "\
# Requirements, and what holds them

<!-- Written by `cargo xtask requirements` from requirements.txt. Change that file. -->

The rules that hookkit was asked to honour, in short, and for each the tests that hold it, the \
document that answers it, the part of the product it waits for, or why it does not apply. A rule \
that a fact or the design overrides has a page in [decisions/](decisions/README.md). `cargo xtask \
lint` fails when a named test is gone.
";

pub(super) fn write(groups: &[Group]) -> String {
    let mut text = HEAD.to_owned();
    // Writing to a text does not fail.
    let _ = writeln!(text, "\n{}", summary(groups));
    for group in groups {
        let _ = writeln!(
            text,
            "\n## {}\n\n| | rule | held by |\n|---|---|---|",
            group.title
        );
        for rule in &group.rules {
            let answers: Vec<String> = rule.answers.iter().map(answer).collect();
            let _ = writeln!(
                text,
                "| R{} | {} | {} |",
                rule.number,
                cell(&rule.text),
                answers.join("<br>")
            );
        }
    }
    text
}

fn summary(groups: &[Group]) -> String {
    let rules: Vec<&Rule> = groups.iter().flat_map(|group| &group.rules).collect();
    let has = |rule: &Rule, is: fn(&Answer) -> bool| rule.answers.iter().any(is);
    let is_test = |answer: &Answer| matches!(answer, Answer::Tests { .. });
    let is_page = |answer: &Answer| matches!(answer, Answer::Page(_));
    let is_later = |answer: &Answer| matches!(answer, Answer::Later(_));
    let tested = rules.iter().filter(|rule| has(rule, is_test)).count();
    let without_test: Vec<_> = rules.iter().filter(|rule| !has(rule, is_test)).collect();
    let waiting = without_test
        .iter()
        .filter(|rule| has(rule, is_later))
        .count();
    let answered = without_test
        .iter()
        .filter(|rule| !has(rule, is_later) && has(rule, is_page))
        .count();
    format!(
        "{} rules: {tested} held by tests, {answered} answered by a document, {waiting} waiting for \
         a part that does not exist yet, {} not applicable.",
        rules.len(),
        rules.len() - tested - answered - waiting
    )
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Tests { file, names } => names
            .iter()
            .map(|name| format!("[`{name}`](../{file})"))
            .collect::<Vec<_>>()
            .join("<br>"),
        Answer::Page(file) => {
            let target = file
                .strip_prefix("docs/")
                .map_or_else(|| format!("../{file}"), str::to_owned);
            format!("[{file}]({target})")
        }
        Answer::Later(part) => format!("later: {}", cell(part)),
        Answer::DoesNotApply(why) => format!("does not apply: {}", cell(why)),
        Answer::Note(note) => cell(note),
    }
}

/// A bar would end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_row_with_links_and_is_counted_once() {
        let rule = |number, answers| Rule {
            number,
            text: "a|b".to_owned(),
            answers,
        };
        let tests = Answer::Tests {
            file: "tests/x.rs".to_owned(),
            names: vec!["holds".to_owned()],
        };
        let groups = [Group {
            title: "Group".to_owned(),
            rules: vec![
                rule(1, vec![tests, Answer::Page("docs/a.md".to_owned())]),
                rule(2, vec![Answer::Page("README.md".to_owned())]),
                rule(3, vec![Answer::Later("doctor".to_owned())]),
                rule(4, vec![Answer::DoesNotApply("no".to_owned())]),
            ],
        }];
        let text = write(&groups);
        assert!(text.contains(
            "| R1 | a\\|b | [`holds`](../tests/x.rs)<br>[docs/a.md](a.md) |\n| R2 | a\\|b | [README.md](../README.md) |\n"
        ));
        assert!(text.contains("4 rules: 1 held by tests, 1 answered by a document, 1 waiting"));
        assert!(text.contains(", 1 not applicable."));
    }
}
