use super::*;
use encoding_rs::{EUC_KR, GBK, SHIFT_JIS, WINDOWS_1252};

fn bytes(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

const CHINESE: &str = "你好，世界。这是一个网页。";
const JAPANESE: &str = "こんにちは、世界。これはページです。";
const KOREAN: &str = "안녕하세요, 세계. 이것은 페이지입니다.";

#[test]
fn the_charset_of_the_header_counts_before_that_of_the_page() {
    for (encoding, label, text) in [
        (GBK, "gb2312", CHINESE),
        (SHIFT_JIS, "Shift_JIS", JAPANESE),
        (EUC_KR, "euc-kr", KOREAN),
    ] {
        let page = format!("<html><meta charset='windows-1252'><p>{text}</p>");
        let read = decode(&bytes(encoding, &page), Some(label), true);
        assert!(read.contains(text), "{label}: {read}");
    }
}

#[test]
fn the_page_names_its_charset_in_each_usual_form() {
    for (encoding, head, text) in [
        (GBK, "<!doctype html><META CHARSET=gbk>", CHINESE),
        (
            SHIFT_JIS,
            "<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>",
            JAPANESE,
        ),
        (
            EUC_KR,
            "<title>x</title><meta name=a content=b><meta charset = \"ks_c_5601-1987\" />",
            KOREAN,
        ),
        (WINDOWS_1252, "<?xml version='1.0' encoding='iso-8859-1'?>", "café"),
        (UTF_8, "<meta charset='utf-16'>", "é"),
    ] {
        let read = decode(&bytes(encoding, &format!("{head}<p>{text}")), None, true);
        assert!(read.contains(text), "{head}: {read}");
    }
}

#[test]
fn a_mark_counts_most_and_bytes_decide_where_nothing_is_named() {
    assert_eq!(decode(b"\xef\xbb\xbfa\xc3\xa9", Some("gbk"), true), "aé");
    assert_eq!(decode(b"\xff\xfea\0", Some("utf-8"), false), "a");
    assert_eq!(decode("naïve".as_bytes(), None, false), "naïve");
    let long = CHINESE.repeat(20);
    assert_eq!(decode(&bytes(GBK, &long), None, true), long);
    // The text ends within a character.
    assert_eq!(decode(b"a\xc3", None, true), "a\u{fffd}");
    assert_eq!(decode(b"a", Some("no such charset"), true), "a");
    // A `meta` tag has no meaning in plain text.
    assert_eq!(
        decode("<meta charset=gbk>é".as_bytes(), None, false),
        "<meta charset=gbk>é"
    );
}
