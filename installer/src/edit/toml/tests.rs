use super::*;
use serde_json::json;

fn toml(text: &str) -> Toml {
    Toml::read(Path::new("config.toml"), text.as_bytes())
        .unwrap_or_else(|refused| panic!("{text}: {refused}"))
}

const PLUGIN: [&str; 3] = ["plugins", "ours@m", "enabled"];

/// What is there after the entry was set is this, and after it was removed what was there before.
#[track_caller]
fn comes_and_goes(before: &str, made: usize, after: &str) {
    let mut document = toml(before);
    document.set(&PLUGIN, &json!(true)).unwrap();
    assert_eq!(document.text(), after);
    let mut document = toml(after);
    assert_eq!(document.value(&PLUGIN), Some(json!(true)));
    document.remove(&PLUGIN, made).unwrap();
    assert_eq!(document.text(), before);
}

#[test]
fn a_table_comes_and_goes_in_any_file() {
    let table = "[plugins.\"ours@m\"]\nenabled = true\n";
    comes_and_goes("", 2, table);
    comes_and_goes(
        "# mine\nmodel = \"o3\" # c\n",
        2,
        &format!("# mine\nmodel = \"o3\" # c\n\n{table}"),
    );
    comes_and_goes(
        "model = \"o3\"",
        2,
        &format!("model = \"o3\"\n\n{}", table.trim_end()),
    );
    comes_and_goes("\u{feff}a = 1\n", 2, &format!("\u{feff}a = 1\n\n{table}"));
    comes_and_goes(
        "a = 1\r\n[b]\r\nc = '''x\r\ny''' # d\r\n",
        2,
        "a = 1\r\n[b]\r\nc = '''x\r\ny''' # d\r\n\r\n[plugins.\"ours@m\"]\r\nenabled = true\r\n",
    );
    comes_and_goes(
        "[plugins.\"x@m\"]\nenabled = true\n\n# tail\n[b]\nc=1\n",
        1,
        &format!("[plugins.\"x@m\"]\nenabled = true\n\n{table}\n# tail\n[b]\nc=1\n"),
    );
    comes_and_goes(
        "[plugins]\n\n[b]\n\n# end\n",
        1,
        &format!("[plugins]\n\n{table}\n[b]\n\n# end\n"),
    );
}

#[test]
fn a_value_keeps_its_place_and_its_comment() {
    let mut document = toml("[features] # f\nhooks   =   false   # why\nb = 1\n");
    document.set(&["features", "hooks"], &json!(true)).unwrap();
    assert_eq!(
        document.text(),
        "[features] # f\nhooks   =   true   # why\nb = 1\n"
    );
    let text = document.text();
    document.set(&["features", "hooks"], &json!(true)).unwrap();
    document.set(&["features", "b"], &json!(1)).unwrap();
    document.remove(&["features", "none"], 3).unwrap();
    document.remove(&["none", "b"], 3).unwrap();
    let mut empty = toml("[plugins]\n");
    empty.remove(&PLUGIN[..2], 3).unwrap();
    assert_eq!(empty.text(), "[plugins]\n");
    assert_eq!(document.text(), text);
}

#[test]
fn values_are_those_of_json() {
    let mut document =
        toml("d = 2020-01-01\ni = 7\nf = 1.5\nn = nan\na = [1, {b = 'c'}]\n[[t]]\nx = 1\n");
    assert_eq!(
        document.value(&[]),
        Some(
            json!({"d": "2020-01-01", "i": 7, "f": 1.5, "n": "nan", "a": [1, {"b": "c"}], "t": [{"x": 1}]})
        )
    );
    let value = json!({"a": [1, 2.5, "x"], "b": {"c": true}});
    document.set(&["o"], &value).unwrap();
    assert_eq!(toml(&document.text()).value(&["o"]), Some(value));
}

#[track_caller]
fn refused(text: &[u8], at: &[&str], value: &Json, says: &str) {
    let refused = Toml::read(Path::new("c.toml"), text)
        .and_then(|mut document| document.set(at, value))
        .unwrap_err();
    assert_eq!(refused.to_string().split("; ").next(), Some(says));
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let yes = json!(true);
    refused(
        b"a = 1\n[b\n",
        &["x"],
        &yes,
        "c.toml:2 does not parse: unclosed table, expected `]`",
    );
    refused(
        b"a = 1\na = 2\n",
        &["x"],
        &yes,
        "c.toml:2 does not parse: duplicate key",
    );
    refused(
        b"a = 1\r\nb = 2\n",
        &["x"],
        &yes,
        "c.toml has line ends of both kinds",
    );
    refused(b"a = '\xff'\n", &["x"], &yes, "c.toml:1 is not UTF-8");
    refused(
        b"a = 1\n",
        &["a", "b"],
        &yes,
        "c.toml has another value where a table \"a\" should be",
    );
    refused(
        b"[a.b]\n",
        &["a", "b"],
        &yes,
        "c.toml has a table where a value \"b\" should be",
    );
    refused(
        b"",
        &["a"],
        &Json::Null,
        "c.toml would get a null, which TOML does not have",
    );
    refused(b"", &[], &yes, "c.toml is edited by its entries only");
}
