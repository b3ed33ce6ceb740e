//! A repository that sets variables: none reaches a hook that would load code by it. Each has its control: the same
//! hook, started without hookkit, does load it.

use std::path::PathBuf;

use hookkit_tests::process::Program;
use hookkit_tests::{Plugin, payload, program};
use serde_json::{Value, json};

/// A plugin with one gate, and a project with files of its own.
struct Hostile {
    plugin: Plugin,
    run: Value,
}

impl Hostile {
    fn new(run: Value, script: &str) -> Self {
        let hook = json!({"id": "guard", "event": "PreToolUse", "run": run});
        Self {
            plugin: Plugin::new("demo").file("hook", script, 0o755).hook(hook),
            run,
        }
    }

    fn file(self, name: &str, content: &str) -> Self {
        let file = self.plugin.project().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, content).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&file, mode).unwrap();
        self
    }

    fn project(&self) -> PathBuf {
        self.plugin.project()
    }

    /// Whether code of the project ran: with hookkit, and when the hook is started as it stands.
    fn ran(&self, variables: &[(&str, &str)]) -> [bool; 2] {
        let project = self.project();
        let value = |text: &str| text.replace("PROJECT", project.to_str().unwrap());
        let mut call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        call["cwd"] = json!(project);
        let by_hookkit = self.plugin.dispatch(["--host", "claude-code"]).stdin(call);
        let words = self.run.as_array().unwrap().iter().map(|word| {
            let word = word.as_str().unwrap();
            match word.strip_prefix("./") {
                Some(file) => self.plugin.path().join(file),
                None if word == "python" => program::found("python3").unwrap(),
                None => program::found(word).unwrap_or_else(|| word.into()),
            }
        });
        let words: Vec<PathBuf> = words.collect();
        let alone = Program::new(&words[0]).args(&words[1..]).cwd(&project);
        [by_hookkit, alone].map(|program| {
            let mark = project.join("RAN");
            let _ = std::fs::remove_file(&mark);
            let program = variables.iter().fold(program, |program, (name, text)| {
                program.env(name, value(text))
            });
            let ran = program.env("MARK", &mark).run();
            assert!(!ran.timed_out);
            mark.exists()
        })
    }

    fn assert_kept_out(&self, variables: &[(&str, &str)]) {
        assert_eq!(self.ran(variables), [false, true], "{variables:?}");
    }
}

const MARKS: &str = ": >\"$MARK\"";
const SH: &str = "#!/bin/sh\ntrue\n";

#[test]
fn path() {
    let hostile = Hostile::new(json!(["./hook"]), "#!/bin/sh\nhelper-of-the-hook\n")
        .file("bin/helper-of-the-hook", &format!("#!/bin/sh\n{MARKS}\n"));
    let rest = program::search_path();
    hostile.assert_kept_out(&[("PATH", &format!("PROJECT/bin:{rest}"))]);
    hostile.assert_kept_out(&[("PATH", &format!("bin:{rest}"))]);
    hostile.assert_kept_out(&[("PATH", "PROJECT/bin")]);
    let in_folder = Hostile::new(json!(["./hook"]), "#!/bin/sh\nhelper-of-the-hook\n")
        .file("helper-of-the-hook", &format!("#!/bin/sh\n{MARKS}\n"));
    // Empty entries, and an empty PATH, are the working directory.
    in_folder.assert_kept_out(&[("PATH", &format!(":{rest}"))]);
    in_folder.assert_kept_out(&[("PATH", &format!(".:{rest}"))]);
    in_folder.assert_kept_out(&[("PATH", "")]);
}

