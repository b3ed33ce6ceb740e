//! `plugin.json` and `marketplace.json`, which Claude Code brought up and Copilot CLI took over.

use hookkit_dispatch::manifest::Manifest;
use serde::Serialize;

/// A plugin as both hosts describe it. The hooks are named only where a host does not look for
/// them by itself.
#[derive(Serialize)]
pub(super) struct Plugin<'m> {
    name: &'m str,
    version: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<Person<'m>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    homepage: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hooks: Option<&'static str>,
}

/// A folder that offers one plugin: itself.
#[derive(Serialize)]
pub(super) struct Marketplace<'m> {
    name: &'m str,
    owner: Person<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata<'m>>,
    plugins: [Offer<'m>; 1],
}

#[derive(Serialize)]
struct Person<'m> {
    name: &'m str,
}

#[derive(Serialize)]
struct Metadata<'m> {
    description: &'m str,
}

#[derive(Serialize)]
struct Offer<'m> {
    name: &'m str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'m str>,
    version: &'m str,
}

impl<'m> Plugin<'m> {
    pub(super) fn of(manifest: &'m Manifest, hooks: Option<&'static str>) -> Self {
        Self {
            name: &manifest.name,
            version: &manifest.version,
            description: manifest.description.as_deref(),
            author: manifest.author.as_deref().map(|name| Person { name }),
            homepage: manifest.homepage.as_deref(),
            license: manifest.license.as_deref(),
            hooks,
        }
    }
}

impl<'m> Marketplace<'m> {
    /// A marketplace of the plugin's own name.
    pub(super) fn of(manifest: &'m Manifest) -> Self {
        Self::named(&manifest.name, manifest)
    }

    /// Both hosts want an owner; without an author the plugin's name stands there.
    pub(super) fn named(name: &'m str, manifest: &'m Manifest) -> Self {
        let description = manifest.description.as_deref();
        Self {
            name,
            owner: Person {
                name: manifest.author.as_deref().unwrap_or(&manifest.name),
            },
            metadata: description.map(|description| Metadata { description }),
            plugins: [Offer {
                name: &manifest.name,
                source: "./",
                description,
                version: &manifest.version,
            }],
        }
    }
}
