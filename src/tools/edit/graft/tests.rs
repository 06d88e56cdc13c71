use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn where_nothing_has_to_fit_line_by_line_is_the_new_text(old in "[ab \n]{0,12}", new in "[ab \n]{0,12}") {
        let style = Style::of(b"a\nb");
        prop_assert!(style.is_as_shown());
        let mut out = Vec::new();
        by_lines(&mut out, &style, old.as_bytes(), (&old, &new)).unwrap();
        prop_assert_eq!(String::from_utf8(out).unwrap(), new);
    }
}

#[test]
fn a_file_with_other_bytes_or_ends_has_to_fit() {
    for file in [&b"a\r\nb"[..], b"caf\xe9\n"] {
        assert!(!Style::of(file).is_as_shown());
    }
}
