//! `hookkit self update` for Windows, where no program that runs is replaced or removed.

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::web::{Page, Web};

use crate::itself::{Itself, NO_PATH};

const NEXT: &str = "0.2.0";
const OLDER: &str = "0.0.9";

/// Somebody with [`VERSION`], and the server that it came from, where [`NEXT`] is the newest.
struct Scene {
    itself: Itself,
    web: Web,
    next: Published,
}

impl Scene {
    fn new() -> Option<Self> {
        let (itself, next) = (Itself::with(&[VERSION])?, Published::for_windows(NEXT)?);
        let scene = Self {
            itself,
            web: Web::start(),
            next,
        };
        let base = scene.web.at("");
        let words = [&NO_PATH[..], &["--base-url", &base]].concat();
        scene.itself.set_up(VERSION, &words);
        scene.offer(&scene.next);
        Some(scene)
    }

    /// Makes a release the newest, and that of [`NEXT`].
    fn offer(&self, release: &Published) {
        for at in ["/latest/download", "/download/v0.2.0"] {
            self.web.put_folder(at, release.path());
        }
    }

    fn update(&self, words: &[&str]) -> Program {
        self.itself
            .in_use("hookkit.exe", &[&["self", "update"], words].concat())
    }

    fn refused(&self, words: &str) {
        let before = self.itself.everything();
        let ran = self.update(&[]).run();
        let said = ran.err().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(ran.exited(3) && said.contains(words), "{words}");
        assert_eq!(self.itself.everything(), before);
        assert_eq!(self.itself.on_path(), [VERSION, VERSION]);
    }
}

#[test]
fn both_programs_are_replaced_while_both_run() {
    let Some(scene) = Scene::new() else { return };
    let (itself, mut session) = (&scene.itself, scene.itself.session());
    let looked = scene.update(&["--check"]).run();
    assert!(looked.exited(1) && looked.out().contains(&format!("hookkit {NEXT} is there")));
    let updated = scene.update(&[]).run();
    assert!(updated.exited(0) && updated.out().contains(NEXT));
    assert_eq!(itself.on_path(), [NEXT, NEXT]);
    assert!(
        itself.version(VERSION).join("hookkit.exe").is_file(),
        "the one before stays"
    );
    let again = scene.update(&["--check"]).run();
    assert!(again.exited(0) && again.out().contains("is the newest"));
    assert!(session.is_there());
    assert_eq!(itself.aside(), ["hookkit-dispatch.old-0"], "it runs still");
    drop(session);
    assert!(scene.update(&["--check"]).run().exited(0));
    assert!(itself.aside().is_empty());
    itself.goes(&itself.uninstall("--yes"));
}

#[test]
fn what_is_not_vouched_for_changes_nothing() {
    let Some(scene) = Scene::new() else { return };
    let Some(older) = Published::for_windows(OLDER) else {
        return;
    };
    let signature = "/latest/download/SHA256SUMS.minisig";
    scene.web.take(signature);
    scene.refused("it is not signed");
    scene.offer(&older);
    scene.refused("which is older");

    scene.offer(&scene.next);
    let archive = scene.next.archive(NEXT);
    let mut bytes = fs::read(&archive).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let name = archive.file_name().unwrap().to_str().unwrap();
    let address = format!("/download/v{NEXT}/{name}");
    scene.web.put(&address, Page::File(bytes));
    scene.refused("the signed list says");

    scene.offer(&scene.next);
    assert!(scene.update(&[]).run().exited(0), "without a fault");
    assert_eq!(scene.itself.on_path(), [NEXT, NEXT]);
}
