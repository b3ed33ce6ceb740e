//! What hookkit costs.

use std::env::consts::{ARCH, EXE_EXTENSION, OS};

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;

use super::{
    CROWDS, HUNDRED_ENTRIES, INSTALLED, LOGGED, NOTHING_SELECTED, ONE_NATIVE_HOOK, Parts,
    READS_SIXTY_MIB, READS_TEN_MIB, REFERENCE_GUARD, THOUSAND_ENTRIES, THROUGH_SELECTOR, of_crowd,
};
use crate::plugin::Plugin;
use crate::row::{Group, Row, Start, denies};
use crate::rows::today;

pub(super) fn rows(parts: &Parts) -> Result<Vec<Row>> {
    let silent = parts.program("hook_none");
    let one_hook = |name, matcher| -> Result<Start> {
        let plugin = Plugin::new(name, matcher).program(&silent);
        Ok(parts.dispatch(&plugin.write(parts.out)?))
    };
    let nothing_selected = one_hook("bench-nothing-selected", "Write")?;
    let one_native_hook = one_hook("bench-one-hook", "Bash")?;
    let mut rows = vec![
        Row::new(NOTHING_SELECTED, nothing_selected).may_start(0),
        Row::new(ONE_NATIVE_HOOK, one_native_hook.clone()).may_start(1),
        Row::new(READS_TEN_MIB, one_native_hook.clone()).among(Group::TenMib),
        Row::new(READS_SIXTY_MIB, one_native_hook).among(Group::SixtyMib),
    ];
    for (name, entries) in [(HUNDRED_ENTRIES, 100), (THOUSAND_ENTRIES, 1000)] {
        let folder = format!("bench-{entries}-entries");
        let plugin = Plugin::new(&folder, "Write")
            .program(&silent)
            .times(entries);
        let start = parts.dispatch(&plugin.write(parts.out)?);
        rows.push(Row::new(name, start).among(Group::Others).may_start(0));
    }
    for (name, is_logged) in [(INSTALLED, false), (LOGGED, true)] {
        rows.push(Row::new(name, installed(parts, is_logged)?).may_start(1));
    }
    for hooks in CROWDS {
        let name = format!("bench-{hooks}-hooks");
        let plugin = Plugin::new(&name, "Bash").program(&silent).times(hooks);
        let start = parts.dispatch(&plugin.write(parts.out)?);
        let row = Row::new(of_crowd(hooks), start).among(Group::Crowds);
        rows.push(row.may_start(hooks));
    }
    let start = through_selector(parts)?;
    rows.extend(start.map(|start| Row::new(THROUGH_SELECTOR, start)));
    if let Some(guard) = today::python_guard(parts)? {
        let plugin = Plugin::new("bench-reference-guard", "Bash").script("python", &guard);
        let start = parts.dispatch(&plugin.write(parts.out)?);
        let row = Row::new(REFERENCE_GUARD, start).among(Group::Interpreted);
        rows.push(row.may_start(1));
    }
    Ok(rows)
}

/// The hooks of the rows above do run: in their place a hook that refuses is heard. The log is
/// written where it is on, and only there.
pub(super) fn refuses(parts: &Parts) -> Result<()> {
    for (data, is_logged) in [("installed", false), ("logged", true)] {
        let log = parts.out.join(data).join(hookkit_dispatch::log::FILE);
        ensure!(log.exists() == is_logged, "{}", log.display());
    }
    let refuse = parts.program("hook_refuse");
    for (name, hooks) in [("bench-refusal", 1), ("bench-refusals", 8)] {
        let plugin = Plugin::new(name, "Bash").program(&refuse).times(hooks);
        let start = parts.dispatch(&plugin.write(parts.out)?);
        denies(&start, &parts.payloads.one_kib)?;
    }
    Ok(())
}

/// A data folder of its own, as `hookkit install` makes it.
fn installed(parts: &Parts, is_logged: bool) -> Result<Start> {
    let data = parts
        .out
        .join(if is_logged { "logged" } else { "installed" });
    if data.exists() {
        fs::remove_dir_all(&data)?;
    }
    let plugin = "bench-installed";
    let silent = parts.program("hook_none");
    Plugin::new(plugin, "Bash")
        .program(&silent)
        .install(&data, is_logged)?;
    fs::create_dir_all(data.join("bin"))?;
    let dispatch = data.join("bin/hookkit-dispatch");
    let dispatch = dispatch.with_extension(EXE_EXTENSION);
    fs::copy(&parts.options.dispatch, &dispatch)?;
    Ok(Start::installed(&dispatch, plugin))
}

/// A tree as `hookkit build` lays it out, as far as the selector looks at it. Its dispatcher is the
/// very file of the other rows: a copy would be as fast or as slow as the system happened to cache it.
/// None where the selector is not what is started.
fn through_selector(parts: &Parts) -> Result<Option<Start>> {
    let place = match OS {
        "linux" => format!("linux-{ARCH}"),
        "macos" => OS.to_owned(),
        _ => return Ok(None),
    };
    let silent = parts.program("hook_none");
    let plugin = Plugin::new("bench-tree", "Write").program(&silent);
    let root = plugin.write(parts.out)?;
    let selector = hookkit_launchers::selector::file();
    let script = root.join(&*selector.path);
    let folder = script.parent().context("the selector lies in a folder")?;
    fs::create_dir_all(folder.join(&place))?;
    let dispatcher = folder.join(&place).join("hookkit-dispatch");
    if dispatcher.exists() {
        fs::remove_file(&dispatcher)?;
    }
    fs::hard_link(&parts.options.dispatch, dispatcher)?;
    fs::write(&script, &selector.bytes)?;
    make_executable(&script)?;
    Ok(Some(Start::dispatch(&script, &root)))
}

#[cfg(unix)]
fn make_executable(file: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

#[cfg(not(unix))]
fn make_executable(_file: &std::path::Path) -> Result<()> {
    Ok(())
}
