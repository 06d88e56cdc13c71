//! Tests byte strings and their inputs. Each byte string is parsed whole and split at every byte.

use proptest::prelude::*;

use super::{Input, Parser};
use benchdog_app::msg::MouseKind;
use benchdog_keys::Key;

fn keys(names: &str) -> Vec<Input> {
    names
        .split_whitespace()
        .map(|name| Input::Key(name.parse::<Key>().unwrap()))
        .collect()
}

fn mouse(kind: MouseKind, x: u16, y: u16) -> Vec<Input> {
    vec![Input::Mouse { kind, x, y }]
}

fn paste(text: &str) -> Vec<Input> {
    vec![Input::Paste(text.to_owned())]
}

fn table() -> Vec<(&'static str, Vec<Input>)> {
    vec![
        // --- text ---
        ("aZ 9", keys("a Z space 9")),
        ("漢字é👍", keys("漢 字 é 👍")),
        ("\r\t\x7f\x08", keys("enter tab backspace backspace")),
        (
            "\x01\x0a\x1a\x1f\x1c\x00",
            keys("ctrl-a ctrl-j ctrl-z ctrl-_ ctrl-\\ ctrl-space"),
        ),
        // --- Esc and the next key ---
        ("\x1by", keys("alt-y")),
        ("\x1bé", keys("alt-é")),
        ("\x1b\x7f", keys("alt-backspace")),
        ("\x1b\r", keys("alt-enter")),
        ("\x1b_", keys("alt-_")),
        ("\x1b1\x1b6", keys("alt-1 alt-6")),
        ("\x1b\x1by", keys("esc alt-y")),
        ("\x1bOx", keys("8")),
        ("\x1b]x", keys("alt-] x")),
        ("\x1bPx", keys("alt-shift-p x")),
        // --- keys without text, in all spellings ---
        ("\x1b[A\x1bOA\x1b[1;5A", keys("up up ctrl-up")),
        (
            "\x1b[1;2D\x1b[1;3C\x1b[1;6H",
            keys("shift-left alt-right ctrl-shift-home"),
        ),
        ("\x1b[H\x1b[1~\x1b[7~\x1bOF\x1b[4~", keys("home home home end end")),
        (
            "\x1b[5~\x1b[6;5~\x1b[3~\x1b[2~",
            keys("pageup ctrl-pagedown delete insert"),
        ),
        ("\x1bOP\x1b[11~\x1b[[A\x1b[P", keys("f1 f1 f1 f1")),
        (
            "\x1bOQ\x1b[1;2Q\x1b[1;2R\x1b[15~\x1b[24~",
            keys("f2 shift-f2 shift-f3 f5 f12"),
        ),
        ("\x1b[Z", keys("shift-tab")),
        ("\x1b\x1b[A", keys("alt-up")),
        // --- the kitty protocol ---
        (
            "\x1b[27u\x1b[13;2u\x1b[9;5u\x1b[127;3u",
            keys("esc shift-enter ctrl-tab alt-backspace"),
        ),
        ("\x1b[97;5u\x1b[97;3u\x1b[97;2u", keys("ctrl-a alt-a A")),
        ("\x1b[121;3:1u\x1b[121;3:2u\x1b[121;3:3u", keys("alt-y alt-y")),
        ("\x1b[1;1:3A\x1b[1;1:1A", keys("up")),
        ("\x1b[57399u\x1b[57414u\x1b[57419u\x1b[57376u", keys("0 enter up f13")),
        ("\x1b[57441u\x1b[57358u", vec![]),
        ("\x1b[27;5;105~\x1b[27;2;13~", keys("ctrl-i shift-enter")),
        ("\x1b[95;5u", keys("ctrl-_")),
        // --- the mouse ---
        ("\x1b[<0;10;5M", mouse(MouseKind::Press, 9, 4)),
        ("\x1b[<0;10;5m", mouse(MouseKind::Release, 9, 4)),
        ("\x1b[<32;11;5M", mouse(MouseKind::Drag, 10, 4)),
        ("\x1b[<64;1;1M", mouse(MouseKind::ScrollUp, 0, 0)),
        ("\x1b[<81;300;120M", mouse(MouseKind::ScrollDown, 299, 119)),
        ("\x1b[<2;1;1M\x1b[<35;4;4M", vec![]),
        ("\x1b[M !!x", keys("x")),
        // --- paste ---
        ("\x1b[200~a\rb\r\nc\x1b[201~d", [paste("a\nb\nc"), keys("d")].concat()),
        ("\x1b[200~rm -rf\x1b[31m\x07\x1b[20\x1b[201~", paste("rm -rf[31m[20")),
        ("\x1b[200~\x1b[201~", paste("")),
        ("\x1b[200~漢\t字\x1b[201~", paste("漢\t字")),
        // --- focus and answers ---
        ("\x1b[I\x1b[O", vec![Input::Focus(true), Input::Focus(false)]),
        ("\x1b[?0u\x1b[?62;22c", vec![Input::Kitty, Input::Attributes]),
        (
            "a\x1b[?1uy\x1b[?6cb",
            [
                keys("a"),
                vec![Input::Kitty],
                keys("y"),
                vec![Input::Attributes],
                keys("b"),
            ]
            .concat(),
        ),
        (
            "\x1b]11;rgb:ffff/ffff/ffff\x1b\\q",
            [vec![Input::Ground(1.0, 1.0, 1.0)], keys("q")].concat(),
        ),
        ("\x1b]11;rgb:00/ff/00\x07", vec![Input::Ground(0.0, 1.0, 0.0)]),
        ("\x1b]52;c;aGk=\x07\x1bP1$r0m\x1b\\z", keys("z")),
        ("\x1b[24;5R\x1b[?2026;2$y\x1b[>41;354;0c\x1b[8;40;120tz", keys("z")),
        // --- sequences interrupted by another input ---
        ("\x1b[12\x1b[Ax", keys("up x")),
        ("\x1b[1;5\r", keys("enter")),
    ]
}

