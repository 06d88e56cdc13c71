//! Tests of secrets that are recognised by their names.

use super::*;

const MASK: &str = "[benchdog:redacted:named-secret]";

#[test]
fn literal_values_of_secret_names_are_masked() {
    for (text, value) in [
        ("password=hunter2secretpw", "hunter2secretpw"),
        ("export DB_PASSWORD=correcthorse\n", "correcthorse"),
        ("Authorization: Bearer abcdefghijk", "abcdefghijk"),
        ("-H 'authorization: Basic dXNlcjpwYXNz'", "dXNlcjpwYXNz"),
        (r#"{"api_key":"plainliteral"}"#, "plainliteral"),
        (r#"{\"apiKey\": \"plainliteral\"}"#, "plainliteral"),
        ("secret: s3cr3t-value", "s3cr3t-value"),
        ("password = \"longenough\"", "longenough"),
        ("?access_token=abcdefgh&x=1", "abcdefgh"),
    ] {
        assert_eq!(mask_named(text), text.replace(value, MASK), "{text}");
    }
    assert_eq!(mask_field("api_key", "plainliteral").as_deref(), Some(MASK));
}

#[test]
fn code_placeholders_and_short_values_stay() {
    for text in [
        "password = get_password()",
        "password=get_password1()",
        "token: CancellationToken,",
        "let token = other_token;",
        "connect(password=my_password, port)",
        "PASSWORD=$DB_PASSWORD1",
        "PASSWORD=${DB_PASSWORD}",
        "api_key = <your-key-123>",
        "token::Something2345",
        "max_tokens: 40960000",
        "password=short",
        "if password == \"abcdefgh1\"",
    ] {
        assert_eq!(mask_named(text), text);
    }
    assert_eq!(mask_field("name", "plainliteral"), None);
}
