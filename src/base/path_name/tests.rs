use super::*;

#[test]
fn a_name_that_is_no_utf8_is_shown_escaped_and_found_in_that_spelling() {
    let name = OsString::from_vec(b"caf\xe9 \xff.txt".to_vec());
    assert_eq!(display(Path::new(&name)), "caf\\xe9 \\xff.txt");
    let all = || [OsString::from("other"), name.clone()].into_iter();
    assert_eq!(
        find_equivalent(OsStr::new("caf\\xe9 \\xff.txt"), all()),
        Some(name.clone())
    );
    assert_eq!(find_equivalent(OsStr::new("caf\\xe9.txt"), all()), None);
    assert_eq!(display(Path::new("a\\xe9")), "a\\xe9", "text stays as it is");
}

#[test]
fn names_of_another_normal_form_mean_the_one_that_is_there() {
    let (composed, decomposed) = ("\u{dc}bersicht \u{ac00}", "U\u{308}bersicht \u{1100}\u{1161}");
    let all = |names: &[&str]| names.iter().map(OsString::from).collect::<Vec<_>>().into_iter();
    for (wanted, there) in [(composed, decomposed), (decomposed, composed)] {
        assert_eq!(
            find_equivalent(OsStr::new(wanted), all(&["x", there])),
            Some(there.into())
        );
    }
    assert_eq!(
        find_equivalent(OsStr::new("\u{212b}"), all(&["\u{c5}", "A\u{30a}"])),
        None,
        "two are meant"
    );
}
