//! Each interpreter that manifests name portably, started in a repository with a hostile file of its kind.
//!
//! Every test has its control: the same files do run when the interpreter is started without hookkit, or on a script
//! that lies in the repository. An interpreter that is not on this machine is skipped, loudly.
#![cfg(target_os = "linux")]

use std::io::Write;

use hookkit_tests::{Hostile, program};
use serde_json::json;

const SH: &str = ": >\"$MARK\"";
const PYTHON: &str = "import os; open(os.environ['MARK'], 'w')\n";
const NODE: &str = "require('fs').writeFileSync(process.env.MARK, '')\n";

/// Is the interpreter there? These four are everywhere where the tests must run; the others may be absent.
fn is_here(name: &str) -> bool {
    if matches!(name, "python3" | "node" | "bash" | "sh") {
        return program::needs(&[name]);
    }
    let is_here = program::found(name).is_some();
    if !is_here {
        // Past the test runner, which hides what a passing test prints.
        let _ = writeln!(std::io::stderr(), "SKIPPED {name}: not on this machine");
    }
    is_here
}

#[test]
fn python() {
    if !is_here("python3") {
        return;
    }
    let hostile = |run, script| {
        Hostile::new(run, script)
            .file("json.py", PYTHON)
            .file("helper.py", PYTHON)
            .file("this.py", PYTHON)
            .file("sitecustomize.py", PYTHON)
            .file("usercustomize.py", PYTHON)
            .file("pyvenv.cfg", "home = PROJECT\n")
            .file("hook", PYTHON)
    };
    hostile(
        json!(["python", "./hook"]),
        "import json\ntry:\n    import helper\nexcept ImportError:\n    pass\n",
    )
    .control(json!(["python", "PROJECT/hook"]))
    .assert_kept_out(&[]);
    // A text or a module has the working directory on the search path, wherever its option stands.
    for run in [
        json!(["python", "-c", "import json"]),
        json!(["python", "-u", "-c", "import json"]),
        json!(["python", "-uc", "import json"]),
        json!(["python", "-X", "utf8", "-m", "this"]),
    ] {
        hostile(run, "").assert_kept_out(&[]);
    }
}

#[test]
fn node() {
    if !is_here("node") {
        return;
    }
    let script = "try { require('helper') } catch {}\ntry { require('#helper') } catch {}\n";
    Hostile::new(json!(["node", "./hook"]), script)
        .file(
            "package.json",
            r##"{"name": "x", "imports": {"#helper": "./evil.js"}}"##,
        )
        .file("evil.js", NODE)
        .file("node_modules/helper/index.js", NODE)
        .file(".env", "NODE_OPTIONS=--require=PROJECT/evil.js\n")
        .file("hook", script)
        .control(json!(["node", "PROJECT/hook"]))
        .assert_kept_out(&[]);
}

#[test]
fn bash() {
    if !is_here("bash") {
        return;
    }
    let hostile = Hostile::new(json!(["bash", "./hook"]), "true\n")
        .file(".bashrc", SH)
        .file(".bash_profile", SH)
        .file(".profile", SH)
        .file("hook", SH);
    hostile.assert_kept_out(&[("BASH_ENV", ".bashrc")]);
    hostile
        .control(json!(["bash", "hook"]))
        .assert_kept_out(&[]);
    // A login shell and an interactive one read files of the home, which is not the repository's; not even those.
    Hostile::new(json!(["bash", "-i", "./hook"]), "true\n")
        .file("../home/.bashrc", SH)
        .assert_kept_out(&[]);
}

#[test]
fn sh() {
    if !is_here("sh") {
        return;
    }
    let hostile = Hostile::new(json!(["sh", "./hook"]), "true\n")
        .file(".profile", SH)
        .file("hook", SH);
    hostile.control(json!(["sh", "hook"])).assert_kept_out(&[]);
    Hostile::new(json!(["sh", "-i", "./hook"]), "true\n")
        .file(".profile", SH)
        .assert_kept_out(&[("ENV", "PROJECT/.profile")]);
}

