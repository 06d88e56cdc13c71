#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| benchdog::fuzzing::calls(bytes));
