//! Settings of a host that change while a session runs, and that would switch a required gate off.
//!
//! Claude Code 2.1.332 reads its settings again whenever a file changes, also when the model wrote
//! it, and fires `ConfigChange` before they come into force: a refusal keeps them out of the
//! session. An installation registers this event for plugins with a required gate.

use crate::json;
use crate::payload::Fields;
use crate::receipt::Receipt;
use crate::run::environment;
use std::io::Read as _;

/// The event.
pub const EVENT: &str = "ConfigChange";

/// More than this no host reads as settings.
const LARGEST: u64 = 16 << 20;

/// Why the changed settings do not come into force; `None` where they may.
///
/// What the host could not read itself changes nothing in it. Variables are looked at in the files
/// of a project alone: those in the user's own file were set by the user.
pub fn refusal(fields: &Fields, receipt: &Receipt, plugin: &str) -> Option<String> {
    let file = fields.text("file_path")?;
    let source = fields.text("source");
    let is_of_project = source.is_none_or(|source| source != "user_settings");
    let bytes = read(&file)?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let members = json::members(text.trim_ascii())?;
    let find = |key: &str| json::find(&members, key);
    let what = if find("disableAllHooks") == Some(b"true") {
        "`disableAllHooks`".to_owned()
    } else if let Some(id) = receipt
        .id
        .as_deref()
        .filter(|id| find("enabledPlugins").is_some_and(|plugins| has(plugins, id, b"false")))
    {
        format!("`{id}` set to false in `enabledPlugins`")
    } else {
        let environment = find("env").filter(|_| is_of_project)?;
        let name = json::members(environment)?
            .iter()
            .map(|member| member.key().into_owned())
            .find(|name| environment::loads_code(name.as_ref()))?;
        format!("the variable {name} in `env`, by which programs load code,")
    };
    Some(format!(
        "{what} in {file} does not come into force in this session: plugin `{plugin}` has a gate \
         that the user requires. Ask the user to run `hookkit disable {plugin}` if that is meant."
    ))
}

/// Has an object this member with this value?
fn has(object: &[u8], key: &str, value: &[u8]) -> bool {
    json::members(object).is_some_and(|members| json::find(&members, key) == Some(value))
}

fn read(file: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)
        .ok()?
        .take(LARGEST)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}
