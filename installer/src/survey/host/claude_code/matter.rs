//! Hooks in the front matter of Claude Code's skills, commands and agents, as the source of its client
//! 2.1.332 has it. They run only while that skill or agent does.
//!
//! - skills are `skills/NAME/SKILL.md`, commands and agents every `.md` below their folders: the user's,
//!   those of a plugin, and of a project those of each folder from the session's up to the repository's
//!   root, the nearest first
//! - the form is that of settings: a bad entry under a guard keeps an agent from loading; a skill loads,
//!   without any of its hooks
//! - agents of a folder that nobody trusts run without their hooks, skills with them, in print mode
//! - an agent's `Stop` is a `SubagentStop`; an agent of a plugin has no hooks

use super::{HOST, STRICT, events};
use crate::edit::outline::{Node, Value};
use crate::survey::Look;
use crate::survey::cause::{Cause, Switch};
use crate::survey::fault::{Fault, Wrong};
use crate::survey::files::Found;
use crate::survey::plugin::Plugin;
use crate::survey::source::{HookState, Kind, Scope, Source};
use hookkit_dispatch::contract::Contract;
use hookkit_dispatch::host::CLAUDE_CODE;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What the user's own folder and the project's bring along.
pub(super) fn own(look: &mut Look) {
    let user = look.places.claude.clone();
    folder(look, &user, Scope::User, None);
    let start = look.places.start.clone();
    let root = look.places.repository.clone();
    for project in start.ancestors().filter(|one| *one != look.places.home) {
        let first = look.sources.len();
        folder(look, &project.join(".claude"), Scope::Project, None);
        if !is_trusted(look, project) {
            let agents = look.sources[first..].iter_mut();
            for source in agents.filter(|source| source.kind == Kind::ClaudeAgent) {
                source.switch_off(Cause::nowhere(Switch::FolderUntrusted));
            }
        }
        if root.as_deref().is_none_or(|root| root == project) {
            break;
        }
    }
}

/// Did somebody say in a session that a folder, or one around it, is trusted?
fn is_trusted(look: &mut Look, folder: &Path) -> bool {
    // The file lies beside the usual folder, and in one that a variable names.
    let named = &look.places.claude;
    let usual = look.places.home.join(".claude");
    let around = if *named == usual {
        &look.places.home
    } else {
        named
    };
    let Found::Text(text) = look.files.json(&around.join(".claude.json")) else {
        return false;
    };
    let projects = text.outline.root().and_then(|root| root.get("projects"));
    folder.ancestors().any(|one| {
        let said = projects.and_then(|projects| {
            let one = one.to_str()?;
            projects
                .get(one)
                .or_else(|| projects.get(&one.replace('\\', "/")))
        });
        let said = said.and_then(|said| said.get("hasTrustDialogAccepted"));
        said.and_then(Node::boolean) == Some(true)
    })
}

/// What a plugin does.
pub(super) fn of_plugin(look: &mut Look, plugin: &Rc<Plugin>, root: &Path) {
    folder(look, root, plugin.scope, Some(plugin));
}

fn folder(look: &mut Look, folder: &Path, scope: Scope, plugin: Option<&Rc<Plugin>>) {
    let skills = look.files.folder(&folder.join("skills"));
    // The client follows links to skills; each is one file, so none leads back.
    let skills = skills.folders.into_iter().chain(skills.files);
    let mut skills: Vec<PathBuf> = skills.map(|skill| skill.join("SKILL.md")).collect();
    skills.sort();
    for (kind, files) in [
        (Kind::ClaudeSkill, skills),
        (
            Kind::ClaudeSkill,
            look.files.markdown_below(&folder.join("commands")),
        ),
        (
            Kind::ClaudeAgent,
            look.files.markdown_below(&folder.join("agents")),
        ),
    ] {
        for file in files {
            read(look, kind, scope, plugin, &file);
        }
    }
}

fn read(look: &mut Look, kind: Kind, scope: Scope, plugin: Option<&Rc<Plugin>>, file: &Path) {
    let found = look.files.markdown(file);
    let source = Source::new(HOST, kind, scope, file);
    let source = match plugin {
        Some(plugin) => source.of_plugin(plugin),
        None => source,
    };
    let Some(mut source) = source.holding(found) else {
        return;
    };
    if let Some(root) = source.root().cloned() {
        of_matter(&mut source, &root, file);
    }
    // Without hooks it is none of ours.
    if !source.hooks.is_empty() || !source.is_read() {
        look.push(source);
    }
}

fn of_matter(source: &mut Source, root: &Node, file: &Path) {
    let is_agent = source.kind == Kind::ClaudeAgent;
    for guard in root.members() {
        if STRICT.contains(&&*guard.key) {
            let wrong = Wrong::Key(guard.key.to_string());
            source.drop_for(Fault::new(guard.line, wrong).whole());
        }
    }
    let hooks = root.members().iter().rev();
    let hooks = hooks.into_iter().find(|member| &*member.key == "hooks");
    let Some(hooks) = hooks.filter(|hooks| hooks.node.value != Value::Null) else {
        return;
    };
    let name = root.get("name").and_then(Node::text);
    if is_agent && source.plugin.is_some() {
        source.drop_for(Fault::new(hooks.line, Wrong::PluginAgent));
    } else if is_agent {
        for key in ["name", "description"] {
            if root.get(key).and_then(Node::text).is_none_or(str::is_empty) {
                let why = "is missing or no text, and without it this is no agent";
                let key = key.to_owned();
                source.drop_for(Fault::new(root.line, Wrong::Value { key, why }));
            }
        }
    }
    events(source, &hooks.node);
    let while_active: Rc<str> = if is_agent {
        format!("the agent `{}`", name.unwrap_or_default()).into()
    } else {
        format!(
            "the skill `{}`",
            name.map_or_else(|| named_by(file), str::to_owned)
        )
        .into()
    };
    for hook in &mut source.hooks {
        if hook.state == HookState::Armed {
            hook.state = HookState::Within(Rc::clone(&while_active));
        }
        if is_agent && &*hook.event == "Stop" {
            hook.contract = subagent_stop();
        }
    }
}

fn subagent_stop() -> Option<&'static Contract> {
    CLAUDE_CODE.contract("SubagentStop")
}

/// A skill has its folder's name, a command its file's.
fn named_by(file: &Path) -> String {
    let is_skill = file.ends_with("SKILL.md");
    let named = if is_skill {
        file.parent().and_then(Path::file_name)
    } else {
        file.file_stem()
    };
    named.unwrap_or_default().to_string_lossy().into_owned()
}