#[test]
fn an_interpreter_of_the_project_is_not_the_interpreter() {
    let plugin = Plugin::new("demo").sh(
        json!({"id": "guard", "event": "PreToolUse"}),
        "echo real >&2; exit 2",
    );
    let bin = plugin.project().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::write(bin.join("sh"), "#!/bin/sh\nexit 0\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(bin.join("sh"), mode).unwrap();
    let linked = plugin.path().join("link");
    std::os::unix::fs::symlink(bin.join("sh"), &linked).unwrap();
    let outside = plugin.path().join("links");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(bin.join("sh"), outside.join("sh")).unwrap();
    for first in [&bin, &outside] {
        let path = format!("{}:{}", first.display(), program::search_path());
        plugin
            .dispatch(["--host", "claude-code"])
            .env("PATH", path)
            .stdin(payload::claude::pre_tool_use(
                "Bash",
                json!({"command": "ls"}),
            ))
            .run()
            .assert_denies("real");
    }
}

#[test]
fn bash_env_and_exported_functions() {
    let hostile = Hostile::new(json!(["bash", "./hook"]), "ls >/dev/null\n").file("evil.sh", MARKS);
    hostile.assert_kept_out(&[("BASH_ENV", "PROJECT/evil.sh")]);
    hostile.assert_kept_out(&[("BASH_ENV", "evil.sh")]);
    hostile.assert_kept_out(&[("BASH_FUNC_ls%%", "() { : >\"$MARK\"; }")]);
}

#[test]
fn variables_of_python() {
    if !program::needs(&["python3"]) {
        return;
    }
    let marks = "import os; open(os.environ['MARK'], 'w')";
    let hostile = Hostile::new(json!(["python", "./hook"]), "import json, site\n")
        .file("json.py", marks)
        .file("sitecustomize.py", marks);
    hostile.assert_kept_out(&[("PYTHONPATH", "PROJECT")]);
    hostile.assert_kept_out(&[("PYTHONPATH", ".")]);
    let version = Program::new(program::found("python3").unwrap())
        .args([
            "-c",
            "import site; print(site.USER_SITE.split('.local/')[-1])",
        ])
        .env("HOME", "/nowhere")
        .run();
    let user_site = version.out().trim().to_owned();
    let hostile = Hostile::new(json!(["python", "./hook"]), "pass\n")
        .file(&format!("{user_site}/usercustomize.py"), marks);
    hostile.assert_kept_out(&[("PYTHONUSERBASE", "PROJECT")]);
}

#[test]
fn variables_of_node() {
    if !program::needs(&["node"]) {
        return;
    }
    let marks = "require('fs').writeFileSync(process.env.MARK, '')";
    let hostile = Hostile::new(
        json!(["node", "./hook"]),
        "try { require('helper') } catch {}\n",
    )
    .file("evil.js", marks)
    .file("modules/helper/index.js", marks);
    hostile.assert_kept_out(&[("NODE_OPTIONS", "--require=PROJECT/evil.js")]);
    hostile.assert_kept_out(&[("NODE_OPTIONS", "--require=./evil.js")]);
    hostile.assert_kept_out(&[("NODE_PATH", "PROJECT/modules")]);
}

#[test]
fn variables_of_perl() {
    if !program::needs(&["perl"]) {
        return;
    }
    let hostile = Hostile::new(json!(["perl", "./hook"]), "eval { require Helper };\n")
        .file("Helper.pm", "open(my $f, '>', $ENV{MARK}); 1;\n");
    hostile.assert_kept_out(&[("PERL5LIB", "PROJECT")]);
    hostile.assert_kept_out(&[("PERL5OPT", "-MHelper"), ("PERL5LIB", "PROJECT")]);
    hostile.assert_kept_out(&[("PERL_USE_UNSAFE_INC", "1")]);
}

#[test]
fn variables_of_git() {
    if !program::needs(&["git"]) {
        return;
    }
    let hostile = Hostile::new(json!(["./hook"]), "#!/bin/sh\ngit diff --no-index /etc/hostname /etc/passwd >/dev/null\ngit status >/dev/null\n")
        .file("evil", &format!("#!/bin/sh\n{MARKS}\n"));
    hostile.assert_kept_out(&[("GIT_EXTERNAL_DIFF", "PROJECT/evil")]);
    hostile.assert_kept_out(&[
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "diff.external"),
        ("GIT_CONFIG_VALUE_0", "PROJECT/evil"),
    ]);
    hostile.assert_kept_out(&[("GIT_CONFIG_PARAMETERS", "'diff.external'='PROJECT/evil'")]);
    hostile.assert_kept_out(&[("GIT_TRACE", "PROJECT/RAN")]);
}

#[test]
fn the_hook_folder_of_a_version_manager() {
    let python = program::found("python3").unwrap_or_default();
    let is_shim = std::fs::read(&python).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    if !is_shim {
        return;
    }
    let hostile =
        Hostile::new(json!(["python", "./hook"]), "pass\n").file("hooks/exec/evil.bash", MARKS);
    hostile.assert_kept_out(&[("PYENV_HOOK_PATH", "PROJECT/hooks")]);
}

#[test]
fn the_loader_takes_no_library() {
    // What the loader is told shows in what it says of itself: with a library that is not there it complains.
    let hook = |variable: &str| {
        let plugin = Plugin::new("demo").file("hook", SH, 0o755).sh(
            json!({"id": "guard", "event": "PreToolUse"}),
            &format!("[ -z \"${variable}\" ] || {{ echo reached >&2; exit 2; }}"),
        );
        let call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
        plugin
            .dispatch(["--host", "claude-code"])
            .env(variable, "/nowhere/lib.so")
            .stdin(call)
            .run()
    };
    for variable in [
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "LD_AUDIT",
        "LD_DEBUG_OUTPUT",
        "GCONV_PATH",
        "OPENSSL_CONF",
    ] {
        let ran = hook(variable);
        assert_eq!(ran.decision(), "", "{variable}");
    }
    hook("SOMETHING_ELSE").assert_denies("reached");
}

#[test]
fn hookkits_own_variables_are_hookkits_own() {
    let shows = "env | grep -E '^(HOOKKIT|CLAUDE_PLUGIN|PLUGIN|COPILOT_PLUGIN)_' | grep -v HOOKKIT_ACTIVE | sort >&2; exit 2";
    let plugin = Plugin::new("demo").sh(json!({"id": "guard", "event": "PreToolUse"}), shows);
    let call = payload::claude::pre_tool_use("Bash", json!({"command": "ls"}));
    let clean = plugin
        .dispatch(["--host", "claude-code"])
        .stdin(call.clone())
        .run();
    let dirty = [
        "HOOKKIT_HOST",
        "HOOKKIT_EVENT",
        "HOOKKIT_PLUGIN_ROOT",
        "HOOKKIT_HOME",
        "HOOKKIT_DEBUG",
        "PLUGIN_ROOT",
        "COPILOT_PLUGIN_ROOT",
        "CLAUDE_PLUGIN_ROOT",
    ]
    .iter()
    .fold(
        plugin.dispatch(["--host", "claude-code"]),
        |program, name| program.env(name, "/evil"),
    )
    .stdin(call)
    .run();
    assert_eq!(clean.reason(), dirty.reason());
    assert!(
        clean.reason().contains("HOOKKIT_HOST=claude-code") && !dirty.reason().contains("/evil")
    );
}
