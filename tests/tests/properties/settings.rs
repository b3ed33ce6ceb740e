//! Settings files as people, editors and generators lay them out.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::json;

const KEYS: &[&str] = &[
    "\"hooks\"",
    "\"PreToolUse\"",
    "\"enabledPlugins\"",
    "\"a\"",
    "\"b\"",
    "\"Stop\"",
    "\"env\"",
    "\"\\u0061\"",
    "\"x y\"",
];
/// What may stand between two tokens. A line comment has its line end.
const GAPS: &[&str] = &[
    "",
    "",
    "",
    " ",
    "\n",
    "\n  ",
    "\n    ",
    "\n\t",
    "\r\n",
    "\r\n  ",
    "\r",
    " // tok_1\n",
    "// tok_2, { \"hooks\": [\r\n\t",
    "\n  /* tok_3 */\n  ",
    " /* tok_4 \n * } */ ",
    "/**/",
];
const SCALARS: &[&str] = &[
    "\"tok_5\"",
    "\"\"",
    "\"tok_\\\"6\\\\\"",
    "\"\\ud800tok_7\"",
    "\"// tok_8\"",
    "1.0",
    "1e400",
    "-0.0",
    "12345678901234567890123",
    "true",
    "null",
    "{}",
    "[]",
    "{ }",
    "[\n]",
];

/// How the tokens of one document are set apart.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Without a blank.
    Tight,
    /// In lines, with this indentation, this line end and commas behind the last items or not.
    Lines(&'static str, &'static str, bool),
    /// Anything anywhere.
    Wild,
}

/// Any settings file, mostly with places that an install wants to write to.
pub(crate) fn settings() -> impl Strategy<Value = Vec<u8>> {
    let style = prop_oneof![
        1 => Just(Style::Tight),
        3 => (select(&["  ", "\t", "    ", "        ", ""][..]), select(&["\n", "\r\n"][..]), any::<bool>())
            .prop_map(|(indent, newline, comma)| Style::Lines(indent, newline, comma)),
        3 => Just(Style::Wild),
    ];
    let text = style.prop_flat_map(|style| {
        let mark = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
        (mark, gap(style, 0), object(style, 0), gap(style, 0))
            .prop_map(|(mark, before, object, behind)| format!("{mark}{before}{object}{behind}"))
    });
    prop_oneof![
        30 => text.prop_map(String::into_bytes),
        1 => select(&["", " \n", "\u{feff}", "\u{feff}\r\n"][..]).prop_map(|text| text.as_bytes().to_vec()),
        4 => json::damaged(json::value()),
    ]
}

fn gap(style: Style, level: usize) -> BoxedStrategy<String> {
    match style {
        Style::Tight => Just(String::new()).boxed(),
        Style::Lines(indent, newline, _) => {
            Just(newline.to_owned() + &indent.repeat(level)).boxed()
        }
        Style::Wild => select(GAPS).prop_map(str::to_owned).boxed(),
    }
}

/// The gap around a colon, and before a comma.
fn small_gap(style: Style) -> BoxedStrategy<String> {
    match style {
        Style::Wild => gap(style, 0),
        Style::Tight => Just(String::new()).boxed(),
        Style::Lines(..) => Just(" ".to_owned()).boxed(),
    }
}

fn value(style: Style, level: usize) -> BoxedStrategy<String> {
    let scalar = select(SCALARS).prop_map(str::to_owned);
    if level > 3 {
        return scalar.boxed();
    }
    prop_oneof![
        2 => scalar,
        3 => Just(()).prop_flat_map(move |()| object(style, level)),
        2 => Just(()).prop_flat_map(move |()| array(style, level)),
    ]
    .boxed()
}

fn object(style: Style, level: usize) -> BoxedStrategy<String> {
    let member = (select(KEYS), small_gap(style), value(style, level + 1)).prop_map(
        move |(key, gap, value)| match style {
            Style::Wild => format!("{key}{gap}:{gap}{value}"),
            _ => format!("{key}:{gap}{value}"),
        },
    );
    // Mostly without a key that stands twice: that refuses.
    let members = vec(member, 0..4).prop_map(|mut members| {
        let key = |member: &str| member.split(':').next().map(|key| key.trim().to_owned());
        let mut seen = Vec::new();
        members.retain(|member| {
            let is_new = !seen.contains(&key(member));
            seen.push(key(member));
            is_new
        });
        members
    });
    container(style, level, '{', members.boxed(), '}')
}

fn array(style: Style, level: usize) -> BoxedStrategy<String> {
    let elements = vec(value(style, level + 1), 0..4).boxed();
    container(style, level, '[', elements, ']')
}

fn container(
    style: Style,
    level: usize,
    open: char,
    items: BoxedStrategy<Vec<String>>,
    close: char,
) -> BoxedStrategy<String> {
    let comma = match style {
        Style::Tight => Just(false).boxed(),
        Style::Lines(.., comma) => Just(comma).boxed(),
        Style::Wild => any::<bool>().boxed(),
    };
    let gaps = vec((gap(style, level + 1), gap_before_comma(style)), 4);
    (items, gaps, gap(style, level), comma)
        .prop_map(move |(items, gaps, end, comma)| {
            let mut text = String::from(open);
            for (index, (item, (before, behind))) in items.iter().zip(&gaps).enumerate() {
                text += before;
                text += item;
                text += behind;
                if index + 1 < items.len() || comma {
                    text.push(',');
                }
            }
            if !items.is_empty() || matches!(style, Style::Wild) {
                text += &end;
            }
            text.push(close);
            text
        })
        .boxed()
}

fn gap_before_comma(style: Style) -> BoxedStrategy<String> {
    match style {
        Style::Wild => prop_oneof![3 => Just(String::new()).boxed(), 1 => gap(style, 0)].boxed(),
        _ => Just(String::new()).boxed(),
    }
}
