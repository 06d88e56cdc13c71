use super::parameter;

#[test]
fn quoted_and_bare_parameters_are_parsed() {
    let told =
        r#"Bearer realm="a, scope=no", error=invalid_token, Resource_Metadata="https://x/a?b=c",scope="read \"all\"""#;
    assert_eq!(parameter(told, "realm").as_deref(), Some("a, scope=no"));
    assert_eq!(parameter(told, "error").as_deref(), Some("invalid_token"));
    assert_eq!(parameter(told, "resource_metadata").as_deref(), Some("https://x/a?b=c"));
    assert_eq!(parameter(told, "scope").as_deref(), Some("read \"all\""));
    assert_eq!(parameter(told, "nothing"), None);
    assert_eq!(parameter("Bearer", "scope"), None);
    assert_eq!(parameter("Bearer scope=\"open", "scope").as_deref(), Some("open"));
}
