//! Frames drawn through the painter into a terminal emulator show what was drawn, in few bytes.

use proptest::prelude::*;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};

use super::Painter;
use crate::terminal::screen::Canvas;

struct Rig {
    canvas: Canvas,
    painter: Painter<Vec<u8>>,
}

fn terminal(width: u16, height: u16) -> Rig {
    let size = Size { width, height };
    Rig {
        canvas: Canvas::new(size),
        painter: Painter::new(Vec::new(), size),
    }
}

fn bytes_of(rig: &mut Rig, draw: impl FnOnce(&mut Frame)) -> String {
    rig.painter.to.clear();
    rig.canvas
        .draw(draw, |buffer, caret| rig.painter.show(buffer, caret))
        .unwrap();
    String::from_utf8(rig.painter.to.clone()).unwrap()
}

fn text(frame: &mut Frame, x: u16, y: u16, text: &str) {
    frame.buffer_mut().set_string(x, y, text, Style::new());
}

#[test]
fn a_frame_that_changes_nothing_writes_nothing() {
    let mut terminal = terminal(20, 3);
    let draw = |frame: &mut Frame| {
        text(frame, 0, 0, "漢字 prompt");
        frame.set_cursor_position((4, 0));
    };
    assert_ne!(bytes_of(&mut terminal, draw), "");
    assert_eq!(bytes_of(&mut terminal, draw), "");
}

#[test]
fn one_typed_character_costs_its_byte_and_the_synchronized_update() {
    let mut terminal = terminal(20, 3);
    let draw = |typed: &'static str| {
        move |frame: &mut Frame| {
            text(frame, 1, 1, typed);
            frame.set_cursor_position((1 + typed.len() as u16, 1));
        }
    };
    bytes_of(&mut terminal, draw("a"));
    assert_eq!(bytes_of(&mut terminal, draw("ab")), "\x1b[?2026hb\x1b[?2026l");
}

#[test]
fn a_caret_that_moves_alone_costs_only_its_move() {
    let mut terminal = terminal(20, 3);
    let draw = |x: u16| {
        move |frame: &mut Frame| {
            text(frame, 0, 1, "abcdef");
            frame.set_cursor_position((x, 1));
        }
    };
    bytes_of(&mut terminal, draw(6));
    assert_eq!(bytes_of(&mut terminal, draw(5)), "\x1b[D");
}

#[test]
fn the_caret_is_shown_once_and_hidden_once() {
    let mut terminal = terminal(20, 3);
    let first = bytes_of(&mut terminal, |frame| frame.set_cursor_position((3, 2)));
    assert_eq!(first, "\x1b[3;4H\x1b[?25h");
    assert_eq!(bytes_of(&mut terminal, |_| ()), "\x1b[?25l");
    assert_eq!(bytes_of(&mut terminal, |_| ()), "");
}

#[test]
fn blanks_that_change_only_their_text_colour_are_not_written() {
    let mut terminal = terminal(8, 1);
    let draw = |fg| move |frame: &mut Frame| frame.buffer_mut().set_style(Rect::new(0, 0, 8, 1), Style::new().fg(fg));
    bytes_of(&mut terminal, draw(Color::Red));
    assert_eq!(bytes_of(&mut terminal, draw(Color::Blue)), "");
}

#[test]
fn what_follows_a_cluster_of_unsure_width_is_placed_absolutely() {
    let mut terminal = terminal(20, 1);
    let written = bytes_of(&mut terminal, |frame| {
        text(frame, 0, 0, "👩‍👩‍👧 │");
        text(frame, 2, 0, "x");
    });
    assert!(written.contains("\x1b[1;3Hx"), "{written:?}");
}

#[test]
fn looks_change_by_what_differs_and_no_more() {
    let mut terminal = terminal(20, 1);
    let written = bytes_of(&mut terminal, |frame| {
        let bold = Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD);
        frame.buffer_mut().set_string(0, 0, "a", bold);
        frame
            .buffer_mut()
            .set_string(1, 0, "b", bold.add_modifier(Modifier::DIM));
        frame
            .buffer_mut()
            .set_string(2, 0, "c", Style::new().fg(Color::Rgb(1, 2, 3)));
        frame
            .buffer_mut()
            .set_string(3, 0, "d", Style::new().bg(Color::Indexed(235)));
    });
    assert_eq!(
        written,
        "\x1b[?2026h\x1b[1H\x1b[0;1;38;2;1;2;3ma\x1b[2mb\x1b[22mc\x1b[39;48;5;235md\x1b[?25l\x1b[?2026l"
    );
}

/// A frame of random words in random places and looks.
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

fn paint(words: &[(u16, u16, &str, u8)], buffer: &mut Buffer) {
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
        buffer.set_string(*x, *y, word, style);
    }
}

fn emulator_of(rows: u16, columns: u16) -> vt100::Parser {
    vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 0)
}

/// What one can see: characters and looks, cell by cell.
fn seen(screen: &vt100::Screen) -> Vec<String> {
    let mut out = Vec::new();
    for y in 0..6 {
        for x in 0..20 {
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
        let mut kept = terminal(20, 6);
        let mut emulator = emulator_of(6, 20);
        for words in &frames {
            let bytes = bytes_of(&mut kept, |frame| paint(words, frame.buffer_mut()));
            emulator.process(bytes.as_bytes());
        }
        let mut fresh = terminal(20, 6);
        let mut clean = emulator_of(6, 20);
        let last = frames.last().unwrap();
        clean.process(bytes_of(&mut fresh, |frame| paint(last, frame.buffer_mut())).as_bytes());
        prop_assert_eq!(seen(emulator.screen()), seen(clean.screen()));
    }
}