#[test]
fn perl() {
    if !is_here("perl") {
        return;
    }
    let script = "eval { require Helper }; eval { require strict };\n";
    let marks = "open(my $f, '>', $ENV{MARK}); 1;\n";
    let hostile = Hostile::new(json!(["perl", "./hook"]), script)
        .file("Helper.pm", marks)
        .file("strict.pm", marks);
    hostile.assert_kept_out(&[("PERL_USE_UNSAFE_INC", "1")]);
    hostile
        .control(json!(["perl", "-I.", "./hook"]))
        .assert_kept_out(&[]);
}

#[test]
fn ruby() {
    if !is_here("ruby") {
        return;
    }
    let marks = "File.write(ENV['MARK'], '')\n";
    let hostile = Hostile::new(
        json!(["ruby", "./hook"]),
        "begin; require 'helper'; rescue LoadError; end\n",
    )
    .file("helper.rb", marks)
    .file("Gemfile", marks)
    .file("gem.deps.rb", marks);
    hostile.assert_kept_out(&[("RUBYLIB", ".")]);
    hostile.assert_kept_out(&[("RUBYOPT", "-I. -rhelper")]);
    hostile
        .control(json!(["ruby", "-I.", "./hook"]))
        .assert_kept_out(&[("RUBYGEMS_GEMDEPS", "-")]);
}

#[test]
fn uv() {
    if !is_here("uv") || !is_here("python3") {
        return;
    }
    let project = "[project]\nname = \"evil\"\nversion = \"1\"\nrequires-python = \">=3\"\n";
    // Asked for its version it runs: that is enough.
    let evil = "#!/bin/sh\n: >\"$MARK\"\nexec python3 \"$@\"\n";
    let hostile = Hostile::new(json!(["uv", "./hook.py"]), "")
        .script("hook.py", "import json\n")
        .file("pyproject.toml", project)
        .file("uv.toml", "offline = true\n")
        .file(".env", "PYTHONPATH=PROJECT\n")
        .file("json.py", PYTHON)
        .file("sitecustomize.py", PYTHON)
        .file(".venv/pyvenv.cfg", "home = /usr/bin\n")
        .file(".venv/bin/python", evil)
        .file(".venv/bin/python3", evil)
        .control(json!([
            "uv",
            "run",
            "--isolated",
            "--no-project",
            "--no-config",
            "--offline",
            "./hook.py"
        ]));
    hostile.assert_kept_out(&[]);
    hostile.assert_kept_out(&[
        ("UV_ENV_FILE", "PROJECT/.env"),
        ("VIRTUAL_ENV", "PROJECT/.venv"),
    ]);
}

#[test]
fn deno() {
    if !is_here("deno") {
        return;
    }
    let script = "try { await import('helper') } catch {}\n";
    let marks = "Deno.writeTextFileSync(Deno.env.get('MARK'), '')\n";
    Hostile::new(json!(["deno", "-A", "./hook.mjs"]), "")
        .script("hook.mjs", script)
        .file("deno.json", r#"{"imports": {"helper": "./evil.mjs"}}"#)
        .file(
            "import_map.json",
            r#"{"imports": {"helper": "./evil.mjs"}}"#,
        )
        .file(
            "package.json",
            r#"{"name": "x", "dependencies": {"helper": "*"}}"#,
        )
        .file("node_modules/helper/index.js", "throw 0")
        .file(".env", "DENO_CONFIG=PROJECT/deno.json\n")
        .file("evil.mjs", marks)
        .file("hook.mjs", script)
        .control(json!(["deno", "run", "-A", "PROJECT/hook.mjs"]))
        .assert_kept_out(&[]);
}

#[test]
fn bun() {
    if !is_here("bun") {
        return;
    }
    let script = "if (process.env.FROM_FILE) require('fs').writeFileSync(process.env.MARK, '')\n";
    let with = |name: &str, content: &str| {
        Hostile::new(json!(["bun", "./hook.js"]), "")
            .script("hook.js", script)
            .file("evil.js", NODE)
            .file(name, content)
    };
    with("bunfig.toml", "preload = [\"./evil.js\"]\n").assert_kept_out(&[]);
    with(".env", "FROM_FILE=1\n").assert_kept_out(&[]);
    with(".env.local", "FROM_FILE=1\n").assert_kept_out(&[]);
    with("evil.env", "").assert_kept_out(&[("BUN_OPTIONS", "--preload=PROJECT/evil.js")]);
}
