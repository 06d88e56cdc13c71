use super::*;

#[test]
fn only_what_is_known_to_be_harmless_is_harmless() {
    for (name, value) in [
        ("VERBOSE", "True"),
        ("LOG", "debug"),
        ("MCP_PORT", "8080"),
        ("timeout_ms", "30000"),
        ("DATA", "/home/me/my notes/a.json"),
        ("DATA", "~/notes"),
        ("DATA", "${HOME}/notes"),
        ("PATH", "/usr/bin:/bin"),
        ("ANY", "${OTHER}"),
        ("ANY", ""),
    ] {
        assert!(is_harmless(name, value), "{name}={value}");
    }
    for (name, value) in [
        ("LINEAR", "lin_api_0123456789"),
        ("DB_PW", "hunter2"),
        ("DB_PW", "471147"),
        ("PORT", "47a"),
        ("API_KEY", "/home/me/key"),
        ("CREDS", "/kJ8sQ2lz+x0/aa"),
        ("CREDS", "/kJ8sQ2lzx0/aa"),
        ("URL", "postgres://me:pw@${HOST}/db"),
        ("DATA", "${HOME:-hunter2}"),
        ("PATH", "/usr/bin:hunter2"),
        ("MODE", "fast"),
    ] {
        assert!(!is_harmless(name, value), "{name}={value}");
    }
}

#[test]
fn a_header_is_of_variables_where_no_word_of_it_is_a_value() {
    assert!(is_of_variables("Bearer ${TOKEN}") && is_of_variables("${A}"));
    for value in ["Bearer abc", "Bearer abc ${A}", "${A}${B}", "abc${A}", "Bearer $A", ""] {
        assert!(!is_of_variables(value), "{value}");
    }
}
