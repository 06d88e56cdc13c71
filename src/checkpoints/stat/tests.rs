use super::*;

#[test]
fn a_file_is_racy_until_its_clock_has_moved_on() {
    let at = |modified| Stat {
        modified,
        changed: modified,
        size: 1,
        inode: 1,
        device: 1,
        mode: 0o644,
        is_linked: false,
    };
    assert!(at(7 * SECOND + 5).is_racy(7 * SECOND + 6));
    assert!(!at(7 * SECOND + 5).is_racy(7 * SECOND + 6 + TICK));
    assert!(at(7 * SECOND).is_racy(8 * SECOND), "whole seconds");
    assert!(!at(7 * SECOND).is_racy(10 * SECOND));
    assert!(at(9 * SECOND + 1).is_racy(SECOND), "a time in the future");
}
