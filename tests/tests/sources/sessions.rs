//! A real client under a plugin that came from a server, and from the next version of it.

use hookkit_tests::Turn;
use hookkit_tests::client_or_skip;

use crate::{Author, Person, server};

#[test]
fn what_came_from_a_server_is_enforced() {
    let client = client_or_skip!(claude);
    let (author, session) = (Author::new(), client.session().keep_settings());
    author.publish("1.0.0");
    let web = server(&author);
    let person = Person::at(session.places());
    person.installs(web.at("/p/guard-1.0.0.zip"), &author);
    let seen = session
        .turns([
            client.shell("touch forbidden"),
            client.shell("touch allowed"),
            Turn::text("done"),
        ])
        .run();
    assert!(seen.ran.exited(0));
    assert!(seen.model.results()[0].contains("no by 1.0.0"));
    assert!(!seen.made("forbidden") && seen.made("allowed"));
}
