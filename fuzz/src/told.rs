//! A reply as a host reads it: only keys that some host knows, each once.

use hookkit_dispatch::contract::{Contract, Form};
use hookkit_dispatch::json;
use hookkit_dispatch::reply::Reply;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The document on stdout.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Root<'r> {
    r#continue: Option<bool>,
    stop_reason: Option<String>,
    #[expect(dead_code, reason = "any text will do")]
    system_message: Option<String>,
    decision: Option<String>,
    /// Some hosts take a rewritten result as the reason, which may be any text.
    #[serde(borrow)]
    reason: Option<&'r RawValue>,
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    behavior: Option<String>,
    message: Option<String>,
    #[expect(dead_code, reason = "beside a refusal it changes nothing")]
    interrupt: Option<bool>,
    #[expect(dead_code, reason = "any text will do")]
    additional_context: Option<String>,
    #[serde(borrow)]
    modified_args: Option<&'r RawValue>,
    modified_prompt: Option<&'r RawValue>,
    modified_result: Option<ModifiedResult<'r>>,
    modified_response: Option<&'r RawValue>,
    hook_specific_output: Option<Nested<'r>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ModifiedResult<'r> {
    #[serde(borrow)]
    result_type: &'r RawValue,
    text_result_for_llm: &'r RawValue,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Nested<'r> {
    hook_event_name: String,
    permission_decision: Option<String>,
    permission_decision_reason: Option<String>,
    #[expect(dead_code, reason = "any text will do")]
    additional_context: Option<String>,
    #[serde(borrow)]
    updated_input: Option<&'r RawValue>,
    updated_tool_output: Option<&'r RawValue>,
    action: Option<String>,
    content: Option<&'r RawValue>,
    retry: Option<bool>,
    decision: Option<&'r RawValue>,
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Request<'r> {
    behavior: String,
    message: Option<String>,
    #[expect(dead_code, reason = "beside a refusal it changes nothing")]
    interrupt: Option<bool>,
    #[serde(borrow)]
    updated_input: Option<&'r RawValue>,
}

/// One thing that a host does because of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Refuses,
    Allows,
    Stops,
    Rewrites,
}

/// What the host makes of a reply.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    effects: Vec<Effect>,
    /// Every word by which it decides.
    pub(crate) words: Vec<String>,
}

impl Told {
    pub(crate) fn does(&self, effect: Effect) -> bool {
        self.effects.contains(&effect)
    }

    /// Reads a reply, and holds it to what every host wants of one.
    pub(crate) fn read(reply: &Reply, contract: &Contract) -> Self {
        if reply.code != 0 {
            let says = [contract.deny, contract.block];
            assert!(
                says.contains(&Form::Exit(reply.code)),
                "exit {}",
                reply.code
            );
            assert!(
                reply.stdout.is_empty(),
                "never JSON together with an exit code"
            );
            assert!(
                !reply.stderr.trim_ascii().is_empty(),
                "a refusal has a reason"
            );
            return Self {
                effects: vec![Effect::Refuses],
                words: vec![format!("exit {}", reply.code)],
            };
        }
        if reply.stdout.is_empty() {
            return Self::default();
        }
        let shown = || reply.stdout.escape_ascii();
        assert!(reply.stdout.is_ascii(), "{}", shown());
        assert!(json::is_document(&reply.stdout).is_ok(), "{}", shown());
        let root: Root = serde_json::from_slice(&reply.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", shown()));
        root.meaning(contract.native.unwrap_or(contract.event), contract.event)
    }
}

impl Root<'_> {
    fn meaning(self, native: &str, event: &str) -> Told {
        let mut told = Told::default();
        if self.r#continue == Some(false) {
            told.effects.push(Effect::Stops);
            has_a_reason(self.stop_reason.as_deref());
        }
        for rewritten in [
            self.modified_args,
            self.modified_prompt,
            self.modified_response,
        ] {
            told.rewrites(rewritten);
        }
        if let Some(result) = self.modified_result {
            told.effects.push(Effect::Rewrites);
            for text in [result.result_type, result.text_result_for_llm] {
                assert!(text.get().starts_with('"'), "{text} is a text");
            }
        }
        let reason = self
            .reason
            .map(|reason| text(reason).expect("a reason is a text"));
        told.takes(self.decision.as_deref(), reason.as_deref());
        told.takes(
            self.permission_decision.as_deref(),
            self.permission_decision_reason.as_deref(),
        );
        told.takes(self.behavior.as_deref(), self.message.as_deref());
        if let Some(nested) = self.hook_specific_output {
            assert!([native, event].contains(&&*nested.hook_event_name));
            told.takes_nested(&nested);
        }
        told
    }
}

impl Told {
    fn takes_nested(&mut self, nested: &Nested) {
        self.rewrites(nested.updated_input);
        self.rewrites(nested.updated_tool_output);
        self.takes(
            nested.permission_decision.as_deref(),
            nested.permission_decision_reason.as_deref(),
        );
        match nested.action.as_deref() {
            Some("decline") => self.effects.push(Effect::Refuses),
            Some("accept") => self.effects.push(Effect::Allows),
            None => assert!(nested.content.is_none(), "content goes with an action"),
            Some(other) => panic!("{other} is no action"),
        }
        if nested.retry == Some(true) {
            self.effects.push(Effect::Allows);
        }
        // An object on a permission request, a word at the end of a turn.
        let word = nested.decision.and_then(text);
        self.takes(word.as_deref(), nested.reason.as_deref());
        if let (None, Some(request)) = (word, nested.decision) {
            let request: Request =
                serde_json::from_str(request.get()).expect("a permission decision");
            self.rewrites(request.updated_input);
            self.takes(Some(&request.behavior), request.message.as_deref());
        }
    }

    fn rewrites(&mut self, value: Option<&RawValue>) {
        self.effects.extend(value.map(|_| Effect::Rewrites));
    }

    fn takes(&mut self, word: Option<&str>, reason: Option<&str>) {
        let Some(word) = word else {
            assert_eq!(reason, None, "a reason goes with a decision");
            return;
        };
        self.words.push(word.to_owned());
        match word {
            "deny" | "block" => {
                self.effects.push(Effect::Refuses);
                has_a_reason(reason);
            }
            "allow" => self.effects.push(Effect::Allows),
            "ask" | "defer" => {}
            other => panic!("{other} is no decision"),
        }
    }
}

fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    json::text(raw.get().as_bytes())
}

fn has_a_reason(reason: Option<&str>) {
    assert!(
        reason.is_some_and(|reason| !reason.trim().is_empty()),
        "a refusal has a reason"
    );
}
