use super::{Field, Lines};

fn lines(pieces: &[&[u8]]) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = Lines::default();
    for piece in pieces {
        lines.push(piece, |line| found.push(String::from_utf8_lossy(line).into_owned()));
    }
    if let Some(last) = lines.finish() {
        found.push(format!("(cut) {}", String::from_utf8_lossy(&last)));
    }
    found
}

#[test]
fn every_kind_of_line_end_ends_a_line_once() {
    assert_eq!(
        lines(&[b"a\nb\r\nc\rd\n\n\r\n\re"]),
        ["a", "b", "c", "d", "", "", "", "(cut) e"]
    );
}

#[test]
fn cr_and_lf_in_two_reads_are_one_end() {
    assert_eq!(lines(&[b"a\r", b"\nb\r", b"c\r", b"\n"]), ["a", "b", "c"]);
}

#[test]
fn a_line_in_pieces_comes_whole_even_inside_a_character() {
    let text = "data: 日本\n".as_bytes();
    for at in 0..text.len() {
        let (one, two) = text.split_at(at);
        assert_eq!(lines(&[one, two]), ["data: 日本"], "cut at {at}");
    }
}

#[test]
fn u2028_and_other_unicode_ends_are_text() {
    assert_eq!(
        lines(&["a\u{2028}b\u{85}c\u{c}d\n".as_bytes()]),
        ["a\u{2028}b\u{85}c\u{c}d"]
    );
}

#[test]
fn a_byte_order_mark_counts_only_at_the_start() {
    assert_eq!(
        lines(&[b"\xef", b"\xbb", b"\xbfa\n\xef\xbb\xbfb\n"]),
        ["a", "\u{feff}b"]
    );
}

#[test]
fn fields_are_read_as_the_format_says() {
    assert_eq!(Field::of(b"data: {}"), Field::Data(b"{}"));
    assert_eq!(Field::of(b"data:{}"), Field::Data(b"{}"));
    assert_eq!(Field::of(b"data:  x"), Field::Data(b" x"));
    assert_eq!(Field::of(b"data"), Field::Data(b""));
    assert_eq!(Field::of(b"event: error"), Field::Event(b"error"));
    assert_eq!(Field::of(b": keep-alive"), Field::Ignored);
    assert_eq!(Field::of(b"id: 7"), Field::Ignored);
    assert_eq!(Field::of(b""), Field::Blank);
    assert_eq!(Field::of(b"{\"error\":1}"), Field::Stray(b"{\"error\":1}"));
    assert_eq!(Field::of(b"database: x"), Field::Stray(b"database: x"));
}
