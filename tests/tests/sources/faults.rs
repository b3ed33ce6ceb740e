//! Servers with faults: what a person is told, and that nothing is written.

use std::time::Duration;

use fs_err as fs;
use hookkit_tests::web::{Page, Web};

use crate::{Author, Person, changed, server};

const PACKAGE: &str = "/p/guard-1.0.0.zip";

/// An author with one package, a server that has it, and somebody with the version before.
struct Scene {
    author: Author,
    web: Web,
    person: Person<'static>,
    bytes: Vec<u8>,
}

impl Scene {
    fn new() -> Self {
        let (author, person) = (Author::new(), Person::new());
        person.installs(author.publish("0.9.0"), &author);
        let package = author.publish("1.0.0");
        Self {
            web: server(&author),
            person,
            bytes: fs::read(package).unwrap(),
            author,
        }
    }

    /// The package is such a page, and that is refused so. Afterwards the version before still is
    /// what it was, and the package is installed where the server has no fault.
    fn refused(&self, page: Page, code: i32, words: &[&str]) {
        self.web.put(PACKAGE, page);
        let install = self
            .person
            .install()
            .arg(self.web.at(PACKAGE))
            .env("HOOKKIT_HTTP_TIMEOUT", "1");
        let server = self.web.at("");
        let all = [&[&*server], words].concat();
        self.person.refused(&install, code, &all);
        assert_eq!(self.person.version(), "0.9.0");
    }

    fn installs(&self) {
        self.web.put(PACKAGE, Page::File(self.bytes.clone()));
        let ran = self.person.install().arg(self.web.at(PACKAGE)).run();
        assert!(ran.exited(0), "without a fault it is installed");
        assert_eq!(self.person.version(), "1.0.0");
        let address = self.web.at(PACKAGE);
        assert_eq!(self.person.receipt()["source"]["address"], address);
        assert_eq!(self.person.receipt()["key"], self.author.key());
    }
}

#[test]
fn a_package_that_does_not_come_whole() {
    let scene = Scene::new();
    let (bytes, half) = (scene.bytes.clone(), scene.bytes.len() / 2);
    let cut = format!("ended after {half} bytes");
    scene.refused(Page::Cut(bytes.clone(), half), 2, &[&cut, "try again"]);
    scene.refused(Page::Cut(bytes.clone(), 0), 2, &["ended after 0 bytes"]);
    let more = bytes.len() + 10;
    let cut = format!("ended after {} bytes", bytes.len());
    scene.refused(Page::Length(bytes.clone(), more), 2, &[&cut]);
    let words = ["cut or changed on its way", "Get it again"];
    scene.refused(Page::Length(bytes, half), 3, &words);
    scene.installs();
}

#[test]
fn a_package_that_is_not_what_was_signed() {
    let scene = Scene::new();
    let package = scene.author.out.join("guard-1.0.0.zip");
    let tampered = Page::File(changed(&package));
    scene.refused(tampered.clone(), 3, &["cut or changed on its way"]);
    // Whoever changes the package can change its sum too, but not the signature.
    scene.web.take("/p/guard-1.0.0.zip.sha256");
    scene.refused(tampered, 3, &["the file, or the signature, was changed"]);
    scene.web.put(
        "/p/guard-1.0.0.zip.sha256",
        Page::File(b"0000  guard-1.0.0.zip\n".to_vec()),
    );
    let whole = Page::File(scene.bytes.clone());
    scene.refused(whole, 3, &["cut or changed on its way", "says 0000"]);
    scene.web.take("/p/guard-1.0.0.zip.sha256");
    scene.installs();
}

#[test]
fn a_server_that_has_no_package() {
    let scene = Scene::new();
    for (status, words) in [
        (404, &["is not there", "look at the address"][..]),
        (403, &["is not given to everybody"]),
        (500, &["the server says 500", "Try again later"]),
        (503, &["the server says 503"]),
    ] {
        scene.refused(Page::Status(status), 2, words);
    }
    scene.installs();
    // A fault where the signature should be is not taken for a package without one.
    let scene = Scene::new();
    scene
        .web
        .put("/p/guard-1.0.0.zip.minisig", Page::Status(500));
    scene.refused(
        Page::File(scene.bytes.clone()),
        2,
        &["minisig", "the server says 500"],
    );
}

