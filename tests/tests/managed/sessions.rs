//! The real clients read the files in the places of the system: among mounts of its own, so that the
//! machine's places are not touched, by somebody who is not root and wants no hooks.

use fs_err as fs;
use hookkit_tests::client::{Client, Seen, Session};
use hookkit_tests::process::Program;
use hookkit_tests::{Turn, program};

use crate::Rollout;

/// /etc with the rollout's part over it, /opt with the rollout's alone; then the rest as a user who
/// owns the session's folders and nothing else.
const AMONG_OWN_MOUNTS: &str = "rollout=$1 session=$2
shift 2
mount -t overlay overlay -o \"lowerdir=$rollout/etc:/etc\" /etc
mount --bind \"$rollout/opt\" /opt
chown -hR 65534:65534 \"$session\"
exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"";

macro_rules! each_client {
    ($($module:ident: $client:ident),*) => {
        $(mod $module {
            #[test]
            fn somebody_without_hooks_is_refused_all_the_same() {
                super::is_enforced(hookkit_tests::client_or_skip!($client));
            }
        })*
    };
}
each_client!(claude_code: claude, copilot_cli: copilot, codex: codex);

/// A session among these mounts, of somebody who has switched all hooks off. None, loudly, where
/// nothing can be mounted or nobody else be played.
fn session<'c>(client: &'c dyn Client, rollout: &Rollout) -> Option<Session<'c>> {
    let off = "{\"disableAllHooks\": true}\n";
    let session = client
        .session()
        .file(".claude/settings.json", off)
        .file(".claude/settings.local.json", off)
        .keep_settings();
    let places = session.places();
    if client.host() != "codex" {
        fs::write(places.config().join("settings.json"), off).unwrap();
    }
    let (from, own) = (rollout.root(), places.root().to_owned());
    let words = [
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-ec",
        AMONG_OWN_MOUNTS,
        "sh",
        from.to_str().unwrap(),
        own.to_str().unwrap(),
    ];
    let [first, rest @ ..] = words;
    let client_file = client.program(places).file().to_owned();
    let tried = Program::new(first)
        .args(rest)
        .args(["test", "-x"])
        .arg(client_file)
        .run();
    let why = "root can mount what somebody else then reads";
    program::can(tried.exited(0), why).then(|| session.under(words))
}

fn refused_and_allowed(client: &dyn Client, session: Session<'_>) -> Seen {
    session
        .turns([
            client.shell("touch DENYME"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run()
}

fn is_enforced(client: &dyn Client) {
    let Some(rollout) = Rollout::new() else {
        return;
    };
    // What an administrator does by hand.
    let codex = rollout.join("etc/codex");
    fs::create_dir(&codex).unwrap();
    let fragment = rollout.join("opt/hookkit/gatekeeper/codex-requirements.toml");
    fs::copy(&fragment, codex.join("requirements.toml")).unwrap();
    let Some(managed) = session(client, &rollout) else {
        return;
    };
    let seen = refused_and_allowed(client, managed);
    assert!(
        !seen.made("DENYME") && seen.made("allowed"),
        "{}",
        seen.log()
    );
    assert!(seen.model.results()[0].contains("the company says no"));

    // The control: the same machine without the files that tell the client.
    for told in ["claude-code", "github-copilot", "codex"] {
        fs::remove_dir_all(rollout.join("etc").join(told)).unwrap();
    }
    let unmanaged = session(client, &rollout).expect("as before");
    assert!(refused_and_allowed(client, unmanaged).made("DENYME"));
}
