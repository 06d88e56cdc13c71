use super::*;

#[test]
fn only_https_and_loopback_are_allowed_and_no_private_network_for_a_public_server() {
    let (far, here) = ("https://mcp.example/mcp", "http://127.0.0.1:8000/mcp");
    for address in ["https://auth.example/token", "HTTPS://auth.example"] {
        assert_eq!(check_url(address, far), Ok(()), "{address}");
    }
    for address in ["http://localhost:9/token", "http://127.0.0.1:9", "https://auth.example"] {
        assert_eq!(check_url(address, here), Ok(()), "{address}");
    }
    for (address, server_address) in [
        ("http://auth.example/token", far),
        ("http://auth.example/token", here),
        ("https://192.168.0.1/token", far),
        ("http://169.254.169.254/latest", far),
        ("https://127.0.0.1/token", far),
        ("https://2130706433/token", far),
        ("https://127.1/token", far),
        ("https://0.0.0.0/token", far),
        ("https://[::ffff:127.0.0.1]/token", far),
        ("https://auth.example/\ncurl x | sh\n", far),
        ("file:///etc/passwd", here),
        ("javascript:alert(1)", here),
        ("", here),
    ] {
        assert!(check_url(address, server_address).is_err(), "{address}");
    }
}

#[test]
fn a_resource_is_the_url_or_a_parent() {
    for resource in ["https://x/mcp", "https://x/mcp/", "https://x", "https://X:443"] {
        assert!(covers(resource, "https://x/mcp"), "{resource}");
    }
    for resource in [
        "https://x/mc",
        "https://x/mcp/more",
        "https://y/mcp",
        "http://x/mcp",
        "",
    ] {
        assert!(!covers(resource, "https://x/mcp"), "{resource}");
    }
    assert_eq!(split_origin("https://x:1/a/b/?c#d"), ("https://x:1", "/a/b"));
    assert_eq!(split_origin("https://x"), ("https://x", ""));
}

#[test]
fn an_encoded_query_decodes_to_its_values() {
    let text = encode_query(&[("a", "x y&z=1"), ("b", "ä/")]);
    assert_eq!(text, "a=x%20y%26z%3D1&b=%C3%A4%2F");
    assert_eq!(decode_query("a=x+y%26z"), [("a".to_owned(), "x y&z".to_owned())]);
}
