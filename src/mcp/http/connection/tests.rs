use super::*;

#[test]
fn a_refusal_is_told_in_the_servers_words_and_never_as_a_page() {
    for (body, told) in [
        (
            r#"{"jsonrpc":"2.0","error":{"code":-1,"message":"no\nsuch session"},"id":null}"#,
            "no such session",
        ),
        (
            r#"{"error":"invalid_token","error_description":"It has expired"}"#,
            "It has expired",
        ),
        (r#"{"error":"invalid_token"}"#, "invalid_token"),
        ("Bad Gateway\n", "Bad Gateway"),
        ("<!doctype html><title>502</title>", ""),
        ("{}", ""),
        ("a\u{1b}[2Jb", "ab"),
    ] {
        assert_eq!(words(&error_message(body.as_bytes())), told, "{body}");
    }
}
