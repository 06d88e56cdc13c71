//! Tests of what counts as a slip.

use super::*;

#[test]
fn nearness_counts_swaps_as_one_slip() {
    assert_eq!(
        [
            distance("grep", "gerp"),
            distance("read", "reed"),
            distance("", "abc"),
            distance("a", "a")
        ],
        [1, 1, 3, 0]
    );
    assert_eq!(nearest("mian.rs", ["main.rs", "other.rs"]), Some("main.rs"));
    assert_eq!(nearest("README", ["readme.md", "x"]), Some("readme.md"));
    assert_eq!(nearest("zzz", ["main.rs"]), None);
}
