//! What the host is told, and how an outcome is written in the forms of its contract.

use crate::contract::{Contract, Form};
use crate::event::continues_the_turn;
use crate::json::{push_ascii, push_string, quoted, text};
use crate::merge::{Choice, Outcome};

/// The reply to the host: these bytes on stdout, this text on stderr, this exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// One JSON document in ASCII, or nothing.
    pub stdout: Vec<u8>,
    /// Whole lines for people, or nothing.
    pub stderr: Vec<u8>,
    pub code: i32,
}

impl Reply {
    /// Nothing said: the host goes on as if there were no hook.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Nothing said to the host, one line for people.
    pub fn note(line: &str) -> Self {
        Self::default().with_note(line)
    }

    /// Adds one line for people.
    #[must_use]
    pub fn with_note(mut self, line: &str) -> Self {
        self.stderr.extend_from_slice(b"hookkit: ");
        self.stderr.extend_from_slice(line.as_bytes());
        self.stderr.push(b'\n');
        self
    }
}

/// Values of a host that rewrites are written in.
pub struct Wording<'a> {
    /// The rewritten input, in the host's own argument names.
    pub input: Option<&'a [u8]>,
    /// The rewritten result, in the host's own shape.
    pub result: Option<&'a [u8]>,
    /// The longest text that the host takes, in characters.
    pub longest_text: usize,
}

/// Writes an outcome as the host's contract has it.
///
/// What the contract has no form for falls to the stricter neighbour where it is a decision (`ask`
/// becomes deny) and to nothing otherwise.
///
/// Several contracts make one document that each of their hosts reads its own part of: the answer
/// to a registration that hosts share.
pub fn encode(contracts: &[&Contract], outcome: &Outcome, wording: &Wording) -> Reply {
    let mut document = Document {
        longest: wording.longest_text,
        event: nested_name(contracts),
        root: Members::default(),
        nested: Members::default(),
        behavior: Members::default(),
        exit: None,
        is_answered: false,
        is_shared: contracts.len() > 1,
        refuses: outcome.refuses(),
    };
    for contract in contracts {
        // Permission was given to the rewritten input: without it the host decides by itself.
        let loses_rewrite = wording.input.is_some() && contract.rewrite_input == Form::Absent;
        if !(loses_rewrite && outcome.allows()) {
            document.decide(contract, outcome);
        }
        if !document.refuses {
            // A rewrite in the form of a permission would overrule a hook that wants a question.
            let overrules = contract.rewrite_input == Form::BehaviorInput && !outcome.allows();
            if let Some(input) = wording.input
                && !overrules
            {
                document.rewrite(contract.rewrite_input, input);
            }
        }
        if let Some(result) = wording.result
            && !document.keeps_back(contract.rewrite_result)
        {
            document.rewrite(contract.rewrite_result, result);
        }
        if let Some(context) = &outcome.context {
            document.say(contract.context, context);
        }
        if let Some(notice) = &outcome.notice {
            document.say(contract.notice, notice);
        }
    }
    document.finish()
}

/// The members of one object: keys of hookkit's own, raw values. The first of a key stands.
#[derive(Default)]
struct Members(Vec<(&'static str, Vec<u8>)>);

impl Members {
    fn put(&mut self, key: &'static str, value: Vec<u8>) {
        if !self.has(key) {
            self.0.push((key, value));
        }
    }

    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(present, _)| *present == key)
    }

    fn put_text(&mut self, key: &'static str, text: &str) {
        if !text.is_empty() {
            self.put(key, quoted(text));
        }
    }

    fn object(&self) -> Vec<u8> {
        let mut out = vec![b'{'];
        for (index, (key, value)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            push_string(&mut out, key);
            out.push(b':');
            push_ascii(&mut out, value);
        }
        out.push(b'}');
        out
    }
}

struct Document {
    longest: usize,
    event: &'static str,
    root: Members,
    nested: Members,
    behavior: Members,
    exit: Option<(i32, String)>,
    /// It answers a question, with nothing unless a hook gave an answer.
    is_answered: bool,
    /// Several hosts read it.
    is_shared: bool,
    /// The outcome refuses, or what it became on this host does.
    refuses: bool,
}

