//! Decodes a web page by its byte order mark, the charset in the HTTP header, the charset in its `meta` tag, or a guess
//! from its bytes.

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8};

/// Bytes at the beginning of a page that are searched for a `meta` tag. Browsers search 1,024 bytes.
const LOOKED_AT: usize = 4_096;

/// Decodes a page. Invalid bytes become replacement characters.
pub fn decode(bytes: &[u8], header: Option<&str>, is_html: bool) -> String {
    let named = |label: &str| Encoding::for_label(label.trim().as_bytes());
    let by_header = header.and_then(named);
    let by_page = || {
        is_html
            .then(|| charset_of_page(bytes))
            .flatten()
            .and_then(|label| named(&label))
    };
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None => by_header.or_else(by_page).unwrap_or_else(|| guess_encoding(bytes)),
    };
    encoding.decode(bytes).0.into_owned()
}

fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if is_utf8 {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new();
    detector.feed(bytes, true);
    detector.guess(None, false)
}

/// Returns the value of `charset=` in the first `meta` tag or XML declaration that has one.
fn charset_of_page(bytes: &[u8]) -> Option<String> {
    let begin = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let text: String = begin
        .iter()
        .map(|byte| char::from(*byte).to_ascii_lowercase())
        .collect();
    let tags = text
        .split('<')
        .skip(1)
        .map(|tag| tag.split('>').next().unwrap_or_default());
    tags.filter_map(|tag| match tag {
        tag if tag.starts_with("meta") => value_of(tag, "charset"),
        tag if tag.starts_with("?xml") => value_of(tag, "encoding"),
        _ => None,
    })
    // The `meta` tag was readable as ASCII, so the page is not UTF-16.
    .map(|label| {
        if label.starts_with("utf-16") {
            "utf-8".to_owned()
        } else {
            label
        }
    })
    .next()
}

fn value_of(tag: &str, name: &str) -> Option<String> {
    let behind = tag.split_once(name)?.1.trim_start().strip_prefix('=')?.trim_start();
    let behind = behind.trim_start_matches(['"', '\'']);
    let end = behind
        .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '/'))
        .unwrap_or(behind.len());
    behind.get(..end).filter(|label| !label.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
