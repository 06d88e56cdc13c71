use super::*;

fn found(text: &str) -> Vec<String> {
    find(text).iter().map(|(_, link)| link.address().to_owned()).collect()
}

#[test]
fn an_address_ends_where_its_sentence_goes_on() {
    for (text, address) in [
        ("see https://a.example/x.", "https://a.example/x"),
        ("(https://a.example/x_(y)), and", "https://a.example/x_(y)"),
        ("<https://a.example/?a=1&b=%20>", "https://a.example/?a=1&b=%20"),
        ("請看https://a.example/文件。", "https://a.example/"),
        ("HTTP://A.example:8080/#z'", "HTTP://A.example:8080/#z"),
        ("[x](https://a.example/)", "https://a.example/"),
        ("**https://a.example/**", "https://a.example/"),
    ] {
        assert_eq!(found(text), [address], "{text}");
    }
}

#[test]
fn what_is_no_web_address_stays_text() {
    for text in [
        "https://",
        "http:// a",
        "file:///etc/passwd",
        "xhttp://a.example",
        "javascript://a",
        "a://b",
        "://",
        "https://。",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
    for address in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "docs/a.md",
        "#top",
        "",
        "mailto:",
    ] {
        assert_eq!(Link::to(address), None, "{address}");
    }
}

#[test]
fn an_address_holds_nothing_that_could_end_its_sequence() {
    let link = Link::to("https://a.example/\x1b]8;;\x07\u{9c}漢 \"").unwrap();
    assert_eq!(link.address(), "https://a.example/%1B]8;;%07%C2%9C%E6%BC%A2%20%22");
    assert_eq!(Link::to(&format!("https://{}", "a".repeat(LONGEST))), None);
    assert_eq!(Link::to(&format!("https://{}", "漢".repeat(LONGEST / 4))), None);
}

#[test]
fn many_addresses_are_found_in_one_go() {
    let text = "https://a.example/b ".repeat(50_000);
    assert_eq!(find(&text).len(), 50_000);
    assert_eq!(find(&"://".repeat(300_000)).len(), 0);
    assert_eq!(find(&")".repeat(300_000)).len(), 0);
    assert_eq!(find(&format!("http://{}", ")".repeat(300_000))).len(), 0);
}
