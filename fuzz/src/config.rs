//! TOML files: what is put in can be taken out again, and nothing else ever changes.

use super::settings::TOKEN;
use hookkit::edit::{Refused, Toml};
use serde_json::{Value, json};
use std::path::Path;

fn entries() -> [(&'static [&'static str], Value); 3] {
    [
        (&["marketplaces", "ours", "source"], json!("/ours")),
        (&["plugins", "ours@market", "enabled"], json!(true)),
        (&["a", "ours", "x"], json!([1, {"b": "c"}])),
    ]
}

/// Any bytes as a TOML file.
pub fn hold(data: &[u8]) {
    let Ok(mut toml) = read(data) else { return };
    assert_eq!(toml.text().as_bytes(), data, "it is read as it is");
    let mut made = Vec::new();
    for (at, value) in entries() {
        if toml.value(at).is_some() {
            return;
        }
        let missing = |levels: &usize| toml.value(&at[..at.len() - levels]).is_some();
        made.push((1..at.len()).find(missing).unwrap_or(at.len()) - 1);
        let before = toml.value(&[]);
        if toml.set(at, &value).is_err() {
            return;
        }
        assert_eq!(toml.value(at), Some(value));
        let mut without = read(toml.text().as_bytes()).expect("what was written can be read");
        without
            .remove(at, made[made.len() - 1])
            .expect("it can be taken out");
        assert_eq!(without.value(&[]), before, "others changed");
    }
    let after = toml.text();
    let mut again = read(after.as_bytes()).expect("what was written can be read");
    for ((at, _), made) in entries().into_iter().zip(made).rev() {
        again.remove(at, made).expect("it can be taken out");
    }
    let change = toml.change();
    let undo = change.undo();
    assert_eq!(undo.before(after.as_bytes()), Some(Some(data.to_owned())));
    assert!(!change.diff().contains(TOKEN), "{}", change.diff());
    assert_eq!(
        again.text().as_bytes(),
        data,
        "what was put in is taken out"
    );
}

fn read(data: &[u8]) -> Result<Toml, Refused> {
    Toml::read(Path::new("config.toml"), data)
}