/// Whether both parts must parse like the whole. `Esc` and a character are one key only if they arrive together.
fn can_be_cut(bytes: &[u8], cut: usize) -> bool {
    let before = bytes.get(..cut).and_then(|before| before.last());
    before != Some(&super::ESC) || bytes.get(cut).is_none_or(|next| super::begins_sequence(*next))
}

#[test]
fn esc_and_a_letter_in_two_reads_are_two_keys() {
    let mut parser = Parser::default();
    let mut found = Vec::new();
    parser.feed(b"\x1b", &mut found);
    parser.feed(b"y", &mut found);
    assert_eq!(found, keys("esc y"));
    found.clear();
    parser.feed(b"\x1by", &mut found);
    assert_eq!(found, keys("alt-y"));
}

#[test]
fn every_sequence_means_the_same_however_its_bytes_arrive() {
    for (bytes, expected) in table() {
        let bytes = bytes.as_bytes();
        for cut in (0..=bytes.len()).filter(|cut| can_be_cut(bytes, *cut)) {
            let mut parser = Parser::default();
            let mut found = Vec::new();
            let (front, back) = bytes.split_at(cut);
            parser.feed(front, &mut found);
            parser.feed(back, &mut found);
            assert_eq!(found, expected, "{:?} cut at {cut}", String::from_utf8_lossy(bytes));
        }
        let mut parser = Parser::default();
        let (mut found, mut from) = (Vec::new(), 0);
        for to in (1..=bytes.len()).filter(|cut| can_be_cut(bytes, *cut)) {
            parser.feed(&bytes[from..to], &mut found);
            from = to;
        }
        assert_eq!(found, expected, "{:?} byte by byte", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn a_lone_esc_is_one_only_after_a_moment_of_silence() {
    for (bytes, expected) in [
        ("\x1b", keys("esc")),
        ("\x1b\x1b", keys("esc esc")),
        ("\x1b[", keys("alt-[")),
        ("\x1bO", keys("alt-shift-o")),
        ("\x1b]", keys("alt-]")),
        ("\x1b\x1b[", keys("esc alt-[")),
    ] {
        let mut parser = Parser::default();
        let mut found = Vec::new();
        parser.feed(bytes.as_bytes(), &mut found);
        assert_eq!(found, [], "{bytes:?} is undecided");
        assert_eq!(parser.patience(), Some(super::ESC_WAIT));
        parser.settle(&mut found);
        assert_eq!(found, expected);
        parser.feed(b"y", &mut found);
        assert_eq!(
            found,
            [expected, keys("y")].concat(),
            "the key after it stands for itself"
        );
    }
}

#[test]
fn a_moment_of_silence_decides_nothing_inside_a_paste_or_a_character() {
    let mut parser = Parser::default();
    let mut found = Vec::new();
    for part in [&b"\x1b[200~a\x1b"[..], b"[201~\xe6\xbc", b"\xa2"] {
        assert_ne!(parser.patience(), Some(super::ESC_WAIT));
        parser.feed(part, &mut found);
    }
    assert_eq!(found, [paste("a"), keys("漢")].concat());
    assert_eq!(parser.patience(), None, "nothing is held");
}

#[test]
fn half_a_sequence_is_given_up_after_a_silence_and_takes_no_key_with_it() {
    let halves: [&[u8]; 8] = [
        b"\x1b[",
        b"\x1b[1;5",
        b"\x1b\x1b[1",
        b"\x1b]11;rgb:12",
        b"\x1bP1$r",
        b"\x1b[<0;1",
        b"\xe6\xbc",
        b"\x1b[M!",
    ];
    for half in halves
        .iter()
        .map(|half| half.to_vec())
        .chain([long_csi(), long_string()])
    {
        let mut parser = Parser::default();
        let mut found = Vec::new();
        parser.feed(&half, &mut found);
        assert!(parser.patience().is_some(), "{:?}", String::from_utf8_lossy(&half));
        parser.settle(&mut found);
        found.clear();
        parser.feed(b"1y", &mut found);
        assert_eq!(found, keys("1 y"), "{:?}", String::from_utf8_lossy(&half));
    }
}

fn long_csi() -> Vec<u8> {
    [b"\x1b[".to_vec(), b"12;".repeat(10_000)].concat()
}

fn long_string() -> Vec<u8> {
    [b"\x1b]52;c;".to_vec(), b"QUJD".repeat(10_000)].concat()
}

#[test]
fn a_sequence_we_do_not_know_is_swallowed_however_long_it_is() {
    for (front, end) in [
        (long_csi(), &b"m"[..]),
        (long_string(), b"\x1b\\"),
        (long_string(), b"\x07"),
    ] {
        for size in [1, 7, 64, 4_096, 100_000] {
            let mut parser = Parser::default();
            let mut found = Vec::new();
            let bytes = [&front, end, b"y"].concat();
            bytes.chunks(size).for_each(|chunk| parser.feed(chunk, &mut found));
            assert_eq!(found, keys("y"), "{end:?} in pieces of {size}");
        }
    }
}

#[test]
fn an_answer_cut_short_by_a_key_does_not_take_the_key() {
    let mut parser = Parser::default();
    let mut found = Vec::new();
    parser.feed(b"\x1b]11;rgb:12\x03\x1b]11;rgb:12\x1b[A\x1bP1$r\ry", &mut found);
    assert_eq!(found, keys("ctrl-c up enter y"));
}

#[test]
fn line_ends_of_a_paste_may_come_as_keys_or_as_other_signs() {
    for (bytes, wanted) in [
        (
            "\x1b[200~A\x1b[13uB\x1b[13;1uC\x1b[106;5uD\x1b[27;5;106~E\x1b[201~",
            paste("A\nB\nC\nD\nE"),
        ),
        (
            "\x1b[200~A\x1b[9uB\x1b[105;5uC\x1b[97;2uD\x1b[1;5u\x1b[99;5u[13u\x1b[201~",
            paste("A\tB\tCAD[13u"),
        ),
        (
            "\x1b[200~A\u{2028}B\u{2029}C\x0bD\x0cE\u{85}F\x1b[201~",
            paste("A\nB\nC\nD\nE\nF"),
        ),
    ] {
        let mut parser = Parser::default();
        let mut found = Vec::new();
        parser.feed(bytes.as_bytes(), &mut found);
        assert_eq!(found, wanted, "{bytes:?}");
    }
}

#[test]
fn a_paste_whose_end_is_lost_is_shown_and_ctrl_c_or_esc_leads_out_of_it() {
    for (way_out, key) in [("\x03", "ctrl-c"), ("\x1b[27u", "esc"), ("\x1b[99;5u", "ctrl-c")] {
        let mut parser = Parser::default();
        let mut found = Vec::new();
        parser.feed(b"\x1b[200~one\r", &mut found);
        assert_eq!(found, []);
        parser.settle(&mut found);
        assert_eq!(found, paste("one\n"));
        // A late part of a paste is still a paste, so its line ends are not Enter.
        parser.feed(b"two\r", &mut found);
        parser.settle(&mut found);
        assert_eq!(found, [paste("one\n"), paste("two\n")].concat());
        found.clear();
        parser.feed(way_out.as_bytes(), &mut found);
        parser.feed(b"y\x1b[201~\r", &mut found);
        assert_eq!(found, keys(&format!("{key} y enter")));
    }
}

#[test]
fn a_paste_whose_end_is_lost_ends_by_itself_and_keys_are_keys_again() {
    for open in [&b"\x1b[200~one"[..], b"\x1b[200~", b"\x1b[200~one\x1b[201"] {
        let mut parser = Parser::default();
        let mut found = Vec::new();
        parser.feed(open, &mut found);
        let mut waits = 0;
        while parser.patience().is_some() {
            parser.settle(&mut found);
            waits += 1;
            assert!(waits < 5, "it holds the keyboard");
        }
        found.clear();
        parser.feed(b"y\r", &mut found);
        assert_eq!(found, keys("y enter"));
    }
}

#[test]
fn a_paste_without_end_is_handed_over_in_parts() {
    let mut parser = Parser::default();
    let mut found = Vec::new();
    parser.feed(b"\x1b[200~", &mut found);
    for _ in 0..20 {
        parser.feed(&vec![b'x'; super::LONGEST_PASTE / 8], &mut found);
    }
    assert_eq!(found.len(), 2);
}

#[test]
fn a_letter_and_a_line_end_were_cut_in_two_where_a_paste_is_handed_over_in_parts() {
    let cuts = [
        (&b"\xc3"[..], &b"\xa9b"[..], ["", "éb"]),
        (&b"\r"[..], &b"\nb"[..], ["\n", "b"]),
    ];
    for (first, then, [end, begin]) in cuts {
        for long in [false, true] {
            let mut parser = Parser::default();
            let mut found = Vec::new();
            let above = "x".repeat(if long { super::LONGEST_PASTE - 1 } else { 1 });
            parser.feed(b"\x1b[200~", &mut found);
            parser.feed(&[above.as_bytes(), first].concat(), &mut found);
            if !long {
                parser.settle(&mut found);
            }
            assert_eq!(found.len(), 1, "it does not wait for the rest");
            parser.feed(&[then, b"\x1b[201~"].concat(), &mut found);
            assert!(
                found == [paste(&format!("{above}{end}")), paste(begin)].concat(),
                "{begin:?}, {long}"
            );
        }
    }
}

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            &b"\x1b"[..], b"\x1b[", b"\x1bO", b"\x1b]", b"\x1b]11;rgb:", b"\x1bP", b"\x1b[200~", b"\x1b[201~", b"\x1b[20",
            b"\x1b\\", b"\x07", b"\x1b[<", b"\x1b[M", b"\x1b[?", b"M", b"m", b"u", b"~", b";", b":", b"\r", b"\x03", b"[[",
        ]).prop_map(<[u8]>::to_vec),
        2 => "[0-9;:]{1,90}".prop_map(String::into_bytes),
        1 => "[a-z漢é👍]{1,4}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..6),
        1 => Just(b"9;".repeat(3_000)),
    ];
    prop::collection::vec(piece, 1..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn whatever_arrives_means_the_same_in_pieces_and_the_next_key_is_a_key(bytes in hostile(), sizes in prop::collection::vec(1_usize..9, 1..40)) {
        let mut whole = Vec::new();
        Parser::default().feed(&bytes, &mut whole);

        let mut parser = Parser::default();
        let mut found = Vec::new();
        let (mut rest, mut sizes) = (bytes.as_slice(), sizes.into_iter().cycle());
        while !rest.is_empty() {
            let size = sizes.next().unwrap_or(1).min(rest.len());
            let size = (size..=rest.len()).find(|size| can_be_cut(rest, *size)).unwrap_or(rest.len());
            let (piece, after) = rest.split_at(size);
            parser.feed(piece, &mut found);
            rest = after;
        }
        prop_assert_eq!(&found, &whole);

        parser.settle(&mut found);
        if matches!(parser.within, super::Within::Stalled(_)) {
            parser.feed(b"\x03", &mut found);
        }
        found.clear();
        parser.feed("漢\x1b[A".as_bytes(), &mut found);
        prop_assert_eq!(found, keys("漢 up"));
        prop_assert_eq!(parser.patience(), None);
    }
}

#[test]
fn bytes_that_are_no_text_become_nothing() {
    let mut parser = Parser::default();
    let mut found = Vec::new();
    parser.feed(b"\xff\xc0a\xc2\x9bb\xe6\xbcc", &mut found);
    assert_eq!(found, keys("a b c"));
}

#[test]
fn a_big_paste_in_small_pieces_arrives_whole() {
    let text = "let total = 漢字;\n".repeat(5_000);
    let bytes = format!("\x1b[200~{text}\x1b[201~");
    let mut parser = Parser::default();
    let mut found = Vec::new();
    for piece in bytes.as_bytes().chunks(1021) {
        parser.feed(piece, &mut found);
    }
    assert_eq!(found, paste(&text));
}
