//! What uninstalling leaves: nothing, and everything of others as it was.

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::process::Program;
use serde_json::{Value, json};

use crate::repository::git_in;
use crate::{FILE, FOLDER, RECORD, Repository, SETTINGS, gate};

/// Settings as people write them, some with hooks of their own.
const THEIRS: [&str; 9] = [
    "{}",
    "{}\n",
    "{\n  \"model\": \"opus\"\n}\n",
    "{ \"model\": \"opus\", \"hooks\": {} }",
    "{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": []\r\n\t}\r\n}\r\n",
    "\u{feff}{\n  \"hooks\": { \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"./x\" } ] } ] }\n}",
    "{\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"echo hi\"}]}\n        ]\n    },\n    \"env\": {}\n}\n",
    "{\"permissions\":{\"deny\":[\"Read(.env)\"]}}\n",
    "{\n  // theirs\n  \"model\": \"opus\",\n}\n",
];

fn each() -> impl Iterator<Item = Option<&'static str>> {
    [None].into_iter().chain(THEIRS.map(Some))
}

#[test]
fn git_sees_nothing_of_an_installation_that_was_taken_back() {
    for theirs in each() {
        let repository = Repository::new(theirs);
        let before = repository.snapshot();
        repository.installs(&gate("1.0.0", "No."));
        for name in [FOLDER, RECORD, FILE, SETTINGS] {
            assert!(repository.join(name).exists(), "{name}");
        }
        assert_ne!(repository.status(), "");
        repository.uninstalls("gatekeeper");
        assert_eq!(repository.snapshot(), before, "{theirs:?}");
        assert_eq!(repository.status(), "");
    }
}

/// In a clone there is no receipt of the machine on which it was installed.
#[test]
fn a_clone_can_take_it_out_again() {
    for theirs in each() {
        let repository = Repository::new(theirs);
        repository.installs(&gate("1.0.0", "No."));
        repository.commit();
        let clone = repository.places.root().join("home/clone");
        let from = repository.root();
        let words = ["clone", "--quiet", from.to_str().unwrap(), "."];
        fs::create_dir(&clone).unwrap();
        git_in(&repository.places, &clone, &words);
        let ran = repository.uninstall("gatekeeper").cwd(&clone).run();
        assert!(ran.exited(0), "{}", ran.err());
        let differs = git_in(&repository.places, &clone, &["diff", "HEAD~1"]);
        assert_eq!(differs, "", "{theirs:?}");
        let untracked = ["ls-files", "--others"];
        assert_eq!(git_in(&repository.places, &clone, &untracked), "");
    }
}

