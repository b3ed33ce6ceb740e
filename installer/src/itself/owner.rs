//! Who put a program where it is, by its path. What belongs to a package manager is left to it.

use std::path::Path;

/// A package manager, and what it wants to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) name: &'static str,
    pub(crate) update: &'static str,
    pub(crate) uninstall: &'static str,
}

/// Parts of a path, without regard to case, and whose they are.
const KNOWN: [(&str, Owner); 8] = [
    ("/cellar/", HOMEBREW),
    ("/homebrew/", HOMEBREW),
    (
        "/.cargo/bin/",
        Owner {
            name: "cargo",
            update: "cargo install hookkit",
            uninstall: "cargo uninstall hookkit",
        },
    ),
    (
        "/node_modules/",
        Owner {
            name: "npm",
            update: "npm update hookkit",
            uninstall: "npm uninstall hookkit",
        },
    ),
    (
        "/nix/store/",
        Owner {
            name: "Nix",
            update: "your configuration of Nix",
            uninstall: "your configuration of Nix",
        },
    ),
    (
        "/scoop/",
        Owner {
            name: "Scoop",
            update: "scoop update hookkit",
            uninstall: "scoop uninstall hookkit",
        },
    ),
    (
        "/winget/",
        Owner {
            name: "WinGet",
            update: "winget upgrade hookkit",
            uninstall: "winget uninstall hookkit",
        },
    ),
    (
        "/usr/bin/",
        Owner {
            name: "the system's package manager",
            update: "the package manager that installed it",
            uninstall: "the package manager that installed it",
        },
    ),
];

const HOMEBREW: Owner = Owner {
    name: "Homebrew",
    update: "brew upgrade hookkit",
    uninstall: "brew uninstall hookkit",
};

/// The package manager that a program is of; `None` for one that somebody put there by hand.
pub(crate) fn owner(program: &Path) -> Option<Owner> {
    let path = program.display().to_string().replace('\\', "/");
    let path = path.to_lowercase();
    let known = KNOWN.iter().find(|(part, _)| path.contains(part));
    known.map(|(_, owner)| *owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_manager_is_known_by_its_place() {
        for (path, name) in [
            (
                "/opt/homebrew/Cellar/hookkit/0.1.0/bin/hookkit",
                Some("Homebrew"),
            ),
            (
                "/home/linuxbrew/.linuxbrew/Cellar/hookkit/0.1.0/bin/hookkit",
                Some("Homebrew"),
            ),
            ("/home/x/.cargo/bin/hookkit", Some("cargo")),
            (
                "/home/x/p/node_modules/@hookkit/linux-x64/hookkit",
                Some("npm"),
            ),
            ("/nix/store/0123-hookkit/bin/hookkit", Some("Nix")),
            (
                r"C:\Users\x\scoop\apps\hookkit\current\hookkit.exe",
                Some("Scoop"),
            ),
            (
                r"C:\Users\x\AppData\Local\Microsoft\WinGet\Packages\h\hookkit.exe",
                Some("WinGet"),
            ),
            ("/usr/bin/hookkit", Some("the system's package manager")),
            ("/usr/local/bin/hookkit", None),
            (
                "/home/x/.local/share/hookkit/self/versions/0.1.0/hookkit",
                None,
            ),
        ] {
            assert_eq!(
                owner(Path::new(path)).map(|owner| owner.name),
                name,
                "{path}"
            );
        }
    }
}
