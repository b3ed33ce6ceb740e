//! The command line of `hookkit-dispatch`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What a missing plugin means at this registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfMissing {
    Allow,
    Deny,
}

/// What the registration says; everything may be absent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Args {
    pub host: Option<String>,
    pub event: Option<String>,
    pub plugin: Option<String>,
    /// The version folder in the store, for a host that starts one version only.
    pub plugin_version: Option<String>,
    /// The one hook to run, directly.
    pub hook: Option<String>,
    pub plugin_root: Option<PathBuf>,
    pub if_missing: Option<IfMissing>,
    /// From the start of the process.
    pub deadline: Option<Duration>,
}

/// What is asked of the program.
#[derive(Debug, PartialEq)]
pub enum Asked {
    Event(Args),
    Version,
    Help,
}

/// A command line that cannot be read.
#[derive(Debug, PartialEq)]
pub struct Misread {
    /// What stands before the fault.
    pub understood: Args,
    pub why: String,
}

/// Reads a command line. Everything after the word `end` is ignored: there stands what the shells
/// of Windows need to pass the exit code on.
///
/// A value that cannot be read is an error that names it; a host that starts hookkit with it must
/// still get an answer, so the error carries what was understood.
pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Asked, Box<Misread>> {
    let mut args = Args::default();
    match fill(&mut args, arguments) {
        Ok(None) => Ok(Asked::Event(args)),
        Ok(Some(other)) => Ok(other),
        Err(error) => Err(Box::new(Misread {
            understood: args,
            why: error.to_string(),
        })),
    }
}

fn fill(
    args: &mut Args,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Option<Asked>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            // Empty is what an unset variable leaves: the payload says it then.
            Long("host") => args.host = filled(parser.value()?.string()?),
            Long("event") => args.event = filled(parser.value()?.string()?),
            Long("plugin") => args.plugin = Some(parser.value()?.string()?),
            Long("plugin-version") => args.plugin_version = Some(parser.value()?.string()?),
            Long("hook") => args.hook = Some(parser.value()?.string()?),
            Long("plugin-root") => args.plugin_root = Some(PathBuf::from(parser.value()?)),
            Long("if-missing") => {
                args.if_missing = Some(parser.value()?.parse_with(|word| match word {
                    "allow" => Ok(IfMissing::Allow),
                    "deny" => Ok(IfMissing::Deny),
                    _ => Err("say allow or deny"),
                })?);
            }
            Long("deadline") => args.deadline = Some(parser.value()?.parse_with(seconds)?),
            Long("version") => return Ok(Some(Asked::Version)),
            Long("help") | Short('h') => return Ok(Some(Asked::Help)),
            Value(word) if word == "end" => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(None)
}

fn filled(word: String) -> Option<String> {
    (!word.is_empty()).then_some(word)
}

fn seconds(word: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = word.parse().map_err(|_| "say a number of seconds")?;
    if seconds > 0.0 && seconds <= 86_400.0 {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("say a number of seconds between 0 and 86400")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn every_option_is_read_and_the_rest_after_end_is_not() {
        let asked = read(words(
            "--host codex --event Stop --plugin p --plugin-version 1 --hook h --plugin-root /r \
             --if-missing deny --deadline 2.5 end ; exit $LASTEXITCODE",
        ));
        assert_eq!(
            asked,
            Ok(Asked::Event(Args {
                host: Some("codex".into()),
                event: Some("Stop".into()),
                plugin: Some("p".into()),
                plugin_version: Some("1".into()),
                hook: Some("h".into()),
                plugin_root: Some("/r".into()),
                if_missing: Some(IfMissing::Deny),
                deadline: Some(Duration::from_millis(2500)),
            }))
        );
        assert_eq!(read(words("")), Ok(Asked::Event(Args::default())));
    }

    #[test]
    fn a_wrong_value_keeps_what_was_understood() {
        for line in [
            "--host claude-code --event PreToolUse --deadline soon",
            "--host claude-code --event PreToolUse --if-missing maybe",
            "--host claude-code --event PreToolUse --unknown",
            "--host claude-code --event PreToolUse stray",
        ] {
            let args = read(words(line)).expect_err(line).understood;
            assert_eq!(args.host.as_deref(), Some("claude-code"));
            assert_eq!(args.event.as_deref(), Some("PreToolUse"));
        }
    }
}
