//! The keys that a release may be signed with. `build.rs` takes them from `installer/keys`.

/// Two, so that a release can be signed while one of them is lost, or is being replaced.
pub(crate) const ACCEPTED: [&str; 2] = [env!("HOOKKIT_FIRST_KEY"), env!("HOOKKIT_SECOND_KEY")];

/// Whether everybody can sign with them: in all builds but those for a release.
pub(crate) const ARE_FOR_TESTS: bool = cfg!(not(hookkit_release));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Key;

    #[test]
    fn both_keys_can_be_read() {
        assert!(ACCEPTED.iter().all(|key| Key::read(key).is_some()));
    }
}