#[test]
fn what_others_added_since_stays() {
    let repository = Repository::new(Some(THEIRS[6]));
    repository.installs(&gate("1.0.0", "No."));
    let mut settings = repository.document(SETTINGS);
    let theirs = json!({"type": "command", "command": "./later.sh"});
    let groups = settings["hooks"]["PreToolUse"].as_array_mut().unwrap();
    // One of their own, and one among ours.
    groups.push(json!({"hooks": [theirs]}));
    let ours = groups[1]["hooks"].as_array_mut().unwrap();
    ours.push(theirs.clone());
    repository.write(SETTINGS, &format!("{settings:#}\n"));
    repository.uninstalls("gatekeeper");
    let text = repository.read(SETTINGS);
    assert!(!text.contains("gatekeeper"), "{text}");
    let settings = repository.document(SETTINGS);
    let groups = settings["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 3);
    assert_eq!(groups[1]["hooks"], json!([theirs]));
}

/// Without the record what is ours is known by itself.
#[test]
fn it_goes_without_its_record() {
    for theirs in [THEIRS[2], THEIRS[6]] {
        let repository = Repository::new(Some(theirs));
        let before = repository.snapshot();
        repository.installs(&gate("1.0.0", "No."));
        fs::remove_file(repository.join(RECORD)).unwrap();
        repository.uninstalls("gatekeeper");
        assert_eq!(repository.snapshot(), before, "{theirs}");
    }
}

#[test]
fn the_last_of_two_plugins_leaves_nothing() {
    for first in ["gatekeeper", "second"] {
        let repository = Repository::new(None);
        let before = repository.snapshot();
        repository.installs(&gate("1.0.0", "No."));
        repository.installs(&gate("1.0.0", "No.").with("name", json!("second")));
        repository.uninstalls(first);
        let text = repository.read(SETTINGS);
        let last = if first == "second" {
            "gatekeeper"
        } else {
            "second"
        };
        assert!(
            text.contains(last) && !text.contains(&format!("/{first}/")),
            "{text}"
        );
        repository.uninstalls(last);
        assert_eq!(repository.snapshot(), before, "{first} first");
    }
}

#[test]
fn files_of_others_in_the_tree_are_kept() {
    let repository = Repository::new(None);
    repository.installs(&gate("1.0.0", "No."));
    repository.write(&format!("{FOLDER}/mine"), "x");
    let before = repository.snapshot();
    let ran = repository.uninstall("gatekeeper").run();
    assert!(ran.exited(3) && ran.err().contains("mine"), "{}", ran.err());
    assert_eq!(repository.snapshot(), before);
}

#[test]
fn what_is_not_there_is_said() {
    let repository = Repository::new(Some(THEIRS[8]));
    let before = repository.snapshot();
    let ran = repository.uninstalls("gatekeeper");
    assert!(ran.out().contains("Nothing of gatekeeper"));
    assert_eq!(repository.snapshot(), before);
}

/// A record is as good as the repository that it came with: it names no other place.
#[test]
fn a_record_leads_nowhere_else() {
    let elsewhere = |places: &Places| places.root().join("home/theirs.json");
    for file in [
        "../home/theirs.json",
        ".claude/../../home/theirs.json",
        "ABSOLUTE",
    ] {
        let repository = Repository::new(Some(THEIRS[2]));
        let before = repository.read(SETTINGS);
        repository.installs(&gate("1.0.0", "No."));
        let theirs = elsewhere(&repository.places);
        fs::write(&theirs, repository.read(SETTINGS)).unwrap();
        let mut record = repository.document(RECORD);
        let absolute = theirs.to_str().unwrap();
        record["settings"]["undo"]["file"] = json!(file.replace("ABSOLUTE", absolute));
        record["source"] = json!("../home");
        repository.write(RECORD, &record.to_string());
        let content = fs::read(&theirs).unwrap();
        let update = ["update", "--yes", "gatekeeper", "--scope", "project"];
        assert!(repository.hookkit(&update).run().exited(3));
        repository.uninstalls("gatekeeper");
        assert_eq!(fs::read(&theirs).unwrap(), content, "{file}");
        assert_eq!(repository.read(SETTINGS), before);
    }
}

/// A work tree keeps git's own folder elsewhere; nothing of ours stays in either.
#[test]
fn a_work_tree_is_a_repository_too() {
    let repository = Repository::new(None);
    let tree = repository.places.root().join("home/tree");
    repository.git(&["worktree", "add", "--quiet", tree.to_str().unwrap()]);
    let run = |program: Program| {
        let ran = program.cwd(&tree).run();
        assert!(ran.exited(0), "{}", ran.err());
    };
    run(repository.install(&gate("1.0.0", "No."), &["--yes"]));
    let record: Value = serde_json::from_slice(&fs::read(tree.join(RECORD)).unwrap()).unwrap();
    assert_eq!(record["version"], "1.0.0");
    assert!(!repository.join(RECORD).exists());
    run(repository.uninstall("gatekeeper"));
    assert_eq!(
        git_in(&repository.places, &tree, &["status", "--porcelain"]),
        ""
    );
    assert!(!repository.join(".git/worktrees/tree/hookkit").exists());
}
