//! Ten thousand hooks files: two seconds, and ten times as long as a thousand.

use std::time::{Duration, Instant};

use hookkit_tests::client::Places;
use serde_json::json;

use crate::machine::Machine;

fn time(count: usize) -> Duration {
    let places = Places::new();
    let machine = Machine::of("copilot-cli", &places);
    for number in 0..count {
        let entry =
            json!({"type": "command", "bash": format!("./hook-{number}.sh"), "timeoutSec": 5});
        let hooks = json!({"version": 1, "hooks": {"preToolUse": [entry]}});
        let file = format!("project/.github/hooks/{}/{number}.json", number % 100);
        machine.json(&file, hooks);
    }
    machine.json(
        "config/config.json",
        json!({"trustedFolders": [places.project()]}),
    );
    let start = Instant::now();
    let listing = machine.list(["--event", "PreToolUse"]);
    let time = start.elapsed();
    assert_eq!(listing.hooks().len(), count);
    time
}

/// The programs of these tests are not optimised and share their machine: the bounds are loose, and
/// `cargo xtask bench` has the tight one.
#[test]
fn many_files_take_time_in_proportion() {
    let few = time(1_000);
    let many = time(10_000);
    hookkit_tests::say(&format!("1,000 hooks files: {few:?}; 10,000: {many:?}"));
    assert!(
        many < few * 25 + Duration::from_secs(1),
        "{few:?}, {many:?}"
    );
    assert!(many < Duration::from_secs(20), "{many:?}");
}