#[test]
fn a_server_that_leads_elsewhere() {
    let scene = Scene::new();
    let other = server(&scene.author);
    let elsewhere = other.at(PACKAGE);
    let words = [other.at(""), "which is another server".to_owned()];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    scene.refused(Page::Redirect(elsewhere), 3, &words);
    assert!(other.asked().is_empty(), "nobody asked the other server");
    let circle = Page::Redirect(PACKAGE.to_owned());
    scene.refused(circle, 2, &["more than 5 times"]);
    scene.refused(
        Page::Redirect("file:///etc/passwd".to_owned()),
        3,
        &["another server"],
    );
    scene.refused(Page::Status(302), 2, &["leads nowhere"]);

    // On one server it may lead on.
    scene.web.put("/new/place", Page::File(scene.bytes.clone()));
    scene
        .web
        .put(PACKAGE, Page::Redirect("/new/place".to_owned()));
    let ran = scene.person.install().arg(scene.web.at(PACKAGE)).run();
    assert!(ran.exited(0));
    assert_eq!(scene.person.version(), "1.0.0");
}

#[test]
fn a_server_that_takes_its_time() {
    let scene = Scene::new();
    let bytes = scene.bytes.clone();
    let words = ["nothing for 1 s", "HOOKKIT_HTTP_TIMEOUT"];
    scene.refused(Page::Silent, 2, &words);
    scene.refused(Page::Stalled(bytes[..1000].to_vec()), 2, &words);
    let pause = Duration::from_millis(200);
    let drops = Page::Slow(bytes.clone(), 10, pause);
    scene.refused(drops, 2, &["too slowly", "HOOKKIT_HTTP_TIMEOUT"]);
    // Slow, but within the limits.
    let pieces = bytes.len() / 8;
    scene.web.put(PACKAGE, Page::Slow(bytes, pieces, pause));
    let install = scene.person.install().arg(scene.web.at(PACKAGE));
    assert!(install.env("HOOKKIT_HTTP_TIMEOUT", "1").run().exited(0));
}

#[test]
fn a_server_that_sends_too_much() {
    let scene = Scene::new();
    let words = ["has more than 268435456 bytes", "too much"];
    scene.refused(Page::Huge(1 << 40), 2, &words);
    scene.web.put("/p/guard-1.0.0.zip.minisig", Page::Endless);
    let whole = Page::File(scene.bytes.clone());
    scene.refused(whole, 2, &["minisig", "has more than 16384 bytes"]);
}

#[test]
fn a_server_that_is_not_there() {
    let scene = Scene::new();
    let address = Web::start().at(PACKAGE);
    let install = scene.person.install().arg(&address);
    scene
        .person
        .refused(&install, 2, &[&address, "cannot be reached", "refused"]);
    let nowhere = "https://nowhere.invalid/guard-1.0.0.zip";
    let install = scene.person.install().arg(nowhere);
    scene
        .person
        .refused(&install, 2, &["nowhere.invalid", "cannot be reached"]);
}

#[test]
fn a_bad_source_of_one_plugin_does_not_keep_the_others_from_being_updated_as_a_document() {
    let scene = Scene::new();
    scene.installs();
    scene
        .web
        .put("/p/guard-1.0.0.zip.minisig", Page::Status(500));
    let ran = scene.person.hookkit(["update", "--yes", "--json"]).run();
    assert!(ran.exited(2));
    let plugins = &ran.json()["plugins"];
    assert_eq!(plugins[0]["plugin"], "guard");
    assert!(
        plugins[0]["refused"]
            .as_str()
            .unwrap()
            .contains("the server says 500")
    );
}
