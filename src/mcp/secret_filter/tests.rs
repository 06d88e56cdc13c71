use super::filter_secrets;

#[test]
fn a_secret_is_found_however_it_is_written_and_words_around_it_stay() {
    let secrets = ["ab/c+d=", "ab/c+d=and-more", "abc"];
    for (told, left) in [
        ("no such token: ab/c+d=.", "no such token: [token]."),
        (r#"{"m":"ä ab\/c+d="}"#, r#"{"m":"ä [token]"}"#),
        (r"\u0061b\u002Fc+d=", "[token]"),
        ("/x/ab%2Fc%2bd%3D/y", "/x/[token]/y"),
        ("ab/c+d=and-more ab/c+d=", "[token] [token]"),
        ("ab/c+d", "ab/c+d"),
        ("abc 100% of \\u00", "abc 100% of \\u00"),
        ("", ""),
    ] {
        assert_eq!(filter_secrets(told, &secrets), left, "{told}");
    }
}
