//! Tests with a terminal emulator: the screen equals the frame, with few bytes sent.

mod links;
mod states;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};

use super::{Links, Painter};
use benchdog_ui::Frame;

fn screen(width: u16, height: u16) -> Painter<Vec<u8>> {
    Painter::new(Vec::new(), Size { width, height }, Links::Told)
}

/// Returns the bytes of one frame. `draw` returns the cursor position.
fn bytes_of(painter: &mut Painter<Vec<u8>>, draw: impl FnOnce(&mut Buffer) -> Option<Position>) -> String {
    painter.to.clear();
    let mut next = Buffer::empty(painter.shown.cells.area);
    let caret = draw(&mut next);
    painter.show(&Frame::of(next), caret).unwrap();
    String::from_utf8(painter.to.clone()).unwrap()
}

fn text(next: &mut Buffer, x: u16, y: u16, text: &str) {
    next.set_string(x, y, text, Style::new());
}

fn caret(x: u16, y: u16) -> Option<Position> {
    Some(Position { x, y })
}

#[test]
fn a_frame_that_changes_nothing_writes_nothing() {
    let mut screen = screen(20, 3);
    let draw = |next: &mut Buffer| {
        text(next, 0, 0, "漢字 prompt");
        caret(4, 0)
    };
    assert_ne!(bytes_of(&mut screen, draw), "");
    assert_eq!(bytes_of(&mut screen, draw), "");
}

#[test]
fn one_typed_character_costs_its_byte_and_the_synchronized_update() {
    let mut screen = screen(20, 3);
    let draw = |typed: &'static str| {
        move |next: &mut Buffer| {
            text(next, 1, 1, typed);
            caret(1 + typed.len() as u16, 1)
        }
    };
    bytes_of(&mut screen, draw("a"));
    assert_eq!(bytes_of(&mut screen, draw("ab")), "\x1b[?2026hb\x1b[?2026l");
}

#[test]
fn a_caret_that_moves_alone_costs_only_its_move() {
    let mut screen = screen(20, 3);
    let draw = |x: u16| {
        move |next: &mut Buffer| {
            text(next, 0, 1, "abcdef");
            caret(x, 1)
        }
    };
    bytes_of(&mut screen, draw(6));
    assert_eq!(bytes_of(&mut screen, draw(5)), "\x1b[D");
}

#[test]
fn the_caret_is_shown_once_and_hidden_once() {
    let mut screen = screen(20, 3);
    assert_eq!(bytes_of(&mut screen, |_| caret(3, 2)), "\x1b[3;4H\x1b[?25h");
    assert_eq!(bytes_of(&mut screen, |_| None), "\x1b[?25l");
    assert_eq!(bytes_of(&mut screen, |_| None), "");
}

#[test]
fn blanks_that_change_only_their_text_colour_are_not_written() {
    let mut screen = screen(8, 1);
    let draw = |fg| {
        move |next: &mut Buffer| {
            next.set_style(Rect::new(0, 0, 8, 1), Style::new().fg(fg));
            None
        }
    };
    bytes_of(&mut screen, draw(Color::Red));
    assert_eq!(bytes_of(&mut screen, draw(Color::Blue)), "");
}

#[test]
fn what_follows_a_cluster_of_unsure_width_is_placed_absolutely() {
    let mut screen = screen(20, 1);
    let written = bytes_of(&mut screen, |next| {
        text(next, 0, 0, "👩‍👩‍👧 │");
        text(next, 2, 0, "x");
        None
    });
    assert!(written.contains("\x1b[1;3Hx"), "{written:?}");
}

#[test]
fn looks_change_by_what_differs_and_no_more() {
    let mut screen = screen(20, 1);
    let written = bytes_of(&mut screen, |next| {
        let bold = Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD);
        next.set_string(0, 0, "a", bold);
        next.set_string(1, 0, "b", bold.add_modifier(Modifier::DIM));
        next.set_string(2, 0, "c", Style::new().fg(Color::Rgb(1, 2, 3)));
        next.set_string(3, 0, "d", Style::new().bg(Color::Indexed(235)));
        None
    });
    assert_eq!(
        written,
        "\x1b[?2026h\x1b[1H\x1b[0;1;38;2;1;2;3ma\x1b[2mb\x1b[22mc\x1b[39;48;5;235md\x1b[?25l\x1b[?2026l"
    );
}

fn scribble() -> impl Strategy<Value = Vec<(u16, u16, &'static str, u8)>> {
    let word = prop::sample::select(vec![
        "a",
        "bc",
        "  ",
        "漢",
        "字字",
        "한글",
        "é",
        "─┬─",
        "            ",
        "x y  z",
    ]);
    prop::collection::vec((0..20_u16, 0..6_u16, word, 0..6_u8), 0..30)
}

fn paint(words: &[(u16, u16, &str, u8)], next: &mut Buffer) -> Option<Position> {
    for (x, y, word, look) in words {
        let style = match look {
            0 => Style::new(),
            1 => Style::new().fg(Color::Red),
            2 => Style::new().bg(Color::Blue),
            3 => Style::new().add_modifier(Modifier::BOLD),
            4 => Style::new().add_modifier(Modifier::REVERSED).fg(Color::Green),
            _ => Style::new()
                .fg(Color::Rgb(9, 9, 9))
                .bg(Color::Indexed(200))
                .add_modifier(Modifier::UNDERLINED),
        };
        next.set_string(*x, *y, word, style);
    }
    None
}

fn emulator_of(rows: u16, columns: u16) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}

fn seen(screen: &vt100::Screen) -> Vec<String> {
    let mut out = Vec::new();
    let (rows, columns) = screen.size();
    for y in 0..rows.get() {
        for x in 0..columns.get() {
            let cell = screen.cell(y, x).unwrap();
            let blank = matches!(cell.contents(), "" | " ");
            let fg = if blank && !cell.inverse() {
                None
            } else {
                Some(cell.fgcolor())
            };
            out.push(format!(
                "{y},{x} {:?} {fg:?} {:?} {} {} {}",
                if blank { " " } else { cell.contents() },
                cell.bgcolor(),
                !blank && cell.bold(),
                cell.underline(),
                cell.inverse(),
            ));
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_terminal_that_was_updated_shows_what_a_fresh_one_would(frames in prop::collection::vec(scribble(), 1..5)) {
        let mut kept = screen(20, 6);
        let mut emulator = emulator_of(6, 20);
        for words in &frames {
            let bytes = bytes_of(&mut kept, |next| paint(words, next));
            emulator.process(bytes.as_bytes());
        }
        let mut fresh = screen(20, 6);
        let mut clean = emulator_of(6, 20);
        let last = frames.last().unwrap();
        clean.process(bytes_of(&mut fresh, |next| paint(last, next)).as_bytes());
        prop_assert_eq!(seen(emulator.screen()), seen(clean.screen()));
    }
}
