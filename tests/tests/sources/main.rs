//! Where plugins come from: packages on the disk, on servers with faults, and in releases.
//!
//! Each refusal is held against what was there before: not one byte may differ.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that cannot be made fails the test"
)]

mod faults;
mod network;
mod releases;
mod sessions;
mod trust;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use fs_err as fs;
use hookkit_tests::client::Places;
use hookkit_tests::folder::{Folder, snapshot};
use hookkit_tests::process::Program;
use hookkit_tests::web::{Page, Web};
use hookkit_tests::{Plugin, Ran, program};
use serde_json::{Value, json};

/// Somebody who publishes packages.
struct Author {
    keys: Folder,
    out: Folder,
}

impl Author {
    fn new() -> Self {
        let keys = Folder::new("keys");
        let made = Program::new(program::hookkit())
            .arg("keygen")
            .env("HOME", &*keys)
            .cwd(&*keys)
            .run();
        assert!(made.exited(0));
        Self {
            keys,
            out: Folder::new("published"),
        }
    }

    fn key_file(&self) -> PathBuf {
        self.keys.join("minisign.pub")
    }

    /// The public key as it is published.
    fn key(&self) -> String {
        let text = fs::read_to_string(self.key_file()).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    }

    /// Packs a version of `guard`, signed.
    fn publish(&self, version: &str) -> PathBuf {
        let key = self.keys.join("minisign.key");
        self.pack("guard", version, &["--sign-key", key.to_str().unwrap()])
    }

    /// The same, and nobody signs it.
    fn publish_unsigned(&self, version: &str) -> PathBuf {
        let package = self.pack("guard", version, &[]);
        assert!(!package.with_extension("zip.minisig").exists());
        package
    }

    fn pack(&self, name: &str, version: &str, more: &[&str]) -> PathBuf {
        let plugin = Plugin::new(name).with("version", json!(version)).sh(
            json!({"id": "no", "event": "PreToolUse", "matcher": "Bash"}),
            &format!("case $(cat) in *forbidden*) echo 'no by {version}' >&2; exit 2 ;; esac\n"),
        );
        let packed = Program::new(program::hookkit())
            .args(["package", "--out"])
            .arg(&*self.out)
            .arg("--dispatcher")
            .arg(program::dispatcher())
            .args(more)
            .arg(plugin.path())
            .env("HOME", &*self.keys)
            .cwd(&*self.keys)
            .run();
        assert!(packed.exited(0));
        self.out.join(format!("{name}-{version}.zip"))
    }
}

/// Somebody who installs them.
struct Person<'p> {
    places: Folders<'p>,
    temp: PathBuf,
}

/// The folders of a person, or those of a session.
enum Folders<'p> {
    Own(Places),
    Of(&'p Places),
}

impl Deref for Folders<'_> {
    type Target = Places;

    fn deref(&self) -> &Places {
        match self {
            Self::Own(places) => places,
            Self::Of(places) => places,
        }
    }
}

impl<'p> Person<'p> {
    fn new() -> Self {
        Self::with(Folders::Own(Places::new()))
    }

    /// Somebody who is about to start this session.
    fn at(places: &'p Places) -> Self {
        Self::with(Folders::Of(places))
    }

    fn with(places: Folders<'p>) -> Self {
        let temp = places.root().join("temp");
        fs::create_dir(&temp).unwrap();
        Self { places, temp }
    }

    fn hookkit<const N: usize>(&self, words: [&str; N]) -> Program {
        self.program(self.hookkit_file()).args(words)
    }

    /// A line of the shell, at a terminal.
    fn at_terminal(&self, line: &str) -> Program {
        self.program("script")
            .args(["-qec", line, "/dev/null"])
            .env("TERM", "xterm")
    }

    fn hookkit_file(&self) -> PathBuf {
        program::hookkit_beside_dispatcher(&self.places.root().join("run"))
    }

    fn program(&self, file: impl Into<PathBuf>) -> Program {
        let mut program = self
            .places
            .program(file)
            .env("CLAUDE_CONFIG_DIR", self.places.config())
            .env("TMPDIR", &self.temp);
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            program = program
                .env_remove(proxy)
                .env_remove(proxy.to_ascii_lowercase());
        }
        program.env_remove("NO_PROXY").env_remove("no_proxy")
    }

    /// `hookkit install --yes`, of what is added.
    fn install(&self) -> Program {
        self.hookkit(["install", "--yes", "--host", "claude-code"])
    }

    /// Installs a package by the key of its author.
    fn installs(&self, source: impl AsRef<Path>, author: &Author) {
        let ran = self
            .install()
            .arg(source.as_ref())
            .arg("--key")
            .arg(author.key_file())
            .run();
        assert!(ran.exited(0));
    }

    fn receipt(&self) -> Value {
        let file = self.places.root().join("data/hookkit/receipts/guard");
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    }

    fn version(&self) -> String {
        self.receipt()["release"].as_str().unwrap().to_owned()
    }

    /// Everything that somebody could lose, and what must not be left over.
    fn snapshot(&self) -> BTreeMap<String, String> {
        let folders = ["home", "config", "data", "project", "temp"];
        snapshot(self.places.root(), &folders)
    }

    /// Runs what must be refused with this exit code and all of these words, and must write nothing.
    fn refused(&self, program: &Program, code: i32, words: &[&str]) -> Ran {
        let before = self.snapshot();
        let ran = program.run();
        assert!(ran.exited(code), "exit code {code}");
        let said = ran.err().split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(said.contains(word), "`{word}` is said");
        }
        let after = self.snapshot();
        for (name, content) in &after {
            assert_eq!(before.get(name), Some(content), "{name} was written");
        }
        assert_eq!(before.len(), after.len(), "something is gone");
        ran
    }
}

/// A server with everything that an author has published below `/p`.
fn server(author: &Author) -> Web {
    let web = Web::start();
    web.put_folder("/p", &author.out);
    web
}

/// The bytes of a package, one of which is another one.
fn changed(package: &Path) -> Vec<u8> {
    let mut bytes = fs::read(package).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bytes
}

/// A file that comes as it should.
fn page(file: &Path) -> Page {
    Page::File(fs::read(file).unwrap())
}
