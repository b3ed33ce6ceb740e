//! The generated files of a portable tree: one folder that every host can load, on every system.

use crate::{File, Registration, host, selector};
use hookkit_dispatch::manifest::Manifest;

/// Keeps git from changing line ends or bytes of anything in the tree: with `#!/bin/sh\r` the
/// selector does not start, and without it no hook does.
pub const ATTRIBUTES: &str = "* -text\n";

/// Everything but the plugin's own files and the dispatchers.
///
/// A host that is told nothing gets its files all the same, so that it finds a plugin without
/// hooks and not somebody else's file.
pub fn files(manifest: &Manifest) -> Vec<File> {
    let mut files = vec![File::data(".gitattributes", ATTRIBUTES), selector::file()];
    for host in host::ALL {
        files.extend(host.tree(manifest, &Registration::of(manifest, *host)));
    }
    files
}
