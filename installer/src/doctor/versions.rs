//! Versions of hosts with known faults.

use super::codes::sources as code;
use super::finding::Finding;
use crate::install::{self, Found};
use std::cmp::Ordering;

struct Known {
    host: &'static str,
    /// The first version without the fault.
    until: &'static str,
    what: &'static str,
    source: &'static str,
}

/// Ends of ranges alone: nobody looked for the version that brought a fault in.
const KNOWN: [Known; 6] = [
    Known {
        host: "claude-code",
        until: "2.1.139",
        what: "drops `args`, so programs start without their words",
        source: "anthropics/claude-code#90495 and #77160",
    },
    Known {
        host: "claude-code",
        until: "2.1.214",
        what: "lets a call run when a hook exits with 2 and prints JSON that is not valid",
        source: "its changelog",
    },
    Known {
        host: "claude-code",
        until: "2.1.295",
        what: "ignores `onFailure`, so a gate that cannot start lets calls run",
        source: "seen on 2.1.197; the declarations of its SDK",
    },
    Known {
        host: "copilot-cli",
        until: "1.0.57",
        what: "lets a call run when a hook fails",
        source: "its changelog",
    },
    Known {
        host: "copilot-cli",
        until: "1.0.67",
        what: "denies a call when a hook takes too long",
        source: "its changelog",
    },
    Known {
        host: "copilot-cli",
        until: "1.0.70",
        what: "does not take exit 2 for a refusal",
        source: "its changelog",
    },
];

pub(super) fn judge(hosts: &[Found], findings: &mut Vec<Finding>) {
    for found in hosts {
        let Some(version) = &found.version else {
            continue;
        };
        let is_older = |known: &&Known| {
            known.host == found.name()
                && install::compare(version, known.until) == Some(Ordering::Less)
        };
        for known in KNOWN.iter().filter(is_older) {
            let what = format!("{version} {} ({})", known.what, known.source);
            findings.push(
                Finding::new(&code::HOST_FAULT, what)
                    .of(found.name())
                    .fixed_by(format!("update it to {} or newer", known.until)),
            );
        }
    }
}
