//! What a repository's settings put into the environment of hooks does not reach the selector.

use std::path::Path;

use fs_err as fs;
use hookkit_tests::folder::Folder;

use crate::shells;
use crate::{ARGUMENTS, plugin, refused};

#[test]
fn no_program_and_no_function_of_somebody_else_runs() {
    let folder = Folder::new("hostile");
    let marker = folder.join("marker");
    let evil = format!("echo evil >> '{}'", marker.display());
    let bin = folder.join("bin");
    for name in ["uname", "printf", "read", "test", "cat", "command"] {
        let draft = folder.join("draft");
        fs::write(&draft, format!("#!/bin/sh\n{evil}\n")).unwrap();
        crate::machines::install(&draft, &bin.join(name));
    }
    let startup = folder.join("startup.sh");
    fs::write(&startup, format!("{evil}\n")).unwrap();
    let tree = plugin().build();
    let selector = tree.path().join("dispatch/hookkit-dispatch");
    let asking = folder.join("asking/dispatch");
    fs::create_dir_all(asking.join(Path::new(&crate::machines::here()).parent().unwrap())).unwrap();
    // A copy that has to ask uname, beside the same dispatcher.
    let script = fs::read_to_string(&selector).unwrap();
    let asks = crate::machines::without(&crate::machines::KERNELS_WORD, &script);
    fs::write(asking.join("hookkit-dispatch"), asks).unwrap();
    fs::copy(
        tree.path().join("hookkit.json"),
        folder.join("asking/hookkit.json"),
    )
    .unwrap();
    crate::machines::install(
        &tree.path().join("dispatch").join(crate::machines::here()),
        &asking.join(crate::machines::here()),
    );
    fs::create_dir_all(folder.join("asking/hooks")).unwrap();
    fs::copy(
        tree.path().join("hooks/gate.sh"),
        folder.join("asking/hooks/gate.sh"),
    )
    .unwrap();
    // bash reads functions and a startup file of the environment unless it is sh.
    for shell in shells::all().iter().filter(|shell| shell.name != "bash") {
        for selector in [&selector, &asking.join("hookkit-dispatch")] {
            let mut start = shell
                .run(selector)
                .args(ARGUMENTS)
                .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
                .env("ENV", &startup)
                .env("IFS", "-")
                .cwd(&bin);
            for function in ["read", "test", "command", "printf", "uname", "false"] {
                let name = format!("BASH_FUNC_{function}%%");
                start = start.env(name, format!("() {{ {evil}; }}"));
            }
            let ran = start.stdin(refused()).run();
            assert!(
                !marker.exists(),
                "{} ran something of the repository",
                shell.name
            );
            assert!(ran.out().contains("the gate says no"), "{}", shell.name);
        }
    }
}
