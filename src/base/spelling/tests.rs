use super::nearest;

#[test]
fn a_swap_a_case_and_a_missing_end_are_slips() {
    assert_eq!(nearest("mian.rs", ["main.rs", "other.rs"]), Some("main.rs"));
    assert_eq!(nearest("README", ["readme.md", "x"]), Some("readme.md"));
    assert_eq!(nearest("README.md", ["readme.md.bak", "readme.md"]), Some("readme.md"));
    assert_eq!(nearest("gerp", ["read", "grep"]), Some("grep"));
    assert_eq!(nearest("text.acent", ["text", "text.accent"]), Some("text.accent"));
    assert_eq!(
        nearest("permisison", ["model", "provider", "permission"]),
        Some("permission")
    );
}

#[test]
fn another_word_is_no_slip() {
    assert_eq!(nearest("zzz", ["main.rs"]), None);
    assert_eq!(nearest("color", ["model", "provider"]), None);
    assert_eq!(nearest("bush", ["read", "bash"]), Some("bash"));
    assert_eq!(nearest("push", ["read", "bash"]), None);
}
