//! Payloads: read the same in any pieces, as other JSON readers read them, and shown to hooks whole.

use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::env::Env;
use hookkit_dispatch::host::{self, CLAUDE_CODE, Decoded, HOSTS, Host, View};
use hookkit_dispatch::json;
use hookkit_dispatch::payload::{self, Fields, Source};
use serde_json::{Map, Value};
use std::io;
use std::time::{Duration, Instant};

/// Any bytes on stdin.
pub fn hold(data: &[u8]) {
    let read = whole(data);
    for size in [1, 2, 7] {
        assert_eq!(pieces(data, || size), read, "in pieces of {size}");
    }
    let mut random = Random::of(data);
    assert_eq!(pieces(data, || random.below(40)), read, "in random pieces");

    ascii_means_the_same(data);
    let others = first_object(data);
    let Ok(document) = read else {
        assert_eq!(others, None, "an object is not read");
        return;
    };
    ascii_means_the_same(&document);
    let fields = Fields::read(&document);
    if json::is_document(&document).is_ok() {
        assert!(fields.is_some(), "the members of an object are told apart");
    }
    if let Some(others) = &others {
        is_read_as_others_do(&document, fields.as_ref(), others);
    }
    if let Some(fields) = &fields {
        is_shown_to_hooks(&document, fields);
    }
}

/// Gives its bytes in pieces of sizes that somebody chooses, then ends.
struct Pieces<'d, S> {
    left: &'d [u8],
    size: S,
}

impl<S: FnMut() -> usize> Source for Pieces<'_, S> {
    fn read_until(&mut self, _until: Instant, buffer: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let count = (self.size)().max(1).min(self.left.len());
        let (piece, left) = self.left.split_at(count);
        buffer.extend_from_slice(piece);
        self.left = left;
        Ok(Some(count))
    }
}

fn pieces(data: &[u8], size: impl FnMut() -> usize) -> Result<Vec<u8>, String> {
    let mut source = Pieces { left: data, size };
    let deadline = Instant::now() + Duration::from_mins(1);
    payload::read(&mut source, deadline)
        .map(|(buffer, span)| buffer[span].to_vec())
        .map_err(|error| error.to_string())
}

fn whole(data: &[u8]) -> Result<Vec<u8>, String> {
    pieces(data, || data.len())
}

/// Sizes that look random and are the same for the same data.
struct Random(u64);