impl Document {
    fn decide(&mut self, contract: &Contract, outcome: &Outcome) {
        if let Some(reason) = &outcome.stop {
            match contract.stop {
                Form::StopTurn => self.stop_turn(reason),
                Form::StopTurnAndDeny => {
                    self.stop_turn(reason);
                    return self.choose(contract.deny, reason);
                }
                Form::DenyAndInterrupt => {
                    self.choose(contract.deny, reason);
                    return self.interrupt();
                }
                // To let a turn end, nothing has to be said.
                _ if continues_the_turn(contract.event) => return,
                // The stricter neighbour of a stop is a refusal of this very call.
                _ => return self.choose(contract.deny, reason),
            }
        }
        let Some(decision) = &outcome.decision else {
            return;
        };
        let form = match decision.choice {
            Choice::Allow => contract.allow,
            Choice::Defer if contract.defer != Form::Absent => contract.defer,
            Choice::Ask | Choice::Defer if contract.ask == Form::Absent => {
                return self.choose(contract.deny, unasked(&decision.reason));
            }
            Choice::Ask | Choice::Defer if contract.ask.refuses() => {
                return self.choose(contract.ask, unasked(&decision.reason));
            }
            Choice::Ask | Choice::Defer => contract.ask,
            Choice::Deny => contract.deny,
            Choice::Block => contract.block,
        };
        // Beside an exit code no document is read: the words that end the turn say it to this host.
        let form = match form {
            Form::Exit(_) if self.is_shared => contract.stop,
            form => form,
        };
        self.choose(form, &decision.reason);
    }

    fn choose(&mut self, form: Form, reason: &str) {
        let reason = self.cut(reason);
        self.refuses |= form.refuses();
        match form {
            Form::NestedDecision(word) => {
                self.nested.put("permissionDecision", quoted(word));
                self.nested.put_text("permissionDecisionReason", &reason);
            }
            Form::RootDecision(word) => {
                self.root.put("permissionDecision", quoted(word));
                self.root.put_text("permissionDecisionReason", &reason);
            }
            Form::Block => {
                self.root.put("decision", quoted("block"));
                self.root.put_text("reason", &reason);
            }
            Form::RootDeny => {
                self.root.put("decision", quoted("deny"));
                self.root.put_text("reason", &reason);
            }
            Form::BlockTwice => {
                self.choose(Form::Block, &reason);
                self.nested.put("decision", quoted("block"));
                self.nested.put_text("reason", &reason);
            }
            Form::NestedBehavior(word) => {
                self.behavior.put("behavior", quoted(word));
                if word == "deny" {
                    self.behavior.put_text("message", &reason);
                }
            }
            Form::RootBehavior(word) => {
                self.root.put("behavior", quoted(word));
                self.root.put_text("message", &reason);
            }
            Form::NestedAction(word) => {
                self.nested.put("action", quoted(word));
                self.is_answered = word == "accept" || self.event == "ElicitationResult";
            }
            Form::Retry => self.nested.put("retry", b"true".to_vec()),
            Form::StopTurn => self.stop_turn(&reason),
            Form::Exit(code) => self.exit = Some((code, reason)),
            _ => {}
        }
    }

    fn interrupt(&mut self) {
        let decision = if self.behavior.0.is_empty() {
            &mut self.root
        } else {
            &mut self.behavior
        };
        decision.put("interrupt", b"true".to_vec());
    }

    fn stop_turn(&mut self, reason: &str) {
        let reason = self.cut(reason);
        self.root.put("continue", b"false".to_vec());
        self.root.put_text("stopReason", &reason);
    }

    fn rewrite(&mut self, form: Form, value: &[u8]) {
        let value = value.to_vec();
        match form {
            Form::NestedInput => self.nested.put("updatedInput", value),
            Form::NestedToolInput => self.nested.put("tool_input", value),
            Form::NestedInputAllowed => {
                self.nested.put("permissionDecision", quoted("allow"));
                self.nested.put("updatedInput", value);
            }
            Form::NestedInputAsked => {
                self.nested.put("permissionDecision", quoted("ask"));
                self.nested.put("updatedInput", value);
            }
            Form::BlockWithResult => {
                self.root.put("decision", quoted("block"));
                self.root.put("reason", replaced(value));
            }
            Form::BehaviorInput => {
                self.behavior.put("behavior", quoted("allow"));
                self.behavior.put("updatedInput", value);
            }
            Form::RootArgs => self.root.put("modifiedArgs", value),
            Form::RootPrompt => self.root.put("modifiedPrompt", value),
            Form::NestedOutput => self.nested.put("updatedToolOutput", value),
            Form::NestedContent => {
                self.nested.put("action", quoted("accept"));
                self.nested.put("content", value);
            }
            Form::RootResult => self.root.put("modifiedResult", value),
            Form::RootResponse => self.root.put("modifiedResponse", value),
            _ => {}
        }
    }

