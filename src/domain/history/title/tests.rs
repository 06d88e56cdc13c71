use super::*;

#[test]
fn a_given_title_is_one_short_line_without_hidden_characters() {
    assert_eq!(given_title(" one\ntwo\t\u{1b}[31mred\u{202e} "), "one two red");
    assert_eq!(given_title("\n \u{200b}"), "");
    assert_eq!(given_title(&"ä".repeat(LONGEST + 1)), "ä".repeat(LONGEST));
}
