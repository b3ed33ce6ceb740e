//! Why a host leaves out what is sound: somebody switched it off, or did not switch it on.

use std::path::PathBuf;

/// What did it, and where that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) switch: Switch,
    /// None where nothing stands anywhere: what is wanted is missing.
    pub(crate) place: Option<(PathBuf, usize)>,
}

/// A way to be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// `disableAllHooks`.
    AllHooksDisabled,
    /// `enabledPlugins` says false, or nothing.
    NotEnabled,
    /// Only an administrator's hooks count.
    ManagedOnly,
    /// Only an administrator's hooks and those of plugins count.
    PluginsOnly,
    /// An administrator's place of higher rank counts alone.
    Outranked,
    /// The folder is not trusted, so nothing that a repository says counts.
    FolderUntrusted,
    /// Codex: nobody trusted this hook yet.
    NotTrusted,
    /// Codex: it is another than the one that somebody trusted.
    Changed,
    /// Switched off by itself: Codex's `hooks.state`, Copilot's `disabledHooks`.
    Disabled,
    /// Codex's `features.hooks = false`.
    FeatureOff,
    /// A setting of VS Code, such as `chat.useClaudeHooks`.
    Setting(&'static str),
    /// It lies where another file of the same plugin is read before it.
    Shadowed(PathBuf),
}

impl Cause {
    pub(crate) fn at(switch: Switch, file: impl Into<PathBuf>, line: usize) -> Self {
        Self {
            switch,
            place: Some((file.into(), line)),
        }
    }

    pub(crate) fn nowhere(switch: Switch) -> Self {
        Self {
            switch,
            place: None,
        }
    }

    /// As the rest of a sentence that begins with the hook or the file: "off: ...".
    pub(crate) fn sentence(&self) -> String {
        let what = self.switch.sentence();
        match &self.place {
            Some((file, 0)) => format!("{what} ({})", file.display()),
            Some((file, line)) => format!("{what} ({}:{line})", file.display()),
            None => what,
        }
    }
}

impl Switch {
    fn sentence(&self) -> String {
        match self {
            Self::AllHooksDisabled => "disableAllHooks is true".to_owned(),
            Self::NotEnabled => "the plugin is not enabled".to_owned(),
            Self::ManagedOnly => "the administrator lets managed hooks run alone".to_owned(),
            Self::PluginsOnly => {
                "the administrator lets managed hooks and those of plugins run alone".to_owned()
            }
            Self::Outranked => {
                "another place of the administrator's settings counts alone".to_owned()
            }
            Self::FolderUntrusted => "the folder is not trusted".to_owned(),
            Self::Changed => "it has changed since somebody trusted it".to_owned(),
            Self::NotTrusted => "nobody has trusted this hook".to_owned(),
            Self::Disabled => "this hook is switched off by itself".to_owned(),
            Self::FeatureOff => "features.hooks is false".to_owned(),
            Self::Setting(name) => format!("{name} does not say so"),
            Self::Shadowed(file) => format!("{} is read instead", file.display()),
        }
    }
}
