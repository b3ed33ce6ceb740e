//! What the environment says of the network: authorities, proxies, and to stay away from it.

use std::time::Duration;

use hookkit_tests::folder::Folder;
use hookkit_tests::program;
use hookkit_tests::web::{Authority, Page, Proxy, Web};

use crate::{Author, Person, server};

const PACKAGE: &str = "/p/guard-1.0.0.zip";

fn published() -> (Author, Person<'static>) {
    let author = Author::new();
    author.publish("1.0.0");
    (author, Person::new())
}

#[test]
fn https_is_believed_where_the_system_trusts_who_signed_for_it() {
    let (author, person) = published();
    let (authority, folder) = (Authority::new(), Folder::new("authority"));
    let web = Web::start_encrypted(&authority);
    web.put_folder("/p", &author.out);
    let address = web.at(PACKAGE);
    assert!(address.starts_with("https://"));
    let install = person
        .install()
        .arg(&address)
        .args(["--key", &author.key()]);
    let words = [&*address, "cannot be trusted", "SSL_CERT_FILE"];
    person.refused(&install, 3, &words);
    let stranger = Authority::new().write(&folder);
    person.refused(&install.clone().env("SSL_CERT_FILE", stranger), 3, &words);
    assert!(web.asked().is_empty(), "nothing was asked of it");
    let file = authority.write(&folder);
    let ran = install.env("SSL_CERT_FILE", file).run();
    assert!(ran.exited(0));
    assert_eq!(person.version(), "1.0.0");
}

#[test]
fn proxies_are_asked_where_the_environment_names_them() {
    let (author, person) = published();
    let web = server(&author);
    let install = || {
        person
            .install()
            .arg(web.at(PACKAGE))
            .args(["--key", &author.key()])
    };
    let proxy = Proxy::start();
    let ran = install().env("http_proxy", proxy.address()).run();
    assert!(ran.exited(0));
    let place = web.at("").replace("http://", "CONNECT ");
    let asked = proxy.asked();
    assert!(
        !asked.is_empty() && asked.iter().all(|line| *line == place),
        "{asked:?}"
    );

    // For https only, or not for this host: nobody asks it.
    let proxy = Proxy::start();
    let ran = install().env("HTTPS_PROXY", proxy.address()).run();
    assert!(ran.exited(0));
    let ran = install()
        .env("HTTP_PROXY", proxy.address())
        .env("NO_PROXY", "example.org,127.0.0.1")
        .run();
    assert!(ran.exited(0));
    assert!(proxy.asked().is_empty());

    let gone = Proxy::start().address();
    let words = ["cannot be reached"];
    person.refused(&install().env("HTTP_PROXY", gone), 2, &words);
    let words = ["HTTP_PROXY has no valid address"];
    person.refused(&install().env("HTTP_PROXY", "a b"), 2, &words);
}

#[test]
fn an_encrypted_connection_goes_through_a_proxy_as_it_is() {
    let (author, person) = published();
    let (authority, folder) = (Authority::new(), Folder::new("authority"));
    let web = Web::start_encrypted(&authority);
    web.put_folder("/p", &author.out);
    let proxy = Proxy::start();
    let ran = person
        .install()
        .arg(web.at(PACKAGE))
        .args(["--key", &author.key()])
        .env("SSL_CERT_FILE", authority.write(&folder))
        .env("HTTPS_PROXY", proxy.address())
        .run();
    assert!(ran.exited(0));
    assert!(!proxy.asked().is_empty());
}

#[test]
fn offline_nobody_is_asked() {
    let (author, person) = published();
    let web = server(&author);
    let install = person.install().arg("--offline");
    for source in [web.at(PACKAGE), "owner/repo".to_owned()] {
        let install = install.clone().arg(&source);
        person.refused(&install, 3, &[&source, "--offline"]);
    }
    assert!(web.asked().is_empty());
    let file = author.out.join("guard-1.0.0.zip");
    let ran = install.arg(file).args(["--key", &author.key()]).run();
    assert!(ran.exited(0), "what is on the disk needs no network");
}

#[test]
fn addresses_that_hide_something_are_not_taken() {
    let (_, person) = published();
    for (address, words) in [
        (
            "https://me:secret@127.0.0.1/a.zip",
            &["holds a name or a password"][..],
        ),
        ("https://127.0.0.1/a.zip?token=secret", &["has a `?` part"]),
        ("ftp://127.0.0.1/a.zip", &["is no address of http or https"]),
    ] {
        let ran = person.refused(&person.install().arg(address), 2, words);
        assert!(!address.contains('@') || !ran.err().contains("secret"));
    }
    let install = person.install().arg("http://127.0.0.1/a.zip");
    let words = ["HOOKKIT_HTTP_TIMEOUT", "number of seconds"];
    person.refused(&install.env("HOOKKIT_HTTP_TIMEOUT", "soon"), 2, &words);
}

#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    if !program::needs(&["script"]) {
        return;
    }
    let (author, person) = published();
    let web = server(&author);
    let bytes = fs_err::read(author.out.join("guard-1.0.0.zip")).unwrap();
    let piece = bytes.len() / 10;
    web.put(
        PACKAGE,
        Page::Slow(bytes, piece, Duration::from_millis(200)),
    );
    let address = web.at(PACKAGE);
    let install = person
        .install()
        .arg(&address)
        .args(["--key", &author.key()]);
    let ran = install.run();
    assert!(ran.exited(0) && !ran.err().contains('\u{1b}') && ran.err().is_empty());
    for (more, is_shown) in [("", true), (" --quiet", false)] {
        let again = person.hookkit(["uninstall", "--yes", "guard"]).run();
        assert!(again.exited(0));
        let line = format!("{install}{more}");
        let ran = person.at_terminal(&line).run();
        assert!(ran.exited(0));
        assert_eq!(ran.out().contains("guard-1.0.0.zip ["), is_shown, "{more}");
    }
}
