//! Manifests: every fault has its line, and what no fault stops can be run.

use hookkit_dispatch::host::HOSTS;
use hookkit_dispatch::manifest::{Fault, Manifest};
use hookkit_dispatch::matcher::Matcher;

/// Any text as a manifest.
pub fn hold(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let manifest = match Manifest::read(&text) {
        Ok(manifest) => manifest,
        Err(fault) => {
            stands_in(&fault, &text);
            assert!(fault.stops("PreToolUse"), "what is no manifest stops all");
            return;
        }
    };
    for fault in &manifest.faults {
        stands_in(fault, &text);
    }
    for hook in &manifest.hooks {
        if let Some(pattern) = &hook.matcher {
            let matcher = Matcher::read(pattern);
            assert_eq!(matcher.check().is_ok(), matcher.matches("Bash").is_ok());
        }
    }
    let events = HOSTS.iter().flat_map(|host| host.contracts());
    let named = manifest.hooks.iter().flat_map(|hook| &hook.events);
    for event in events
        .map(|contract| contract.event)
        .chain(named.map(|event| &**event))
    {
        if manifest.fault_on(event).is_none() {
            can_run(&manifest, event);
        }
    }
}

fn stands_in(fault: &Fault, text: &str) {
    let lines = 1 + text.matches('\n').count();
    assert!(
        (1..=lines).contains(&fault.line),
        "line {} of {lines}: {fault}",
        fault.line
    );
    assert!(!fault.what.is_empty(), "a fault says what is wrong");
}

fn can_run(manifest: &Manifest, event: &str) {
    assert!(!manifest.name.is_empty(), "a plugin has a name");
    assert!(!manifest.version.is_empty(), "a plugin has a version");
    let hooks: Vec<_> = manifest
        .hooks
        .iter()
        .filter(|hook| hook.is_on(event))
        .collect();
    for (index, hook) in hooks.iter().enumerate() {
        assert!(!hook.id.is_empty(), "a hook has an id");
        assert!(
            hooks[..index].iter().all(|earlier| earlier.id != hook.id),
            "{} stands twice on {event}",
            hook.id
        );
        let program = hook.run.first().map_or("", |program| program.trim());
        assert!(!program.is_empty(), "{} has a program on {event}", hook.id);
        assert!(!hook.timeout.is_zero(), "{} has time to run", hook.id);
        assert!(hook.events.iter().all(|event| !event.trim().is_empty()));
        let words = hook.run.iter().chain(hook.env.iter().map(|(name, _)| name));
        for word in words.chain(hook.env.iter().map(|(_, value)| value)) {
            assert!(!word.contains('\0'), "{word:?} can be handed to a program");
        }
    }
}
