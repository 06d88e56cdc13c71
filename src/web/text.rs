//! Detects whether a body is text, and decodes it. The header, a byte order mark or the page names the encoding.

use benchdog_base::page_text;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Html,
    /// Text that is shown unchanged, such as JSON or source code.
    Plain,
    Other,
}

/// Media types of text that do not begin with `text/`.
const TEXTS: &[&str] = &[
    "application/json",
    "application/ld+json",
    "application/x-ndjson",
    "application/jsonl",
    "application/xml",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/typescript",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/sql",
    "application/graphql",
    "application/x-sh",
    "application/x-httpd-php",
    "application/x-tex",
    "application/rtf",
    "message/rfc822",
    "image/svg+xml",
];

const SNIFFED_BYTES: usize = 1_024;

/// Splits a content type such as `text/html; charset=gbk` into the media type and the charset.
pub(crate) fn media_and_charset(content_type: &str) -> (String, Option<String>) {
    let mut parts = content_type.split(';');
    let media = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    (media, charset)
}

/// Returns the kind of a media type. `None` if the body must be examined.
pub(crate) fn kind_of_media(media: &str) -> Option<Kind> {
    let is_text =
        media.starts_with("text/") || TEXTS.contains(&media) || media.ends_with("+json") || media.ends_with("+xml");
    match media {
        "" | "application/octet-stream" | "binary/octet-stream" => None,
        "text/html" | "application/xhtml+xml" => Some(Kind::Html),
        _ if is_text => Some(Kind::Plain),
        _ => Some(Kind::Other),
    }
}

/// Returns the kind of a body. A body with zero bytes is not text, unless it has a UTF-16 byte order mark.
pub(crate) fn kind_of_body(media: &str, bytes: &[u8]) -> Kind {
    let begin = bytes.get(..SNIFFED_BYTES).unwrap_or(bytes);
    let has_mark = begin.starts_with(&[0xff, 0xfe]) || begin.starts_with(&[0xfe, 0xff]);
    if begin.contains(&0) && !has_mark {
        return Kind::Other;
    }
    kind_of_media(media).unwrap_or_else(|| {
        let begin = String::from_utf8_lossy(begin).to_ascii_lowercase();
        let begin = begin.trim_start_matches('\u{feff}').trim_start();
        match begin.starts_with("<!doctype html") || begin.starts_with("<html") {
            true => Kind::Html,
            false => Kind::Plain,
        }
    })
}

pub(crate) fn decode(bytes: &[u8], charset: Option<&str>, kind: Kind) -> String {
    page_text::decode(bytes, charset, kind == Kind::Html)
}

#[cfg(test)]
mod tests;
