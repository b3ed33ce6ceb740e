#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| hookkit_fuzz::config::hold(data));
