//! `hookkit contracts` as a process, and the receipts that it prints.

use hookkit_dispatch::host::HOSTS;
use hookkit_tests::{Ran, process::Program, program, receipt};
use serde_json::{Value, json};

fn contracts(arguments: &[&str]) -> Ran {
    Program::new(program::hookkit())
        .arg("contracts")
        .args(arguments)
        .run()
}

#[test]
fn one_event_of_one_host_is_one_block() {
    let ran = contracts(&["--host", "copilot-cli", "--event", "subagentStop"]);
    assert!(ran.exited(0));
    assert_eq!(
        ran.out(),
        "\
copilot-cli as seen on 1.0.102, 1 of 15 events

  SubagentStop (subagentStop)
    matcher       agent_type
    payload       transcriptPath, agentId, agentType, agentName, response, stopReason,
                  stop_hook_active, parentAgentId
    allow         by saying nothing
    deny          decision \"block\" with reason
    new result    modifiedResponse
    no form       ask, defer, context, new input, stop, notice
    limit         30 s
    cap           the agent sets none to blocks; hookkit ends a turn after 8 in a row
    if it fails   always: goes on unguarded
    known         observed: seen on 1.0.102
"
    );
}

#[test]
fn the_whole_table_has_every_event_and_fits_in_100_columns() {
    let ran = contracts(&[]);
    assert!(ran.exited(0));
    let out = ran.out();
    assert!(out.lines().all(|line| line.chars().count() <= 100));
    let events = HOSTS.iter().map(|host| host.contracts().len());
    let blocks = out.lines().filter(|line| line.starts_with("    known "));
    assert_eq!(blocks.count(), events.sum::<usize>());
}

#[test]
fn the_document_has_every_event_of_every_host() {
    let ran = contracts(&["--json"]);
    assert!(ran.exited(0));
    let document = ran.json();
    assert_eq!(document["schema"], 1);
    let hosts = document["hosts"].as_array().unwrap();
    assert_eq!(hosts.len(), HOSTS.len());
    for (printed, host) in hosts.iter().zip(HOSTS) {
        assert_eq!(printed["host"], host.name());
        let events = printed["events"].as_array().unwrap();
        let names = events.iter().map(|event| event["event"].as_str().unwrap());
        let table = host.contracts().iter().map(|contract| contract.event);
        assert!(names.eq(table), "{}", host.name());
    }
    assert_eq!(hosts[2]["seen_on"], Value::Null);
}

#[test]
fn a_row_of_the_document_has_all_that_the_table_knows() {
    let ran = contracts(&[
        "--json",
        "--host",
        "claude-code",
        "--event",
        "PreModelSwitch",
    ]);
    let row = ran.json()["hosts"][0]["events"][0].clone();
    assert_eq!(row["native"], Value::Null);
    assert_eq!(row["matcher"], "to_model");
    assert_eq!(
        row["forms"]["deny"],
        "hookSpecificOutput.permissionDecision \"deny\""
    );
    assert_eq!(row["forms"]["new_input"], Value::Null);
    assert_eq!(row["failure"]["timeout"], "is refused");
    assert_eq!(row["failure"]["exit_1"], "goes on unguarded");
    assert_eq!(row["default_timeout"], json!(30.0));
    assert_eq!(row["since"], "2.1.251");
    assert_eq!(row["grade"], "official");
    assert!(
        row["fields"]
            .as_array()
            .unwrap()
            .contains(&json!("to_model"))
    );
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    let ran = contracts(&["--host", "cursor"]);
    assert!(ran.exited(2));
    assert_eq!(
        ran.err(),
        "error: there is no host `cursor`; there are claude-code, copilot-cli, copilot-cloud, \
         vscode-copilot, vscode-local, codex\n"
    );
    let ran = contracts(&["--event", "PreTool"]);
    assert!(ran.exited(2) && ran.err().contains("no event `PreTool`"));
    assert_eq!(ran.out(), "");
}

#[test]
fn hosts_without_a_receipt_are_said_to_have_none() {
    let out = contracts(&["--receipts"]).out();
    for host in HOSTS {
        let has_receipt = ["claude-code", "copilot-cli", "codex"].contains(&host.name());
        let none = format!("{} no receipt", host.name());
        assert_eq!(out.contains(&none), !has_receipt, "{}", host.name());
    }
    assert!(out.contains("refused   git push --force origin main"));
    let alone = contracts(&["--receipts", "--host", "vscode-local"]);
    assert!(alone.exited(0) && alone.out().lines().count() == 1);
}

#[test]
fn each_client_has_receipts_of_its_pinned_version() {
    let package: Value = serde_json::from_str(include_str!("../clients/package.json")).unwrap();
    let kept = receipt::kept();
    let of_all = ["gatekeeper", "guard-rails"].as_slice();
    let with_events = ["gatekeeper", "guard-rails", "watchman"].as_slice();
    for (client, package_name, plugins) in [
        ("claude-code", "@anthropic-ai/claude-code", with_events),
        ("copilot-cli", "@github/copilot", with_events),
        ("codex", "@openai/codex", of_all),
    ] {
        let own: Vec<_> = kept
            .iter()
            .filter(|receipt| receipt.client == client)
            .collect();
        for plugin in plugins {
            assert!(own.iter().any(|receipt| receipt.plugin == *plugin));
        }
        let pinned = &package["dependencies"][package_name];
        assert!(own.iter().all(|receipt| *pinned == *receipt.version));
        assert!(own.iter().all(|receipt| !receipt.refused.told.is_empty()));
    }
    let printed = contracts(&["--receipts", "--json"]).json();
    assert_eq!(printed["receipts"], serde_json::to_value(&kept).unwrap());
}
