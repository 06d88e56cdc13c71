use super::*;

fn subject(written: &str) -> String {
    Address::parse(written).unwrap().subject()
}

#[test]
fn an_address_without_scheme_is_https_and_http_is_part_of_the_subject() {
    assert_eq!(
        Address::parse(" docs.rs/serde#x ").unwrap().as_str(),
        "https://docs.rs/serde"
    );
    for (written, named) in [
        ("docs.rs", "docs.rs"),
        ("https://DOCS.rs:443/", "docs.rs"),
        ("https://docs.rs./", "docs.rs"),
        ("docs.rs:8443/x", "docs.rs:8443"),
        ("http://docs.rs/x", "http://docs.rs"),
        ("http://docs.rs:8080", "http://docs.rs:8080"),
        ("https://[2606:4700::1]:8443/", "[2606:4700::1]:8443"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://аpple.com/", "xn--pple-43d.com"),
    ] {
        assert_eq!(subject(written), named, "{written}");
    }
}

#[test]
fn what_is_no_address_of_a_page_is_refused() {
    for written in [
        "",
        "file:///etc/passwd",
        "file:/etc/passwd",
        "ftp://example.org/",
        "gopher://example.org:70/",
        "javascript:alert(1)",
        "data:text/html,x",
        "about:blank",
        "ws://example.org/",
        "https://user@example.org/",
        "https://user:pass@example.org/",
        "https://:pass@example.org/",
        "https://example.org\n.evil.example/",
        "https://exa mple.org/",
        "https://example.org/\tx",
        "https:///",
        "https://.../",
        "https://a..b/",
        "https://example.org:99999/",
        "https://example.org:22/",
        "http://example.org:6379x/",
        "http://example.org:25/",
        "http://256.256.256.256/",
        "http://[::1/",
        "http://ex%00ample.org/",
    ] {
        assert!(Address::parse(written).is_err(), "{written}");
    }
    let long = format!("https://example.org/{}", "x".repeat(2_000));
    assert!(Address::parse(&long).is_err());
    let told = Address::parse("https://user:hunter2@example.org/")
        .unwrap_err()
        .to_string();
    assert!(!told.contains("hunter2"), "{told}");
}

#[test]
fn an_approval_covers_the_same_host_and_never_less_security() {
    let covers = |one: &str, other: &str| Address::parse(one).unwrap().covers(&Address::parse(other).unwrap());
    assert!(covers("https://a.example/x", "https://a.example/y?z"));
    assert!(covers("http://a.example/", "https://a.example/"));
    assert!(covers("http://a.example/", "http://a.example/y"));
    assert!(covers("https://a.example./", "https://a.example/"));
    for other in [
        "http://a.example/",
        "https://www.a.example/",
        "https://a.example:8443/",
        "https://b.example/",
    ] {
        assert!(!covers("https://a.example/", other), "{other}");
    }
    assert!(!covers("http://a.example:8080/", "https://a.example/"));
}
