//! The text: groups of rules, each with its answers.

use anyhow::{Context as _, Result, bail, ensure};

/// How many rules there are. Each has to be in the text once, in order.
const COUNT: u32 = 134;

/// Rules about one subject.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) rules: Vec<Rule>,
}

/// One rule, in short.
pub(super) struct Rule {
    pub(super) number: u32,
    pub(super) text: String,
    pub(super) answers: Vec<Answer>,
}

/// What answers a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Tests { file: String, names: Vec<String> },
    Page(String),
    Later(String),
    DoesNotApply(String),
    Note(String),
}

pub(super) fn read(text: &str) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        let at = || format!("line {}: {line}", index + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix("== ") {
            groups.push(Group {
                title: title.to_owned(),
                rules: Vec::new(),
            });
            continue;
        }
        let group = groups
            .last_mut()
            .with_context(|| format!("{}: a group comes first", at()))?;
        if line.starts_with(' ') {
            let rule = group
                .rules
                .last_mut()
                .with_context(|| format!("{}: a rule comes first", at()))?;
            rule.answers.push(answer(line.trim()).with_context(at)?);
            continue;
        }
        let rule = rule(line).with_context(at)?;
        ensure!(
            rule.number == last + 1,
            "{}: R{} is expected here",
            at(),
            last + 1
        );
        last = rule.number;
        group.rules.push(rule);
    }
    ensure!(last == COUNT, "R{} is missing", last + 1);
    for rule in groups.iter().flat_map(|group| &group.rules) {
        let is_answered = rule
            .answers
            .iter()
            .any(|answer| !matches!(answer, Answer::Note(_)));
        ensure!(is_answered, "R{} has no answer", rule.number);
    }
    Ok(groups)
}

fn rule(line: &str) -> Result<Rule> {
    let (number, text) = line
        .strip_prefix('R')
        .and_then(|line| line.split_once(' '))
        .context("a rule begins with its number, such as `R12 `")?;
    Ok(Rule {
        number: number.parse()?,
        text: text.trim().to_owned(),
        answers: Vec::new(),
    })
}

fn answer(line: &str) -> Result<Answer> {
    let (kind, rest) = line
        .split_once(' ')
        .context("an answer has a kind and a text")?;
    let rest = rest.trim().to_owned();
    Ok(match kind {
        "test" => {
            let mut words = rest.split_whitespace().map(str::to_owned);
            let file = words.next().context("a test has a file")?;
            let names: Vec<String> = words.collect();
            ensure!(!names.is_empty(), "no test of {file} is named");
            Answer::Tests { file, names }
        }
        "page" => Answer::Page(rest),
        "later" => Answer::Later(rest),
        "none" => Answer::DoesNotApply(rest),
        "note" => Answer::Note(rest),
        _ => bail!("an answer is one of test, page, later, none, note"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_but(left_out: u32) -> String {
        let rules = (1..=COUNT)
            .filter(|number| *number != left_out)
            .map(|number| format!("R{number} a rule\n  page README.md\n"));
        format!(
            "# how to read this\n== Group\n{}",
            rules.collect::<String>()
        )
    }

    #[test]
    fn every_rule_is_there_once() {
        assert_eq!(read(&all_but(0)).expect("a text")[0].rules.len(), 134);
        for left_out in [1, 50, COUNT] {
            let fault = read(&all_but(left_out)).err().expect("a fault").to_string();
            assert!(fault.contains(&format!("R{left_out} is")), "{fault}");
        }
        let twice = all_but(0).replace("R7 ", "R6 ");
        assert!(read(&twice).is_err());
    }

    #[test]
    fn a_rule_without_an_answer_is_a_fault() {
        let text = all_but(0);
        assert!(read(&text.replacen("  page README.md\n", "", 1)).is_err());
        assert!(read(&text.replacen("page README.md", "note only this", 1)).is_err());
        assert!(read(&text.replacen("page README.md", "perhaps so", 1)).is_err());
    }

    #[test]
    fn a_test_has_a_file_and_names() {
        assert_eq!(
            answer("test a/b.rs one two").expect("an answer"),
            Answer::Tests {
                file: "a/b.rs".to_owned(),
                names: vec!["one".to_owned(), "two".to_owned()],
            }
        );
        assert!(answer("test a/b.rs").is_err());
    }
}