impl Random {
    fn of(data: &[u8]) -> Self {
        let seed = data.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(seed | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::from(self.0.to_le_bytes()[0]) % limit
    }
}

/// What serde_json reads as the first value, when that is an object.
fn first_object(data: &[u8]) -> Option<Map<String, Value>> {
    let text = data.strip_prefix("\u{feff}".as_bytes()).unwrap_or(data);
    let first = serde_json::Deserializer::from_slice(text)
        .into_iter::<Value>()
        .next()?;
    match first.ok()? {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn is_read_as_others_do(document: &[u8], fields: Option<&Fields>, others: &Map<String, Value>) {
    let read = value(document);
    assert_eq!(read.as_ref().and_then(Value::as_object), Some(others));
    let fields = fields.expect("the members of an object are told apart");
    for member in fields.members() {
        assert!(
            others.contains_key(&*member.key()),
            "the key {:?} is read by nobody else",
            member.key()
        );
    }
    for (name, other) in others {
        let raw = fields.get(name).expect("every member is found");
        assert_eq!(value(raw).as_ref(), Some(other), "the value of {name:?}");
        assert_eq!(fields.text(name).as_deref(), other.as_str());
        if let Value::Array(items) = other {
            let elements = json::elements(raw).expect("an array has elements");
            let elements: Vec<_> = elements.into_iter().filter_map(value).collect();
            assert_eq!(elements, *items, "the elements of {name:?}");
        }
    }
}

fn value(raw: &[u8]) -> Option<Value> {
    serde_json::from_slice(raw).ok()
}

/// Pure ASCII, and for valid JSON the same value.
fn ascii_means_the_same(raw: &[u8]) {
    let mut ascii = Vec::new();
    json::push_ascii(&mut ascii, raw);
    assert!(ascii.is_ascii(), "{}", ascii.escape_ascii());
    if std::str::from_utf8(raw).is_err() {
        return;
    }
    if json::is_document(raw).is_ok() {
        assert!(
            json::is_document(&ascii).is_ok(),
            "{}",
            ascii.escape_ascii()
        );
    }
    if let Some(meant) = value(raw) {
        assert_eq!(value(&ascii), Some(meant));
    }
    let text = String::from_utf8_lossy(raw);
    let quoted = json::quoted(&text);
    assert!(quoted.is_ascii());
    assert_eq!(value(&quoted), Some(Value::String(text.clone().into())));
    assert_eq!(json::text(&quoted), Some(text));
}

fn is_shown_to_hooks(document: &[u8], fields: &Fields) {
    let env = Env::given(Vec::new(), "/".into(), "/hookkit-dispatch".into());
    assert!(host::choose(None, Some(fields), &env).is_some());
    for &host in HOSTS {
        if let Some(event) = host.event_of_shape(fields) {
            let is_known = HOSTS.iter().any(|host| host.contract(event).is_some());
            assert!(is_known, "{event} is an event");
        }
        for contract in host.contracts() {
            let decoded = host.decode(document, fields, contract);
            assert!(!decoded.views.is_empty(), "hooks have something to see");
            assert!(
                decoded.unreadable.as_deref() != Some(""),
                "what cannot be read says why"
            );
            for view in &decoded.views {
                is_valid(document, view);
                rewrite_takes_its_place(document, view);
            }
            if host == CLAUDE_CODE {
                is_untouched(document, &decoded);
            }
            if host != CLAUDE_CODE {
                is_translated(document, contract, &decoded);
            }
            if contract.event == "PreToolUse" {
                call_is_the_hosts_own(document, host, fields, &decoded);
            }
        }
    }
}

fn is_valid(document: &[u8], view: &View) {
    if json::is_document(document).is_ok() {
        assert!(
            json::is_document(&view.bytes()).is_ok(),
            "a hook would read {}",
            view.bytes().escape_ascii()
        );
    }
    if let Some(piece) = view.input_piece {
        assert_eq!(Some(&view.document[piece]), view.input.as_ref());
    }
}

/// In a sequence the next hook sees the input as the one before rewrote it.
fn rewrite_takes_its_place(document: &[u8], view: &View) {
    if view.input_piece.is_none() || value(document).is_none() {
        return;
    }
    let rewritten = view.clone().with_input(b"{\"rewritten\":true}");
    let seen = value(&rewritten.bytes());
    if let Some(seen) = seen {
        assert_eq!(seen["tool_input"]["rewritten"], true);
    }
}

/// Claude Code's hooks read the very bytes of the client.
fn is_untouched(document: &[u8], decoded: &Decoded) {
    let seen = decoded.views[0].bytes();
    if decoded.uninspectable {
        assert!(seen.ends_with(&document[1..]));
        if let Some(seen) = value(&seen)
            && value(document).is_some_and(|document| document.get("hookkit").is_none())
        {
            assert_eq!(seen["hookkit"]["uninspectable"], true);
        }
    } else {
        assert_eq!(seen, document);
    }
}

/// Members that a hook finds under other names, or made into something else.
const TRANSLATED: [&str; 8] = [
    "hook_event_name",
    "tool_name",
    "tool_input",
    "tool_result",
    "tool_response",
    "response",
    "last_assistant_message",
    "hookkit",
];

/// Hooks of other hosts read Claude's members, and the host's own document beside them.
fn is_translated(document: &[u8], contract: &Contract, decoded: &Decoded) {
    let Some(Value::Object(native)) = value(document) else {
        return;
    };
    let has_capitals = |name: &String| name.bytes().any(|byte| byte.is_ascii_uppercase());
    let in_one_case = !native.keys().any(has_capitals);
    for view in &decoded.views {
        let Some(seen) = value(&view.bytes()) else {
            continue;
        };
        assert_eq!(seen["hook_event_name"], contract.event);
        assert_eq!(seen["hookkit"]["native"].as_object(), Some(&native));
        if decoded.uninspectable {
            assert_eq!(seen["hookkit"]["uninspectable"], true);
        }
        for (name, own) in native.iter().filter(|_| in_one_case) {
            let is_startup = name == "source" && contract.event == "SessionStart";
            if !TRANSLATED.contains(&&**name) && !is_startup {
                assert_eq!(seen.get(name), Some(own), "{name} as the host sent it");
            }
        }
    }
}

/// How a host says which file a tool will use.
struct FileCall {
    host: &'static str,
    tool: &'static str,
    tools: &'static [&'static str],
    arguments: &'static str,
    path: &'static str,
}

const FILE_CALLS: [FileCall; 2] = [
    FileCall {
        host: "copilot-cli",
        tool: "toolName",
        tools: &["create", "edit", "view", "str_replace_editor"],
        arguments: "toolArgs",
        path: "path",
    },
    FileCall {
        host: "vscode-local",
        tool: "tool_name",
        tools: &["create_file", "replace_string_in_file", "read_file"],
        arguments: "tool_input",
        path: "filePath",
    },
];

/// Claude's names of arguments that other hosts have another name for.
const RENAMED: [&str; 5] = [
    "file_path",
    "content",
    "old_string",
    "new_string",
    "subagent_type",
];

/// What a hook sees is what the host's tool will do, whatever else a model put into the call.
fn call_is_the_hosts_own(document: &[u8], host: &dyn Host, fields: &Fields, decoded: &Decoded) {
    let Some(call) = FILE_CALLS.iter().find(|call| call.host == host.name()) else {
        return;
    };
    let Some(Value::Object(native)) = value(document) else {
        return;
    };
    let is_plain = [
        "toolName",
        "toolInput",
        "toolArgs",
        "tool_name",
        "tool_input",
    ]
    .iter()
    .all(|name| *name == call.tool || *name == call.arguments || !native.contains_key(*name));
    let tool = native.get(call.tool).and_then(Value::as_str);
    let (Some(Value::Object(arguments)), Some(input)) = (
        native.get(call.arguments),
        decoded.views[0].input.as_deref(),
    ) else {
        return;
    };
    if !is_plain || !tool.is_some_and(|tool| call.tools.contains(&tool)) {
        return;
    }
    let seen = value(input).expect("an input is JSON");
    let back = host.own_input(fields, input);
    let back = value(&back).expect("a rewritten input is JSON");
    if let Some(path) = arguments.get(call.path) {
        assert_eq!(seen.get("file_path"), Some(path), "the path that is used");
        assert_eq!(back.get(call.path), Some(path), "the path goes back");
    }
    if !arguments.keys().any(|name| RENAMED.contains(&&**name)) {
        assert_eq!(back.as_object(), Some(arguments), "the arguments go back");
    }
}
