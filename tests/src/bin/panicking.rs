//! A program that panics with the dispatcher's answer for panics in place.

use hookkit_dispatch::allocator::Allocator;
use hookkit_dispatch::emergency;
use hookkit_dispatch::reply::Reply;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator::new();

fn main() {
    emergency::answer_panics();
    if std::env::args().nth(1).as_deref() == Some("prepared") {
        emergency::prepare(|| Reply {
            stdout: b"{\"permissionDecision\":\"deny\"}\n".to_vec(),
            ..Reply::default()
        });
    }
    panic!("on purpose");
}
