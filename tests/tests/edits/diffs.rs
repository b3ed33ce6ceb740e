//! What people are shown before anything is written.

use hookkit::edit::{Change, Document};
use serde_json::json;

use crate::{Home, take_back};

const SETTINGS: &str = "{
  // token: sk-comment
  \"env\": {
    \"KEY\": \"sk-value\"
  },
  \"list\": [\"sk-element\", true, 7],
  \"hooks\": {
    \"Stop\": [
      {
        \"command\": \"sk-foreign\"
      }
    ]
  }
}
";

/// Without the name of the throw-away folder.
fn diff(home: &Home, change: &Change) -> String {
    change
        .diff()
        .replace(&home.settings().display().to_string(), "/settings.json")
}

#[test]
fn a_diff_shows_what_comes_and_hides_what_is_somebody_elses() {
    let home = Home::with(SETTINGS);
    let change = home.change().unwrap();
    assert_eq!(
        diff(&home, &change),
        "--- a/settings.json
+++ b/settings.json
@@ -8,6 +8,9 @@
     \"Stop\": [
       {
         \"command\": \"\u{2026}\"
+      },
+      {
+        \"command\": \"/ours/stop\"
       }
     ]
   }
"
    );
    home.write(&change).unwrap();
    let back = change.undo().change(take_back).unwrap();
    let mut document = Document::open(&home.settings()).unwrap();
    take_back(&mut document).unwrap();
    for back in [diff(&home, &back), diff(&home, &document.change())] {
        assert!(
            back.contains("-        \"command\": \"/ours/stop\"\n"),
            "{back}"
        );
        assert!(!back.contains("sk-"), "{back}");
    }
}

#[test]
fn a_line_that_only_gets_a_comma_does_not_give_its_value_away() {
    let home = Home::with("{\n  \"token\": \"sk-1\" // sk-2\n}\n");
    let shown = diff(&home, &home.change().unwrap());
    assert!(
        shown.contains("-  \"token\": \"\u{2026}\" //\u{2026}\n"),
        "{shown}"
    );
    assert!(
        shown.contains("+  \"token\": \"\u{2026}\", //\u{2026}\n"),
        "{shown}"
    );
    assert!(!shown.contains("sk-"), "{shown}");
}

#[test]
fn a_file_in_one_line_is_shown_around_the_change() {
    let many: Vec<String> = (0..200).map(|n| format!("\"k{n}\":\"sk-{n}\"")).collect();
    let home = Home::with(&format!("{{{},\"hooks\":{{}}}}", many.join(",")));
    let shown = diff(&home, &home.change().unwrap());
    assert!(
        shown.contains("\"hooks\":{\"Stop\":[{\"command\":\"/ours/stop\"}]}"),
        "{shown}"
    );
    assert!(!shown.contains("sk-"), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
}

#[test]
fn a_value_that_gives_way_is_shown() {
    let home = Home::with("{\"enabledPlugins\": {\"p@m\": false}}\n");
    let mut document = Document::open(&home.settings()).unwrap();
    document
        .set(&["enabledPlugins", "p@m"], json!(true))
        .unwrap();
    assert_eq!(
        diff(&home, &document.change()),
        "--- a/settings.json
+++ b/settings.json
@@ -1 +1 @@
-{\"enabledPlugins\": {\"p@m\": false}}
+{\"enabledPlugins\": {\"p@m\": true}}
"
    );
}

#[test]
fn files_that_come_and_go_are_shown_whole() {
    let home = Home::new();
    let change = home.change().unwrap();
    let shown = diff(&home, &change);
    assert!(
        shown.starts_with("--- /dev/null\n+++ b/settings.json\n@@ -0,0 +1,9 @@\n+{\n"),
        "{shown}"
    );
    home.write(&change).unwrap();
    let shown = diff(&home, &change.undo().change(take_back).unwrap());
    assert!(
        shown.contains("\n+++ /dev/null\n@@ -1,9 +0,0 @@\n-{\n"),
        "{shown}"
    );
    assert!(shown.contains("/ours/stop"));
}

#[test]
fn a_terminal_is_not_told_anything() {
    let home = Home::with("{\n  \"a\u{1b}]0;x\u{7}\": 1\n}\n");
    let shown = diff(&home, &home.change().unwrap());
    assert!(shown.contains("\"a\u{fffd}]0;x\u{fffd}\""), "{shown}");
}
