use super::*;

fn whole(bytes: &[u8]) -> String {
    let mut plain = Plain::default();
    let mut out = plain.push(bytes);
    out.push_str(&plain.finish());
    out
}

fn byte_by_byte(bytes: &[u8]) -> String {
    let mut plain = Plain::default();
    let mut out: String = bytes.iter().map(|byte| plain.push(&[*byte])).collect();
    out.push_str(&plain.finish());
    out
}

#[track_caller]
fn check(bytes: &[u8], wanted: &str) {
    assert_eq!(whole(bytes), wanted, "whole");
    assert_eq!(byte_by_byte(bytes), wanted, "byte by byte");
}

#[test]
fn colours_and_cursor_moves_are_gone() {
    check(b"\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m\n", "red blue\n");
    check(b"\x1b[2J\x1b[Hscreen\x1b[10;20H!\n", "screen!\n");
    check(b"\x1b(Bplain\x1b)0\x1b7\x1b8\x1bM\n", "plain\n");
}

#[test]
fn messages_to_the_terminal_are_gone() {
    check(b"\x1b]0;evil title\x07after\n", "after\n");
    check(b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "link\n");
    check(b"\x1bP+q544e\x1b\\a\x1b_app\x1b\\b\x1b^pm\x1b\\c\n", "abc\n");
    check("\u{9d}0;title\u{9c}a\u{9b}31mb\n".as_bytes(), "ab\n");
}

#[test]
fn a_sequence_that_never_ends_hides_one_line_at_the_most() {
    check(b"\x1b]0;no end\nvisible\n", "\nvisible\n");
    check(b"\x1b[31\nvisible\n", "\nvisible\n");
    let long = [b"\x1b]".as_slice(), &[b'x'; 5000], b"end\n"].concat();
    assert!(whole(&long).ends_with("end\n"));
}

#[test]
fn a_progress_line_shows_as_it_last_stood() {
    check(b"10%\r50%\r100%\ndone\n", "100%\ndone\n");
    check(b"windows\r\nline\r\n", "windows\nline\n");
    check(b"kept at the end\r", "kept at the end");
    check(b"\rabc\r\r\n", "abc\n");
    check(b"ab\x08c\n", "ac\n");
}

#[test]
fn control_characters_are_gone_and_tabs_stay() {
    check(b"a\0b\x07c\x0bd\x7fe\tf\n", "abcde\tf\n");
}

#[test]
fn letters_of_any_script_survive_any_cut() {
    check("漢字 かな 한글 é 👩‍👩‍👧\n".as_bytes(), "漢字 かな 한글 é 👩‍👩‍👧\n");
    check(b"\xff\xfea\xc3\n", "\u{fffd}\u{fffd}a\u{fffd}\n");
    check(b"cut \xe6\xbc", "cut \u{fffd}");
}

#[test]
fn a_line_without_an_end_does_not_grow_without_bound() {
    let mut plain = Plain::default();
    let mut given = 0;
    for _ in 0..100 {
        given += plain.push(&[b'x'; 1000]).len();
    }
    assert!(given > 80_000 && plain.line.len() <= MOST_LINE + 1000);
}
