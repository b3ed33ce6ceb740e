//! Somebody who has hookkit, and a server with a newer one.

use std::collections::BTreeMap;

use hookkit_tests::process::Program;
use hookkit_tests::published::{Published, VERSION};
use hookkit_tests::web::{Page, Web};

use crate::home::Home;
use crate::served::served;

pub(crate) const NEXT: &str = "0.2.0";
/// Where the newest release is named.
pub(crate) const LIST: &str = "/latest/download/SHA256SUMS";

/// Somebody with [`VERSION`], and the server that it came from, where [`NEXT`] is the newest.
pub(crate) struct Scene {
    pub(crate) home: Home,
    pub(crate) web: Web,
    pub(crate) next: Published,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let (home, now, next) = (Home::new(), Published::of(VERSION), Published::of(NEXT));
        let web = served(&now, VERSION);
        let installed = home
            .shell(&["dash"], &now.file("install.sh"))
            .env("HOOKKIT_BASE_URL", web.at(""))
            .run();
        assert!(installed.exited(0));
        let scene = Self { home, web, next };
        scene.offer(&scene.next);
        scene
    }

    /// Makes a release the newest, and that of [`NEXT`].
    pub(crate) fn offer(&self, release: &Published) {
        self.offer_as(NEXT, release);
    }

    /// Makes a release the newest, and that of a version.
    pub(crate) fn offer_as(&self, version: &str, release: &Published) {
        self.web.put_folder("/latest/download", release.path());
        self.web
            .put_folder(&format!("/download/v{version}"), release.path());
    }

    pub(crate) fn update<const N: usize>(&self, words: [&str; N]) -> Program {
        self.home
            .hookkit(["self", "update"])
            .args(words)
            .env("HOOKKIT_HTTP_TIMEOUT", "1")
    }

    /// Everything but the lock, which is held in turn.
    pub(crate) fn everything(&self) -> BTreeMap<String, String> {
        let mut all = self.home.everything();
        all.retain(|name, _| !name.ends_with("edit.lock"));
        all
    }

    /// Refused in these words; afterwards the version before works, and nothing else is there.
    pub(crate) fn refused(&self, update: &Program, code: i32, words: &[&str]) {
        let before = self.everything();
        let ran = update.run();
        assert!(ran.exited(code), "exit code {code}");
        let said = ran.err().split_whitespace().collect::<Vec<_>>().join(" ");
        for words in words {
            assert!(said.contains(words), "`{words}` is said");
        }
        assert_eq!(self.everything(), before);
        assert_eq!(self.home.version(), format!("hookkit {VERSION}"));
    }

    /// The archive of the newest release is such a page.
    pub(crate) fn archive_is(&self, page: Page) {
        self.web.put(&self.archive(), page);
    }

    pub(crate) fn archive(&self) -> String {
        let file = self.next.archive(NEXT);
        let name = file.file_name().unwrap().to_str().unwrap();
        format!("/download/v{NEXT}/{name}")
    }

    pub(crate) fn works(&self) {
        let ran = self.update([]).run();
        assert!(ran.exited(0), "without a fault it is brought");
        assert_eq!(self.home.version(), format!("hookkit {NEXT}"));
    }
}
