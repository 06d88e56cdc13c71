//! Line ends and encodings: a patch changes only the bytes of its changed lines.

use super::*;

#[test]
fn line_ends_of_the_file_stay_whatever_the_patch_has() {
    let lf = "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n";
    let crlf_lines = "--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n a\r\n-b\r\n+B\r\n+BB\r\n c\r\n";
    for (before, text, wanted) in [
        ("a\r\nb\r\nc\r\n", lf.to_owned(), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", crlf_lines.to_owned(), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", lf.replace('\n', "\r\n"), "a\r\nB\r\nBB\r\nc\r\n"),
        ("a\nb\nc\n", lf.replace('\n', "\r\n"), "a\nB\nBB\nc\n"),
        ("a\nb\nc\n", crlf_lines.to_owned(), "a\nB\nBB\nc\n"),
        ("a\r\nb\nc\r\n", lf.to_owned(), "a\r\nB\nBB\nc\r\n"),
        // A patch that changes line ends must contain the correct old line ends.
        (
            "a\r\nb\r\n",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n".to_owned(),
            "a\nb\r\n",
        ),
        // The file lacks a final line end.
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n".to_owned(),
            "a\nc",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n".to_owned(),
            "A\nb",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+c\n".to_owned(),
            "a\nb\nc\n",
        ),
        (
            "a\nb",
            "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n".to_owned(),
            "a\nb\n",
        ),
        (
            "a\nb\n",
            "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n".to_owned(),
            "a\nb",
        ),
    ] {
        assert_eq!(file(before, &text), wanted, "{before:?} {text:?}");
    }
}

#[test]
fn a_file_in_another_encoding_keeps_its_bytes() {
    let bytes = |before: &[u8], hunk: &str| {
        let mut shelf = Shelf([("f".to_owned(), Bytes::from(before))].into());
        let applied = apply_text(&format!("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n{hunk}"), &mut shelf);
        applied
            .map(|applied| applied.files[0].after.as_deref().unwrap().to_vec())
            .map_err(|error| error.code)
    };
    assert_eq!(
        bytes(b"caf\xe9\nb\n", " caf\u{fffd}\n-b\n+B\n"),
        Ok(b"caf\xe9\nB\n".to_vec())
    );
    assert_eq!(
        bytes(b"caf\xe9\nb\n", "-caf\u{fffd}\n+tea\n b\n"),
        Ok(b"tea\nb\n".to_vec())
    );
    assert_eq!(bytes(b"caf\xe9\nb\n", "-b\n+\u{e9}\n"), Err("encoding"));
    assert_eq!(bytes(b"a\0\nb\n", "-b\n+c\n"), Err("binary"));
    assert_eq!(
        bytes(b"\xef\xbb\xbfa\nb\n", "-a\n+A\n b\n"),
        Ok(b"\xef\xbb\xbfA\nb\n".to_vec())
    );
    assert_eq!(
        bytes(b"\xef\xbb\xbfa\nb\n", "-\u{feff}a\n+A\n b\n"),
        Ok(b"A\nb\n".to_vec())
    );
}
