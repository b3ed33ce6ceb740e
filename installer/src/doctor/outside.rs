//! What others say: the sessions that run, and the hosts themselves.

use super::codes::outside::{DIFFERS, HOST_ERROR};
use super::codes::roots::{LIVE_GONE, LIVE_OLD};
use super::finding::Finding;
use crate::install::Found;
use crate::survey::{self, About, Loss, Places, Survey};

/// Sessions that hold what is gone or replaced.
pub(super) fn sessions(survey: &Survey, found: &[Found], findings: &mut Vec<Finding>) {
    for session in survey::sessions(survey, found).unwrap_or_default() {
        for held in session.holds {
            let (code, verb) = match held.loss {
                Loss::Gone => (&LIVE_GONE, "has gone away"),
                Loss::Replaced => (&LIVE_OLD, "was replaced"),
            };
            let process = session.process;
            let path = held.path.display();
            let what = format!("process {process} holds {path}, which {verb} since it started");
            let mut finding = Finding::new(code, what).of(session.host);
            if held.loss == Loss::Gone {
                finding = finding.fixed_by(format!(
                    "end process {process} and start a new session; installing again does not help it"
                ));
            }
            findings.push(match held.told {
                Some((file, line)) => finding.at(&file, Some(line)),
                None => finding,
            });
        }
    }
}

/// What the hosts say themselves, started for it.
pub(super) fn hosts(
    survey: &Survey,
    places: &Places,
    found: &[Found],
    findings: &mut Vec<Finding>,
) {
    for said in survey::ask_hosts(survey, places, found) {
        let code = match said.about {
            About::Error => &HOST_ERROR,
            About::Difference | About::Silence => &DIFFERS,
        };
        let finding = Finding::new(code, said.what).of(said.host);
        findings.push(match said.file {
            Some(file) => finding.at(&file, None),
            None => finding,
        });
    }
}
