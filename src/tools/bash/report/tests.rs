use super::*;

#[test]
fn cargo_without_a_lock_file_is_told_what_was_refused_and_how_to_run_outside() {
    let said = "error: failed to write `/w/Cargo.lock`\n\nCaused by:\n  failed to open: /w/Cargo.lock\n\n\
                Caused by:\n  Read-only file system (os error 30)\n";
    let told = refusals(said).unwrap();
    for part in ["writing a file (EROFS", "`unconfined: true`", "type `!`"] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(refusals("error: no such subcommand\n"), None);
}

#[test]
fn five_names_are_told_and_how_many_more_there_are() {
    let names = |count: usize| (0..count).map(|number| number.to_string()).collect();
    assert_eq!(some(names(5)), "0, 1, 2, 3, 4");
    assert_eq!(some(names(7)), "0, 1, 2, 3, 4, and 2 more");
}
