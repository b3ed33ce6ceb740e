//! How each host is told to start the dispatcher: registration files and scripts, as values.
//!
//! Nothing here touches the disk, the environment or a process. Whoever has a [`Manifest`] gets
//! [`File`]s with their paths, bytes and roles, and places them.
//!
//! - [`Registration`]: what one host is told about one plugin, before it has a form
//! - [`host`]: the files of each host, in its own form
//! - [`tree`]: all generated files of a portable tree
//! - [`install`]: what hosts load of a plugin that is installed on a machine, and what they are told
//! - [`managed`]: what an administrator rolls out
//! - [`repository`]: the same for a plugin that lies in the repository it guards
//! - [`Target`]: a machine that a dispatcher is made for, and its place in the tree
//! - [`shell`]: a program and its arguments as a line for a shell
//! - [`selector`]: the script that picks the dispatcher for the machine it runs on
//!
//! [`Manifest`]: hookkit_dispatch::manifest::Manifest

mod events;
mod file;
pub mod host;
pub mod install;
mod json;
pub mod managed;
mod registration;
pub mod repository;
pub mod selector;
pub mod shell;
mod target;
pub mod tree;

pub use file::{File, Role};
pub use registration::{Entry, Registration};
pub use target::Target;
