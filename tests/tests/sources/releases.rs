//! `owner/repo[@tag]`, on a server that plays GitHub.

use fs_err as fs;
use hookkit_tests::process::Program;
use hookkit_tests::web::{Page, Web};
use serde_json::json;

use crate::{Author, Person, server};

/// Releases `tag` with these files, as the latest one too.
fn release(web: &Web, tag: &str, files: &[&str]) {
    let assets: Vec<_> = files
        .iter()
        .map(|file| json!({"name": file, "browser_download_url": web.at(&format!("/p/{file}"))}))
        .collect();
    described(
        web,
        tag,
        &json!({"tag_name": tag, "assets": assets}).to_string(),
    );
}

fn described(web: &Web, tag: &str, document: &str) {
    for which in ["latest".to_owned(), format!("tags/{tag}")] {
        let path = format!("/api/repos/owner/repo/releases/{which}");
        web.put(&path, Page::File(document.as_bytes().to_vec()));
    }
}

fn install(person: &Person, web: &Web, source: &str) -> Program {
    person
        .install()
        .arg(source)
        .env("HOOKKIT_RELEASE_URL", web.at("/api"))
}

#[test]
fn the_latest_release_is_installed_and_update_takes_the_next_one() {
    let (author, person) = (Author::new(), Person::new());
    author.publish("1.0.0");
    let web = server(&author);
    let files = ["notes.txt", "guard-1.0.0.zip", "guard-1.0.0.zip.minisig"];
    release(&web, "v1.0.0", &files);
    let ran = install(&person, &web, "owner/repo")
        .args(["--key", &author.key()])
        .run();
    assert!(ran.exited(0) && ran.out().contains("from owner/repo"));
    assert_eq!(person.receipt()["source"]["release"], "owner/repo");
    let update = || {
        person
            .hookkit(["update", "--yes", "guard"])
            .env("HOOKKIT_RELEASE_URL", web.at("/api"))
    };
    assert!(update().run().out().contains("Nothing to do"));

    author.publish("1.1.0");
    web.put_folder("/p", &author.out);
    release(
        &web,
        "guard-v1.1.0",
        &["guard-1.1.0.zip", "other-2.0.0.zip"],
    );
    assert!(update().run().exited(0));
    assert_eq!(person.version(), "1.1.0");

    // An older one that was made the latest is refused.
    release(&web, "v1.0.0", &files);
    person.refused(&update(), 3, &["1.1.0 is installed, and 1.0.0 is older"]);
    // And so is one that its tag calls newer than it is.
    release(&web, "v9.0.0", &files);
    let words = ["holds guard 1.0.0, and the release is called v9.0.0"];
    person.refused(&update(), 3, &words);
}

#[test]
fn a_tag_is_kept() {
    let (author, person) = (Author::new(), Person::new());
    author.publish("1.0.0");
    author.publish("2.0.0");
    let web = server(&author);
    release(&web, "v1.0.0", &["guard-1.0.0.zip"]);
    release(&web, "v2.0.0", &["guard-2.0.0.zip"]);
    let ran = install(&person, &web, "owner/repo@v1.0.0")
        .args(["--key", &author.key()])
        .run();
    assert!(ran.exited(0));
    let update = person
        .hookkit(["update", "--yes"])
        .env("HOOKKIT_RELEASE_URL", web.at("/api"));
    assert!(update.run().exited(0));
    assert_eq!(person.version(), "1.0.0");
    let missing = install(&person, &web, "owner/repo@v3.0.0");
    person.refused(&missing, 2, &["releases/tags/v3.0.0 is not there"]);
}

#[test]
fn a_release_without_one_package_is_refused() {
    let (author, person) = (Author::new(), Person::new());
    author.publish("1.0.0");
    let web = server(&author);
    let install = install(&person, &web, "owner/repo");
    person.refused(&install, 2, &["releases/latest is not there"]);
    release(&web, "v1", &["notes.txt"]);
    person.refused(
        &install,
        2,
        &["the release v1 of owner/repo has no package"],
    );
    release(&web, "v1", &["guard-1.0.0.zip", "other-1.0.0.zip"]);
    let words = [
        "several packages: guard-1.0.0.zip, other-1.0.0.zip",
        "Name the address of one",
    ];
    person.refused(&install, 3, &words);
    described(&web, "v1", "<html>");
    person.refused(&install, 2, &["does not describe a release as GitHub does"]);
    described(
        &web,
        "v1",
        &json!({"tag_name": "v1", "assets": [
            {"name": "guard-1.0.0.zip", "browser_download_url": "file:///etc/passwd"}
        ]})
        .to_string(),
    );
    person.refused(&install, 2, &["is no address of http or https"]);
    let words = ["HOOKKIT_RELEASE_URL is `here`, which is no address"];
    person.refused(&install.env("HOOKKIT_RELEASE_URL", "here"), 2, &words);
}

#[test]
fn a_release_that_leads_to_another_server_is_refused() {
    let (author, person) = (Author::new(), Person::new());
    author.publish("1.0.0");
    let (web, other) = (server(&author), server(&author));
    let file =
        json!({"name": "guard-1.0.0.zip", "browser_download_url": other.at("/p/guard-1.0.0.zip")});
    described(
        &web,
        "v1",
        &json!({"tag_name": "v1.0.0", "assets": [file]}).to_string(),
    );
    let install = install(&person, &web, "owner/repo");
    person.refused(&install, 3, &["which is another server", &other.at("")]);
    assert!(other.asked().is_empty());
}

#[test]
fn a_folder_of_that_name_is_the_persons_own() {
    let (author, person) = (Author::new(), Person::new());
    let web = server(&author);
    let folder = person.places.project().join("owner/repo");
    fs::create_dir_all(folder).unwrap();
    let install = install(&person, &web, "owner/repo");
    person.refused(&install, 2, &["owner/repo has no hookkit.json"]);
    assert!(web.asked().is_empty());
}
