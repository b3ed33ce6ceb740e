//! Another version in a repository.

use fs_err as fs;
use serde_json::json;

use crate::{FOLDER, RECORD, Repository, SETTINGS, gate};

#[test]
fn another_version_takes_the_place_of_the_one_before() {
    let theirs = "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n";
    let repository = Repository::new(Some(theirs));
    let before = repository.snapshot();
    repository.installs(&gate("1.0.0", "No."));
    let more = json!({"id": "end", "event": "SubagentStop"});
    let next = gate("2.0.0", "Never.").sh(more, "cat >/dev/null");
    let ran = repository.installs(&next);
    assert!(ran.out().contains("Update gatekeeper 2.0.0"));
    assert_eq!(repository.document(RECORD)["version"], "2.0.0");
    assert!(
        repository
            .read(&format!("{FOLDER}/hooks/gate.sh"))
            .contains("Never.")
    );
    assert!(repository.document(SETTINGS)["hooks"]["SubagentStop"].is_array());

    let ran = repository
        .install(&gate("1.5.0", "Well."), &["--yes"])
        .run();
    assert!(ran.exited(3) && ran.err().contains("--allow-downgrade"));
    let words = ["--yes", "--allow-downgrade"];
    assert!(
        repository
            .install(&gate("1.5.0", "Well."), &words)
            .run()
            .exited(0)
    );
    let settings = repository.document(SETTINGS);
    assert!(
        settings["hooks"].get("SubagentStop").is_none(),
        "{settings:#}"
    );
    repository.uninstalls("gatekeeper");
    assert_eq!(repository.snapshot(), before);
}

/// A plugin that lies in the same repository is found again from every clone.
#[test]
fn a_plugin_of_the_same_repository_is_updated_by_its_name() {
    let repository = Repository::new(None);
    let source = repository.join("tools/gate keeper");
    copy(&gate("1.0.0", "No.").path(), &source);
    let target = format!("linux-{}", std::env::consts::ARCH);
    let words = [
        "install",
        "--yes",
        "--scope",
        "project",
        "--targets",
        &target,
    ];
    assert!(repository.hookkit(&words).arg(&source).run().exited(0));
    assert_eq!(repository.document(RECORD)["source"], "tools/gate keeper");
    copy(&gate("2.0.0", "Never.").path(), &source);
    let update = ["update", "--yes", "gatekeeper", "--scope", "project"];
    let ran = repository.hookkit(&update).run();
    assert!(ran.exited(0), "{}", ran.err());
    assert_eq!(repository.document(RECORD)["version"], "2.0.0");
    fs::remove_dir_all(&source).unwrap();
    let ran = repository.hookkit(&update).run();
    assert!(
        ran.exited(3) && ran.err().contains("came from outside"),
        "{}",
        ran.err()
    );
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to.join("hooks")).unwrap();
    for name in ["hookkit.json", "hooks/gate.sh"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
}
