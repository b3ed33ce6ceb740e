use super::*;
use serde_json::json;

fn document(text: &str) -> Document {
    Document::read(Path::new("settings.json"), text.as_bytes())
        .unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

fn set(text: &str, at: &[&str], value: Json) -> String {
    let mut document = document(text);
    document.set(at, value).unwrap();
    document.text()
}

fn push(text: &str, at: &[&str], value: Json) -> String {
    let mut document = document(text);
    document.push(at, value).unwrap();
    document.text()
}

fn removed(text: &str, at: &[&str], prune: usize) -> String {
    let mut document = document(text);
    document.remove(at, prune).unwrap();
    document.text()
}

/// What is there after a member was set is this, and after it was removed what was there before.
#[track_caller]
fn comes_and_goes(before: &str, at: &[&str], value: Json, after: &str) {
    let there = at.len() - missing(before, at);
    let with = set(before, at, value);
    assert_eq!(with, after);
    assert_eq!(removed(&with, at, at.len() - there - 1), before);
}

fn missing(text: &str, at: &[&str]) -> usize {
    let document = document(text);
    (0..at.len())
        .find(|less| document.value(&at[..at.len() - less]).is_some())
        .unwrap_or(at.len())
}

#[test]
fn a_new_member_is_laid_out_as_those_before_it() {
    let at = ["b"];
    comes_and_goes(
        "{\n  \"a\": 1\n}\n",
        &at,
        json!(2),
        "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
    );
    comes_and_goes(
        "{\n\t\"a\": 1\n}",
        &at,
        json!([1]),
        "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t1\n\t]\n}",
    );
    comes_and_goes("{\"a\":1}", &at, json!([1, 2]), "{\"a\":1,\"b\":[1,2]}");
    comes_and_goes(
        "{\"a\": 1}\n",
        &at,
        json!([1, 2]),
        "{\"a\": 1, \"b\": [1, 2]}\n",
    );
    comes_and_goes("{ \"a\": 1 }", &at, json!(2), "{ \"a\": 1, \"b\": 2 }");
    comes_and_goes(
        "{\r\n  \"a\": 1\r\n}\r\n",
        &at,
        json!([1]),
        "{\r\n  \"a\": 1,\r\n  \"b\": [\r\n    1\r\n  ]\r\n}\r\n",
    );
    comes_and_goes(
        "\u{feff}{\n  \"a\": 1\n}",
        &at,
        json!(2),
        "\u{feff}{\n  \"a\": 1,\n  \"b\": 2\n}",
    );
    comes_and_goes(
        "{\n  \"a\": 1,\n}\n",
        &at,
        json!(2),
        "{\n  \"a\": 1,\n  \"b\": 2,\n}\n",
    );
    comes_and_goes(
        "{\n\"a\": 1\n}\n",
        &at,
        json!([2]),
        "{\n\"a\": 1,\n\"b\": [\n2\n]\n}\n",
    );
    comes_and_goes(
        "{ \"a\": 1,\n  \"x\": 2 }",
        &at,
        json!(2),
        "{ \"a\": 1,\n  \"x\": 2,\n  \"b\": 2 }",
    );
    comes_and_goes(
        "{\n  \"a\": 1, \"x\": 2\n}",
        &at,
        json!(2),
        "{\n  \"a\": 1, \"x\": 2, \"b\": 2\n}",
    );
}

#[test]
fn comments_stay_with_what_they_were_written_to() {
    let at = ["b"];
    comes_and_goes(
        "{\n  \"a\": 1 // one\n}",
        &at,
        json!(2),
        "{\n  \"a\": 1, // one\n  \"b\": 2\n}",
    );
    comes_and_goes(
        "{\n  \"a\": 1, // one\n  /* end */ // of it\n}",
        &at,
        json!(2),
        "{\n  \"a\": 1, // one\n  /* end */ // of it\n  \"b\": 2,\n}",
    );
    comes_and_goes(
        "{ \"a\": 1 /* x */ }",
        &at,
        json!(2),
        "{ \"a\": 1, /* x */ \"b\": 2 }",
    );
    comes_and_goes(
        "{ \"a\": 1 // x\n}",
        &at,
        json!(2),
        "{ \"a\": 1, // x\n  \"b\": 2\n}",
    );
    comes_and_goes(
        "{\n  // none yet\n}",
        &at,
        json!(2),
        "{\n  // none yet\n  \"b\": 2\n}",
    );
    comes_and_goes(
        "{ // none yet\n}",
        &at,
        json!(2),
        "{ // none yet\n  \"b\": 2\n}",
    );
    comes_and_goes("{ /* none */ }", &at, json!(2), "{ /* none */ \"b\": 2 }");
    comes_and_goes(
        "// head\n{\n  \"a\": 1\n}\n// foot",
        &at,
        json!(2),
        "// head\n{\n  \"a\": 1,\n  \"b\": 2\n}\n// foot",
    );
}

#[test]
fn missing_objects_are_made_and_go_again() {
    comes_and_goes(
        "{\n  \"a\": {\n    \"x\": 1\n  }\n}\n",
        &["a", "b", "c"],
        json!(true),
        "{\n  \"a\": {\n    \"x\": 1,\n    \"b\": {\n      \"c\": true\n    }\n  }\n}\n",
    );
    comes_and_goes("{}", &["a"], json!(1), "{\n  \"a\": 1\n}");
    comes_and_goes(
        "{}\n",
        &["a", "b"],
        json!({}),
        "{\n  \"a\": {\n    \"b\": {}\n  }\n}\n",
    );
    comes_and_goes(
        "{\"zebra\":1,\"hooks\":{},\"alpha\":{\"z\":1}}\n",
        &["hooks", "Stop"],
        json!([{"a": "&& 'b' > c"}]),
        "{\"zebra\":1,\"hooks\":{\"Stop\":[{\"a\":\"&& 'b' > c\"}]},\"alpha\":{\"z\":1}}\n",
    );
    assert_eq!(set("", &["a"], json!(1)), "{\n  \"a\": 1\n}\n");
    assert_eq!(set(" \n", &["a"], json!(1)), "{\n  \"a\": 1\n} \n");
}

#[test]
fn an_equal_value_changes_nothing_and_another_keeps_its_place() {
    let text = "{ \"a\" :1.0, /* b */ \"b\": { \"x\" : [ 1 ] } }";
    assert_eq!(set(text, &["a"], json!(1.0)), text);
    assert_eq!(set(text, &["b"], json!({"x": [1]})), text);
    assert_eq!(
        set(text, &["b", "x"], json!(false)),
        text.replace("[ 1 ]", "false")
    );
    let big = "{\"n\": 12345678901234567890123, \"e\": 1e400, \"s\": \"\\ud800\"}";
    assert_eq!(set(big, &["x"], json!(0)), big.replace('}', ", \"x\": 0}"));
    assert_eq!(
        set("{\n  \"a\": 1,\n  \"b\": 2\n}", &["a"], json!([3])),
        "{\n  \"a\": [\n    3\n  ],\n  \"b\": 2\n}"
    );
}

#[test]
fn what_is_removed_takes_its_comma_and_no_comment() {
    assert_eq!(
        removed("{\"a\": 1, \"b\": 2, \"c\": 3}", &["a"], 0),
        "{\"b\": 2, \"c\": 3}"
    );
    assert_eq!(
        removed("{\"a\": 1, \"b\": 2, \"c\": 3}", &["b"], 0),
        "{\"a\": 1, \"c\": 3}"
    );
    assert_eq!(
        removed("{\"a\": 1, \"b\": 2, \"c\": 3}", &["c"], 0),
        "{\"a\": 1, \"b\": 2}"
    );
    assert_eq!(removed("{ \"a\": 1 }", &["a"], 0), "{}");
    assert_eq!(removed("{ \"a\": 1, }", &["a"], 0), "{}");
    let lines = "{\n  // x\n  \"a\": 1, // one\n  \"b\": 2 /* two */, // 2\n  \"c\": 3 // three\n  // end\n}";
    assert_eq!(
        removed(lines, &["a"], 0),
        "{\n  // x\n  // one\n  \"b\": 2 /* two */, // 2\n  \"c\": 3 // three\n  // end\n}"
    );
    assert_eq!(
        removed(lines, &["b"], 0),
        "{\n  // x\n  \"a\": 1, // one\n  /* two */ // 2\n  \"c\": 3 // three\n  // end\n}"
    );
    assert_eq!(
        removed(lines, &["c"], 0),
        "{\n  // x\n  \"a\": 1, // one\n  \"b\": 2 /* two */ // 2\n  // three\n  // end\n}"
    );
    assert_eq!(
        removed("{ // x\n \"a\": 1, \"b\": 2}", &["a"], 0),
        "{ // x\n \"b\": 2}"
    );
    assert_eq!(
        removed("{\"x\": 1, // x\n\"a\": 1, \"b\": 2}", &["a"], 0),
        "{\"x\": 1, // x\n\"b\": 2}"
    );
    assert_eq!(
        removed("{\"x\": 1 // x\n, \"a\": 1}", &["a"], 0),
        "{\"x\": 1 // x\n}"
    );
}

#[test]
fn empty_levels_go_only_where_asked_and_where_nothing_is_left() {
    let text = "{\"a\":{\"b\":{\"c\":1}}}";
    assert_eq!(removed(text, &["a", "b", "c"], 0), "{\"a\":{\"b\":{}}}");
    assert_eq!(removed(text, &["a", "b", "c"], 1), "{\"a\":{}}");
    assert_eq!(removed(text, &["a", "b", "c"], 9), "{}");
    let commented = "{\"a\":{\"b\":{/* mine */\"c\":1}}}";
    assert_eq!(
        removed(commented, &["a", "b", "c"], 9),
        "{\"a\":{\"b\":{/* mine */}}}"
    );
    assert_eq!(removed(text, &["a", "x", "c"], 9), text);
    assert_eq!(removed("", &["a"], 9), "");
    // Nothing of ours was in it.
    assert_eq!(removed("{\"a\":{}}", &["a", "x"], 9), "{\"a\":{}}");
    assert_eq!(removed("{\"a\":1}", &["a", "x"], 9), "{\"a\":1}");
}

#[test]
fn elements_come_and_go_by_what_they_are() {
    let text = "{\n  \"h\": [\n    \"x\",\n    \"y\" // mine\n  ]\n}\n";
    let with = push(text, &["h"], json!({"o": 1}));
    assert_eq!(
        with,
        "{\n  \"h\": [\n    \"x\",\n    \"y\", // mine\n    {\n      \"o\": 1\n    }\n  ]\n}\n"
    );
    let mut document = document(&with);
    let ours = |element: &Json| element.is_object();
    assert_eq!(document.remove_elements(&["h"], 9, &ours), Ok(1));
    assert_eq!(document.text(), text);
    assert_eq!(document.remove_elements(&["h"], 9, &ours), Ok(0));
    assert_eq!(document.remove_elements(&["none"], 9, &ours), Ok(0));
    assert_eq!(document.remove_elements(&["h"], 0, &|_| true), Ok(2));
    assert_eq!(document.text(), "{\n  \"h\": [\n    // mine\n  ]\n}\n");

    let mut empty = super::tests::document("{\"a\": {}}");
    empty.push(&["a", "h"], json!("z")).unwrap();
    assert_eq!(empty.text(), "{\"a\": {\"h\": [\"z\"]}}");
    assert_eq!(empty.remove_elements(&["a", "h"], 1, &|_| true), Ok(1));
    assert_eq!(empty.text(), "{\"a\": {}}");
}

#[test]
fn a_step_in_an_array_is_the_number_of_an_element() {
    let text = "{\"h\": [{\"hooks\": [1]}, {\"hooks\": [2]}]}";
    assert_eq!(
        push(text, &["h", "1", "hooks"], json!(3)),
        "{\"h\": [{\"hooks\": [1]}, {\"hooks\": [2, 3]}]}"
    );
    assert_eq!(
        removed(text, &["h", "0", "hooks", "0"], 2),
        "{\"h\": [{\"hooks\": [2]}]}"
    );
}

#[track_caller]
fn refused(text: &[u8], edit: impl FnOnce(&mut Document) -> Result<(), Refused>, says: &str) {
    let before = Document::read(Path::new("s.json"), text);
    let refused = before.and_then(|mut document| {
        let text = document.text();
        let refused = edit(&mut document);
        assert_eq!(document.text(), text, "nothing was changed");
        refused
    });
    assert_eq!(
        refused.unwrap_err().to_string().split("; ").next(),
        Some(says)
    );
}

#[test]
fn what_cannot_be_edited_is_refused_with_its_line() {
    let set = |document: &mut Document| document.set(&["hooks", "Stop"], json!([]));
    refused(
        b"{\n  \"a\": 1\n  \"b\": 2\n}",
        set,
        "s.json:2 does not parse: expected comma (column 9)",
    );
    refused(b"[]", set, "s.json:1 has no object at its top");
    refused(b"\n// none\n", set, "s.json:3 holds comments and no value");
    refused(b"{\n  \"a\": \"\xff\"}", set, "s.json:2 is not UTF-8");
    refused(b"\xff\xfe{\0}\0", set, "s.json:1 is not UTF-8");
    refused(
        b"{\"a\": \0}",
        set,
        "s.json:1 does not parse: unexpected token (column 7)",
    );
    refused(
        b"{\n\n\"hooks\": []}",
        set,
        "s.json:3 has another value where an object should be",
    );
    refused(
        b"{\n\"hooks\": {\"Stop\":\n1}}",
        |d| d.push(&["hooks", "Stop"], json!(1)),
        "s.json:3 has another value where an array should be",
    );
    refused(
        b"{\"hooks\": {\n\"Stop\": [1],\n\"a\": 1, \"\\u0053top\": [2]}}",
        set,
        "s.json:2 has the key \"Stop\" twice, in lines 2 and 3, and hosts read only the last",
    );
    refused(
        b"{\"hooks\": {}, \"hooks\": {}}",
        |document| document.remove(&["hooks", "Stop"], 0),
        "s.json:1 has the key \"hooks\" twice, in this line, and hosts read only the last",
    );
    refused(
        b"{\"hooks\": {}, \"hooks\": {}}",
        |document| document.remove_elements(&["hooks"], 0, &|_| true).map(drop),
        "s.json:1 has the key \"hooks\" twice, in this line, and hosts read only the last",
    );
    refused(
        b"{}",
        |document| document.set(&[], json!({})),
        "s.json is edited by its members only",
    );
}

#[test]
fn a_key_that_stands_twice_elsewhere_is_not_ours_to_judge() {
    let text = "{\"env\": {\"a\": 1, \"a\": 2}, \"hooks\": {}}";
    assert_eq!(
        set(text, &["hooks", "a"], json!(1)),
        "{\"env\": {\"a\": 1, \"a\": 2}, \"hooks\": {\"a\": 1}}"
    );
}
