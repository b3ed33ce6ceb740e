//! A repository that sets variables: none reaches a hook that would load code by it. Each has its control: the same
//! hook, started without hookkit, does load it.

use hookkit_tests::process::Program;
use hookkit_tests::{Hostile, Plugin, payload, program};
use serde_json::json;

const MARKS: &str = ": >\"$MARK\"";
const SH: &str = "#!/bin/sh\ntrue\n";

#[test]
fn path() {
    let hostile = Hostile::new(json!(["./hook"]), "#!/bin/sh\nhelper-of-the-hook || true\n")
        .file("bin/helper-of-the-hook", &format!("#!/bin/sh\n{MARKS}\n"));
    let rest = program::search_path();
    hostile.assert_kept_out(&[("PATH", &format!("PROJECT/bin:{rest}"))]);
    hostile.assert_kept_out(&[("PATH", &format!("bin:{rest}"))]);
    hostile.assert_kept_out(&[("PATH", "PROJECT/bin")]);
    let in_folder = Hostile::new(json!(["./hook"]), "#!/bin/sh\nhelper-of-the-hook || true\n")
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
    let hostile = Hostile::new(json!(["./hook"]), "#!/bin/sh\ngit diff --no-index /etc/hostname /etc/passwd >/dev/null\ngit status >/dev/null || true\n")
        .file("evil", &format!("#!/bin/sh\n{MARKS}\n"));
    hostile.assert_kept_out(&[("GIT_EXTERNAL_DIFF", "PROJECT/evil")]);
    hostile.assert_kept_out(&[
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "diff.external"),
        ("GIT_CONFIG_VALUE_0", "PROJECT/evil"),
    ]);
    hostile.assert_kept_out(&[("GIT_CONFIG_PARAMETERS", "'diff.external'='PROJECT/evil'")]);
    hostile.assert_kept_out(&[("GIT_TRACE", "PROJECT/MARK")]);
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