    /// Does the model not read a result in this form anyway, because of what the document says?
    ///
    /// A refusal after a call takes its result away on Copilot and Codex. Claude Code shows both, so
    /// there, and where a refusal has no form, what a hook took out of the result has to stay out.
    fn keeps_back(&self, form: Form) -> bool {
        match form {
            Form::NestedOutput => false,
            Form::RootResult => self.root.has("decision"),
            _ => self.refuses,
        }
    }

    fn say(&mut self, form: Form, text: &str) {
        let text = self.cut(text);
        match form {
            Form::NestedContext => self.nested.put_text("additionalContext", &text),
            Form::RootContext => self.root.put_text("additionalContext", &text),
            Form::SystemMessage => self.root.put_text("systemMessage", &text),
            _ => {}
        }
    }

    fn cut(&self, text: &str) -> String {
        crate::text::cut(text, self.longest)
    }

    fn finish(mut self) -> Reply {
        if let Some((code, reason)) = self.exit {
            return Reply {
                stderr: format!("{reason}\n").into_bytes(),
                code,
                ..Reply::default()
            };
        }
        if self.is_answered {
            self.nested.put("content", b"{}".to_vec());
        }
        if !self.behavior.0.is_empty() {
            self.nested.put("decision", self.behavior.object());
        }
        if !self.nested.0.is_empty() {
            self.nested
                .0
                .insert(0, ("hookEventName", quoted(self.event)));
            self.root.put("hookSpecificOutput", self.nested.object());
        }
        if self.root.0.is_empty() {
            return Reply::nothing();
        }
        let mut stdout = self.root.object();
        stdout.push(b'\n');
        Reply {
            stdout,
            ..Reply::default()
        }
    }
}

/// The name in `hookSpecificOutput`: Claude's where one of the readers knows it by that, else the
/// host's own.
fn nested_name(contracts: &[&Contract]) -> &'static str {
    let by_claudes = contracts.iter().find(|contract| contract.native.is_none());
    by_claudes
        .or(contracts.first())
        .map_or("", |contract| contract.native.unwrap_or(contract.event))
}

/// A result that stands as a reason: without one the host keeps the result that a hook took away.
fn replaced(result: Vec<u8>) -> Vec<u8> {
    let is_blank = text(&result).is_none_or(|text| text.trim().is_empty());
    if is_blank {
        quoted("A hook removed this result.")
    } else {
        result
    }
}

/// Why a question became a refusal. Some hosts void a refusal without a reason.
fn unasked(question: &str) -> &str {
    if question.is_empty() {
        "A hook wants the user to confirm this, and this agent cannot ask. Ask the user yourself."
    } else {
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{CLAUDE_CODE, CODEX, Host};
    use crate::merge::Decision;

    fn told(host: &dyn Host, event: &str, outcome: &Outcome) -> String {
        let wording = Wording {
            input: outcome.input.as_deref(),
            result: outcome.result.as_deref(),
            longest_text: 1000,
        };
        let contract = host.contract(event).expect("an event");
        let reply = encode(&[contract], outcome, &wording);
        String::from_utf8(reply.stdout).expect("ASCII")
    }

    fn question_with_rewrite() -> Outcome {
        Outcome {
            decision: Some(Decision {
                choice: Choice::Ask,
                reason: String::new(),
            }),
            input: Some(b"{\"command\":\"x\"}".to_vec()),
            ..Outcome::default()
        }
    }

    #[test]
    fn a_question_that_becomes_a_refusal_rewrites_nothing() {
        let told = told(CODEX, "PreToolUse", &question_with_rewrite());
        assert!(told.contains("\"deny\"") && told.contains("permissionDecisionReason"));
        assert!(!told.contains("updatedInput"), "{told}");
    }

    #[test]
    fn a_rewrite_does_not_overrule_a_question() {
        assert_eq!(
            told(CLAUDE_CODE, "PermissionRequest", &question_with_rewrite()),
            ""
        );
    }

    #[test]
    fn a_result_that_was_taken_away_leaves_a_reason() {
        let outcome = Outcome {
            result: Some(b"\"\"".to_vec()),
            ..Outcome::default()
        };
        assert_eq!(
            told(CODEX, "PostToolUse", &outcome),
            "{\"decision\":\"block\",\"reason\":\"A hook removed this result.\"}\n"
        );
    }
}
