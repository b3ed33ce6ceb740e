//! Manifests of plugins that hide each other, or name what is read anyway.

use super::codes::files as code;
use super::finding::Finding;
use crate::edit::Outline;
use crate::edit::outline::Node;
use crate::survey::{Standing, Survey};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where Copilot CLI 1.0.102 looks, in this order.
const PLACES: [&str; 4] = [
    ".plugin/plugin.json",
    "plugin.json",
    ".github/plugin/plugin.json",
    ".claude-plugin/plugin.json",
];

pub(super) fn judge(survey: &Survey, findings: &mut Vec<Finding>) {
    let loaded = survey
        .plugins
        .iter()
        .filter(|plugin| plugin.standing == Standing::Loaded);
    let roots: BTreeSet<&PathBuf> = loaded.filter_map(|plugin| plugin.root.as_ref()).collect();
    for root in roots {
        shadowed(root, findings);
        named(root, findings);
    }
}

fn read(file: &Path) -> Option<Node> {
    let bytes = fs_err::read(file).ok()?;
    Outline::json(&bytes).root().cloned()
}

/// A manifest of every host at the root, before those of one host.
fn shadowed(root: &Path, findings: &mut Vec<Finding>) {
    let hooks = |manifest: &Node| manifest.get("hooks").map(Node::json);
    let there: Vec<(PathBuf, Node)> = PLACES
        .iter()
        .map(|place| root.join(place))
        .filter_map(|file| read(&file).map(|manifest| (file, manifest)))
        .collect();
    let [(first, manifest), rest @ ..] = &there[..] else {
        return;
    };
    let is_general = PLACES[..2].iter().any(|place| *first == root.join(place));
    if !is_general {
        return;
    }
    if let Some((other, _)) = rest
        .iter()
        .find(|(_, other)| hooks(other) != hooks(manifest))
    {
        let what = format!(
            "is read in place of {}, whose `hooks` differ",
            other.display()
        );
        findings.push(
            Finding::new(&code::MANIFEST_SHADOWED, what)
                .of("copilot-cli")
                .at(first, None),
        );
    }
}

/// The file that Claude Code reads by itself.
fn named(root: &Path, findings: &mut Vec<Finding>) {
    let file = root.join(PLACES[3]);
    let Some(manifest) = read(&file) else {
        return;
    };
    let hooks = manifest
        .members()
        .iter()
        .find(|member| &*member.key == "hooks");
    let names_it = hooks.filter(|member| {
        let path = member.node.text().unwrap_or_default();
        path.trim_start_matches("./") == "hooks/hooks.json"
    });
    if let Some(member) = names_it {
        let what = "names hooks/hooks.json, which is read anyway";
        findings.push(
            Finding::new(&code::LOADED_TWICE, what)
                .of("claude-code")
                .at(&file, Some(member.line)),
        );
    }
}
