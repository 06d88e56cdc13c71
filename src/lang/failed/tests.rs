use super::*;

#[test]
fn an_unknown_code_is_shown_as_it_is() {
    assert_eq!(failed("of_later"), "of later");
    assert!(
        TOLD.iter()
            .all(|(code, _)| FAILED.iter().any(|(failed, _)| failed == code))
    );
    assert_eq!(told("of_later"), None);
}
