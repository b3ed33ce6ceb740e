//! The user's PATH of Windows, as it is in the registry: folders with semicolons between them, and
//! variables that are not replaced yet.

/// With a folder in front. `None` where it is there already.
pub(super) fn with(list: &str, folder: &str) -> Option<String> {
    if list.split(';').any(|part| is_same(part, folder)) {
        return None;
    }
    Some(if list.is_empty() {
        folder.to_owned()
    } else {
        format!("{folder};{list}")
    })
}

/// Without a folder. `None` where it is not there.
pub(super) fn without(list: &str, folder: &str) -> Option<String> {
    let kept: Vec<_> = list
        .split(';')
        .filter(|part| !is_same(part, folder))
        .collect();
    let kept = kept.join(";");
    (kept != list).then_some(kept)
}

/// Names of folders there have no case, and may end with a separator.
fn is_same(part: &str, folder: &str) -> bool {
    part.trim_end_matches('\\').to_lowercase() == folder.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = r"C:\Users\Some One\AppData\Local\hookkit\self\bin";

    #[test]
    fn hb_rel_11_a_folder_comes_once_and_goes_as_a_whole() {
        for list in ["", r"%USERPROFILE%\bin;C:\tools", r"C:\a;;C:\b;", ";"] {
            let with_it = with(list, FOLDER).expect("it is new");
            assert!(with_it.starts_with(FOLDER));
            assert_eq!(with(&with_it, FOLDER), None);
            assert_eq!(with(&with_it.to_uppercase(), FOLDER), None);
            let gone = without(&with_it, FOLDER).expect("it was there");
            assert_eq!(gone, list);
            assert_eq!(without(list, FOLDER), None);
        }
        let ended = format!(r"C:\a;{FOLDER}\");
        assert_eq!(with(&ended, FOLDER), None);
        assert_eq!(without(&ended, FOLDER).as_deref(), Some(r"C:\a"));
        let longer = format!(r"{FOLDER}\deeper");
        assert_eq!(without(&longer, FOLDER), None);
    }
}
