//! Why a host drops what it reads: the form is not the one that it takes.

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) wrong: Wrong,
}

/// A way to be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It cannot be read at all: why.
    Unreadable(String),
    /// It does not parse: why.
    Unparsed(String),
    /// It begins with a byte order mark.
    Mark,
    Comment,
    /// A comma behind the last element.
    Comma,
    /// It should be an object: the name of it.
    NoTable(String),
    /// It should be a list: the name of it.
    NoList(String),
    /// `hooks` is missing.
    NoHooks,
    /// `version` is another than 1.
    Version,
    /// A key that this host does not take at the top.
    Key(String),
    /// An event that this host does not have.
    Event(String),
    /// An entry without `hooks` around it, where the host wants groups.
    Flat,
    /// A group in a group.
    Nested,
    /// `type` is none that the host starts.
    Type(String),
    /// The member that says what to start is missing or empty: its name.
    Nothing(&'static str),
    /// A member has a value that the host does not take: its name and why.
    Value {
        key: String,
        why: &'static str,
    },
    /// `exec` beside a key for a shell.
    ExecAndShell(String),
    EmptyMatcher,
    /// The matcher is no pattern to this host: it.
    Pattern(String),
    /// A path that leads out of the plugin.
    Outside(String),
    /// A path at which there is no file.
    Missing(String),
    /// Hooks of an agent that a plugin brings.
    PluginAgent,
    /// A link where this host follows none.
    Link,
    /// What is wrong with one thing makes the host drop all of the file or the plugin.
    Whole(Box<Wrong>),
}

impl Fault {
    pub(crate) fn new(line: usize, wrong: Wrong) -> Self {
        Self { line, wrong }
    }

    /// The same, for which all of the file goes.
    pub(crate) fn whole(self) -> Self {
        match self.wrong {
            Wrong::Whole(_) => self,
            wrong => Self::new(self.line, Wrong::Whole(Box::new(wrong))),
        }
    }
}

impl Wrong {
    /// What is wrong, behind the name of the thing: "... has a comment".
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Unreadable(why) => format!("cannot be read: {why}"),
            Self::Unparsed(why) => why.clone(),
            Self::Mark => "begins with a byte order mark, which this host does not take".to_owned(),
            Self::Comment => "has a comment, which this host does not take".to_owned(),
            Self::Comma => {
                "has a comma behind a last element, which this host does not take".to_owned()
            }
            Self::NoTable(name) => format!("`{name}` is no object"),
            Self::NoList(name) => format!("`{name}` is no list"),
            Self::NoHooks => "has no `hooks`".to_owned(),
            Self::Version => "has a `version` other than 1".to_owned(),
            Self::Key(key) => format!("has `{key}` at the top, which this host does not take"),
            Self::Event(event) => format!("this host has no event `{event}`"),
            Self::Flat => "an entry stands where this host wants a group with `hooks`".to_owned(),
            Self::Nested => "a group stands in a group".to_owned(),
            Self::Type(kind) => format!("this host starts no hook of type `{kind}` here"),
            Self::Nothing(key) => format!("`{key}` is missing, so there is nothing to start"),
            Self::Value { key, why } => format!("`{key}` {why}"),
            Self::ExecAndShell(key) => format!("`exec` and `{key}` do not go together"),
            Self::EmptyMatcher => "the matcher is empty".to_owned(),
            Self::Pattern(pattern) => format!("`{pattern}` is no pattern to this host"),
            Self::Outside(path) => format!("`{path}` leads out of the plugin"),
            Self::Missing(path) => format!("`hooks` names `{path}`, and there is no such file"),
            Self::PluginAgent => "`hooks` does nothing in an agent of a plugin".to_owned(),
            Self::Link => "is a link, and this host follows none there".to_owned(),
            Self::Whole(wrong) => {
                format!(
                    "{}, and for that the host drops all of it",
                    wrong.sentence()
                )
            }
        }
    }
}
