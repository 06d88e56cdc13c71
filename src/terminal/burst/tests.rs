use super::*;
use crate::parse::Parser;

fn done(pieces: &[&str]) -> Vec<Input> {
    let (mut parser, mut burst) = (Parser::default(), Burst::default());
    let (mut read, mut out) = (Vec::new(), Vec::new());
    for piece in pieces {
        parser.feed(piece.as_bytes(), &mut read);
        burst.take(&mut read, &mut out);
    }
    burst.settle(&mut out);
    out
}

fn keys(text: &str) -> Vec<Input> {
    let mut out = Vec::new();
    Parser::default().feed(text.as_bytes(), &mut out);
    out
}

fn paste(text: &str) -> Input {
    Input::Paste(text.to_owned())
}

#[test]
fn what_is_typed_passes_at_once_and_untouched() {
    for typed in [
        "h", "hello", "hello\r", "\rnext", "\t", "@src\t", "\x10di\r", "\x1b[A\r", "\r\r\r", "a\nb",
    ] {
        let (mut burst, mut out) = (Burst::default(), Vec::new());
        burst.take(&mut keys(typed), &mut out);
        assert_eq!((out, burst.is_held()), (keys(typed), false), "{typed:?}");
    }
}

#[test]
fn no_line_end_of_a_paste_without_marks_sends_half_of_it() {
    for (pieces, text) in [
        (vec!["one\rtwo"], "one\ntwo"),
        (vec!["one\rtwo\r"], "one\ntwo\n"),
        (vec!["if:\r\tgo\r", "\tstop\r", "end"], "if:\n\tgo\n\tstop\nend"),
        (vec!["one\ttwo"], "one\ttwo"),
    ] {
        assert_eq!(done(&pieces), [paste(text)], "{pieces:?}");
    }
    let long = "a long line of some words\r".repeat(1_000);
    let cut: Vec<&str> = long
        .as_bytes()
        .chunks(4_095)
        .map(|piece| str::from_utf8(piece).unwrap())
        .collect();
    assert_eq!(done(&cut), [paste(&long.replace('\r', "\n"))]);
}

#[test]
fn the_enter_behind_one_long_line_sends_it() {
    let line = "x".repeat(PASTED);
    let enter = Input::Key(Key::plain(KeyCode::Enter));
    assert_eq!(done(&[&format!("{line}\r")]), [paste(&line), enter.clone()]);
    assert_eq!(done(&[&line, "\r"]), [paste(&line), enter]);
}

#[test]
fn a_key_that_writes_nothing_ends_a_paste_and_counts_behind_it() {
    let found = done(&["one\rtwo\x03", "y"]);
    assert_eq!(found, [vec![paste("one\ntwo")], keys("\x03y")].concat());
}

#[test]
fn an_answer_of_the_terminal_parts_no_paste() {
    assert_eq!(
        done(&["one\rtwo\x1b[?62c", "\rthree"]),
        [Input::Attributes, paste("one\ntwo\nthree")]
    );
}

#[test]
fn a_paste_without_end_is_handed_over_in_parts() {
    let (mut burst, mut out) = (Burst::default(), Vec::new());
    burst.held = "y".repeat(LONGEST_PASTE - 1);
    burst.take(&mut keys("yes"), &mut out);
    assert_eq!((out.len(), burst.is_held()), (1, false));
}

proptest::proptest! {
    /// Random text: no character is lost or duplicated, and nothing is held after a pause.
    #[test]
    fn every_letter_arrives_once(pieces in proptest::collection::vec("[a-z\r\t\n\u{1b}漢]{1,90}", 1..12)) {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        let mut plain = Vec::new();
        let mut parser = Parser::default();
        pieces.iter().for_each(|piece| parser.feed(piece.as_bytes(), &mut plain));
        let typed: String = plain.iter().filter_map(written).collect();
        let mut arrived = String::new();
        for input in done(&pieces) {
            match &input {
                Input::Paste(text) => arrived.push_str(text),
                input => arrived.extend(written(input)),
            }
        }
        proptest::prop_assert_eq!(letters(&arrived), letters(&typed));
    }
}
