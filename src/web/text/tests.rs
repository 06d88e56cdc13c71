use super::*;

#[test]
fn the_type_decides_and_the_bytes_where_it_says_nothing() {
    assert_eq!(
        media_and_charset("Text/HTML ; boundary=x; Charset=\"GBK\""),
        ("text/html".to_owned(), Some("GBK".to_owned()))
    );
    assert_eq!(media_and_charset(""), (String::new(), None));
    for (media, kind) in [
        ("text/html", Some(Kind::Html)),
        ("application/xhtml+xml", Some(Kind::Html)),
        ("text/markdown", Some(Kind::Plain)),
        ("application/vnd.api+json", Some(Kind::Plain)),
        ("image/svg+xml", Some(Kind::Plain)),
        ("application/pdf", Some(Kind::Other)),
        ("image/png", Some(Kind::Other)),
        ("application/octet-stream", None),
    ] {
        assert_eq!(kind_of_media(media), kind, "{media}");
    }
    assert_eq!(kind_of_body("", b" \n<!DOCTYPE html><p>x"), Kind::Html);
    assert_eq!(kind_of_body("", b"# x"), Kind::Plain);
    assert_eq!(kind_of_body("", b"\x7fELF\0\0"), Kind::Other);
    assert_eq!(kind_of_body("text/html", b"<p>\0"), Kind::Other);
    assert_eq!(kind_of_body("text/plain", b"\xff\xfea\0"), Kind::Plain);
}
