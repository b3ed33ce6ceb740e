//! The PATH of the user in the registry.
//!
//! Read as it is written there, with variables that are not replaced, and written back with the type
//! that it had. What cannot be read is never written.

use super::{Told, list};
use crate::itself::{Place, Receipt};
use crate::registry::text;
use hookkit::edit::{Lock, Refused};
use hookkit_dispatch::env::Env;
use std::io;
use std::path::PathBuf;
use winreg::enums::{HKEY_CURRENT_USER, KEY_READ, KEY_WRITE, REG_EXPAND_SZ, RegType};
use winreg::{RegKey, RegValue};

const KEY: &str = "Environment";
const VALUE: &str = "Path";

/// Lets every program of this user find what is in SELF\bin, once it is started anew.
pub(crate) fn tell(
    place: &Place,
    _: &Env,
    receipt: &mut Receipt,
    turn: &Lock,
) -> Result<Told, Refused> {
    receipt.write(place, turn)?;
    let bin = place.bin().display().to_string();
    let mut told = Told::default();
    match change(|path| list::with(path, &bin)) {
        Ok(()) => told.places.push(shown()),
        Err(error) => told.refused.push(refused(&error)),
    }
    Ok(told)
}

pub(crate) fn forget(place: &Place, _: &Env, _: &Receipt, _: &Lock) -> Result<(), Refused> {
    let bin = place.bin().display().to_string();
    change(|path| list::without(path, &bin)).map_err(|error| refused(&error))
}

fn change(edit: impl FnOnce(&str) -> Option<String>) -> io::Result<()> {
    let key =
        RegKey::predef(HKEY_CURRENT_USER).open_subkey_with_flags(KEY, KEY_READ | KEY_WRITE)?;
    let (text, kind) = match key.get_raw_value(VALUE) {
        Ok(value) => (text(&value)?, value.vtype),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), REG_EXPAND_SZ),
        Err(error) => return Err(error),
    };
    let Some(after) = edit(&text) else {
        return Ok(());
    };
    key.set_raw_value(VALUE, &value(&after, kind))?;
    announce();
    Ok(())
}

fn value(text: &str, vtype: RegType) -> RegValue<'static> {
    let units = text.encode_utf16().chain([0]);
    RegValue {
        bytes: units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>().into(),
        vtype,
    }
}

fn shown() -> PathBuf {
    PathBuf::from(format!(r"HKEY_CURRENT_USER\{KEY}\{VALUE}"))
}

fn refused(error: &io::Error) -> Refused {
    Refused {
        file: shown(),
        line: None,
        what: format!("cannot be changed: {error}"),
        todo: "change it by hand, in the settings of environment variables".to_owned(),
    }
}

/// Explorer, which starts most programs, reads the PATH again when it is told to.
#[expect(unsafe_code, reason = "windows-sys has no safe form of it")]
fn announce() {
    use windows_sys::Win32::UI::WindowsAndMessaging::{
        HWND_BROADCAST, SMTO_ABORTIFHUNG, SendMessageTimeoutW, WM_SETTINGCHANGE,
    };
    const PATIENCE: u32 = 1000;
    let what: Vec<u16> = "Environment\0".encode_utf16().collect();
    // SAFETY: `what` is a text with an end that outlives the call, which returns after all windows
    // have answered or the time is over; a null pointer means that the answer is not wanted.
    unsafe {
        SendMessageTimeoutW(
            HWND_BROADCAST,
            WM_SETTINGCHANGE,
            0,
            what.as_ptr() as isize,
            SMTO_ABORTIFHUNG,
            PATIENCE,
            std::ptr::null_mut(),
        );
    }
}
