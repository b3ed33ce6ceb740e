//! From where the newest version is known, and by which way.

use hookkit_tests::web::{Page, Proxy};

use crate::scene::{LIST, Scene};

/// GitHub's API answers sixty times an hour to all who share an address.
#[test]
fn hb_rel_10_the_newest_version_is_in_a_file_of_the_release_and_not_asked_of_the_api() {
    let scene = Scene::new();
    let signature = format!("{LIST}.minisig");
    let asked = |earlier: usize| scene.web.asked().split_off(earlier);

    let earlier = scene.web.asked().len();
    assert!(scene.update(["--check"]).run().exited(1));
    assert_eq!(asked(earlier), [LIST, &signature], "nothing but files");

    let proxy = Proxy::start();
    let check = scene.update(["--check"]).env("HTTP_PROXY", proxy.address());
    assert!(check.run().exited(1));
    let server = scene.web.at("").replace("http://", "CONNECT ");
    assert_eq!(proxy.asked(), [&*server, &*server]);

    // Who is refused once is not helped by asking more often.
    for (page, words) in [
        (Page::Status(403), "not so often (the server says 403)"),
        (Page::Status(429), "the server says 429"),
        (Page::Silent, "has sent nothing for 1 s"),
    ] {
        scene.web.put(LIST, page);
        let earlier = scene.web.asked().len();
        scene.refused(&scene.update(["--check"]), 2, &[words, "SHA256SUMS"]);
        assert_eq!(asked(earlier), [LIST], "asked once: {words}");
    }
    scene.offer(&scene.next);
    scene.works();
}
