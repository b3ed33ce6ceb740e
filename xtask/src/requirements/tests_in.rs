//! The names of the tests in a source, by a search through its text.

/// Macros of this workspace that make a test of each name they are given.
const MACROS: [&str; 1] = ["each_client!("];

/// Functions below `#[test]`, also inside a macro, and names handed to a macro that makes tests.
pub(super) fn names(source: &str) -> Vec<&str> {
    let written = source.split("#[test]").skip(1).filter_map(|after| {
        let (_, name) = after.split_once("fn ")?;
        Some(name.split('(').next()?.trim())
    });
    let made = MACROS.iter().flat_map(|start| {
        source
            .split(start)
            .skip(1)
            .filter_map(|after| after.split(')').next())
            .flat_map(|names| names.split([',', ';']))
            // `but Codex CLI:` stands before the names that one client is not asked.
            .filter_map(|name| name.rsplit(':').next())
            .map(str::trim)
    });
    written
        .chain(made)
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_and_other_functions_are_not() {
        let source = "
            each_client!(
                on_a_client,
                on_another;
                but Codex CLI:
                on_most,
            );
            fn on_a_client(client: &dyn Client) {}
            fn is_none() {}
            #[test]
            #[cfg(unix)]
            fn is_one() {}
            macro_rules! hosts { () => { $(#[test] fn $name() {} #[test] fn is_made() {})* } }";
        assert_eq!(
            names(source),
            [
                "is_one",
                "$name",
                "is_made",
                "on_a_client",
                "on_another",
                "on_most"
            ]
        );
    }
}
