use super::*;

#[test]
fn code_that_names_a_file_is_a_place_and_other_code_is_not() {
    let of = |code: &str| Spot::of(code).map(|spot| (spot.path, spot.line));
    assert_eq!(of("src/main.rs:12"), Some(("src/main.rs".to_owned(), Some(12))));
    assert_eq!(of("./Makefile.am:3-9"), Some(("Makefile.am".to_owned(), Some(3))));
    assert_eq!(of("src/main.rs"), Some(("src/main.rs".to_owned(), None)));
    for code in [
        "a.b()",
        "cargo test",
        "http://x/y",
        "std::fs",
        "x.y",
        "main.rs:0",
        "a:b",
        "",
    ] {
        assert_eq!(of(code), None, "{code}");
    }
    let text = "It is here (`a/b.rs:1`), `let x`, and `a/b.rs:1` again, then `c.txt:2`.";
    let lines: Vec<_> = Spot::find(text).into_iter().map(|spot| spot.line).collect();
    assert_eq!(lines, [Some(1), Some(2)]);
}
