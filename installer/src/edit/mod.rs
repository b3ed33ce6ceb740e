//! Settings files of others: read, edited and written so that every byte that is not ours stays.
//!
//! ```text
//! Lock::take -> Document::open -> set, push, remove -> change -> diff, undo, write
//! ```
//!
//! - [`Document`]: a JSON or JSONC file as it was found, and what it shall become. Comments, layout,
//!   line ends, a BOM, numbers as they are written: an edit changes the place that it names.
//! - [`Toml`]: the same for Codex's `config.toml`.
//! - [`Lines`]: a text that is only looked at by lines, such as what a shell reads when it starts.
//! - [`Change`]: what one file holds now and what it shall hold. Shown as a diff, written at once.
//! - [`Undo`]: what a receipt keeps of a change, to give back exactly what was there.
//! - [`Lock`]: two installs at once take turns.
//! - [`Outline`]: a file that is only read, with the line of everything in it.
//! - [`Refused`]: why a file is left as it is. Nothing is ever changed in part.

mod change;
mod diff;
mod document;
mod found;
mod kept;
mod layout;
mod lines;
mod lock;
pub mod outline;
mod place;
mod refused;
mod syntax;
mod toml;
mod undo;
mod write;

pub use change::Change;
pub use document::Document;
pub use found::LIMIT;
pub use lines::Lines;
pub use lock::Lock;
pub use outline::Outline;
pub use refused::Refused;
pub use toml::Toml;
pub use undo::Undo;
