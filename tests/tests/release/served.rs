//! A server with a release on it.

use hookkit_tests::process::Program;
use hookkit_tests::published::Published;
use hookkit_tests::web::Web;

use crate::home::Home;

/// A server with one release on it, which is also the latest.
pub(crate) fn served(published: &Published, version: &str) -> Web {
    let web = Web::start();
    web.put_folder(&format!("/download/v{version}"), published.path());
    web.put_folder("/latest/download", published.path());
    web
}

/// The one line, as it is typed: the script comes from a server and goes into a shell.
pub(crate) fn one_line(home: &Home, shell: &[&str], web: &Web) -> Program {
    let line = format!(
        "curl -fsSL '{}' | {}",
        web.at("/latest/download/install.sh"),
        shell.join(" ")
    );
    home.program("sh")
        .args(["-c", &line])
        .env("HOOKKIT_BASE_URL", web.at(""))
}
