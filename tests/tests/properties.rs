//! What holds for any input, as `fuzz/src` states it: 500 documents of generators for each part,
//! 10,000 with `HOOKKIT_LONG=1`, and every file that a fuzzer has found worth keeping.
//!
//! A counterexample that is found here belongs into `fuzz/corpus/<target>/`.

#[path = "properties/configs.rs"]
mod configs;
#[path = "../../fuzz/src/lib.rs"]
#[expect(
    unreachable_pub,
    clippy::expect_used,
    reason = "a library of the fuzzers, which states by panicking"
)]
mod fuzz;
#[path = "properties/json.rs"]
mod json;
#[path = "properties/manifests.rs"]
mod manifests;
#[path = "properties/outputs.rs"]
mod outputs;
#[path = "properties/patches.rs"]
mod patches;
#[path = "properties/payloads.rs"]
mod payloads;
#[path = "properties/settings.rs"]
mod settings;

use std::fmt;
use std::panic::catch_unwind;

use fs_err as fs;
use hookkit_tests::program;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestRunner};

/// Bytes that are shown as text.
#[derive(Clone)]
struct Document(Vec<u8>);

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "b\"{}\"", self.0.escape_ascii())
    }
}

fn hold(property: fuzz::Property, documents: impl Strategy<Value = Vec<u8>>) {
    let config = Config {
        cases: if hookkit_tests::is_long_run() {
            10_000
        } else {
            500
        },
        failure_persistence: None,
        ..Config::default()
    };
    let tried = TestRunner::new(config).run(&documents.prop_map(Document), |document| {
        property(&document.0);
        Ok(())
    });
    if let Err(counterexample) = tried {
        panic!("{counterexample}");
    }
}

#[test]
fn payloads_are_read_in_any_pieces_and_shown_whole() {
    hold(fuzz::payload::hold, payloads::payload());
}

#[test]
fn what_hooks_print_is_read_strictly_and_told_safely() {
    hold(fuzz::verdict::hold, outputs::hooks());
}

#[test]
fn no_file_of_a_patch_is_hidden() {
    hold(fuzz::patch::hold, patches::patch());
}

#[test]
fn a_manifest_names_its_faults_and_runs_only_what_has_none() {
    hold(fuzz::manifest::hold, manifests::manifest());
}

#[test]
fn what_is_put_into_settings_can_be_taken_out_and_nothing_else_changes() {
    hold(fuzz::settings::hold, settings::settings());
}

#[test]
fn what_is_put_into_a_config_can_be_taken_out_and_nothing_else_changes() {
    hold(fuzz::config::hold, configs::config());
}

/// Nothing is written there. Prints the files that are no settings: what does not parse, or has no
/// object at its top.
#[test]
#[ignore = "wants HOOKKIT_TEST_SETTINGS=FOLDER"]
fn real_settings_come_back_as_they_were() {
    let folder = hookkit_tests::settings_folder().expect("HOOKKIT_TEST_SETTINGS names a folder");
    let mut count = 0;
    let mut rest = vec![folder];
    while let Some(path) = rest.pop() {
        let kind = fs::symlink_metadata(&path).unwrap();
        if kind.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            rest.extend(entries.map(|entry| entry.unwrap().path()));
        } else if kind.is_file()
            && path
                .extension()
                .is_some_and(|extension| extension == "json" || extension == "jsonc")
        {
            let data = fs::read(&path).unwrap();
            match hookkit::edit::Document::read(&path, &data) {
                Ok(_) => {
                    count += 1;
                    assert!(
                        catch_unwind(|| fuzz::settings::hold(&data)).is_ok(),
                        "{} does not hold",
                        path.display()
                    );
                }
                Err(refused) => println!("{refused}"),
            }
        }
    }
    println!("{count} files");
    assert!(count > 0);
}

#[test]
fn every_file_of_the_corpus_still_holds() {
    for (target, property) in fuzz::TARGETS {
        let folder = program::repository().join("fuzz/corpus").join(target);
        let mut count = 0;
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let data = fs::read(&path).unwrap();
            count += 1;
            assert!(
                catch_unwind(|| property(&data)).is_ok(),
                "{} does not hold",
                path.display()
            );
        }
        assert!(count > 0, "the corpus of {target} is there");
    }
}
