use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Brush, columns};
use crate::frame::Links;
use benchdog_theme::{Depth, Scope, Theme};

fn row(room: u16, text: &str) -> (Buffer, u16) {
    let theme = Theme::shipped("dark", Depth::Full);
    let mut buffer = Buffer::filled(Rect::new(0, 0, 20, 1), ratatui::buffer::Cell::new("·"));
    let mut brush = Brush {
        buffer: &mut buffer,
        links: &mut Links::over(Rect::new(0, 0, 20, 1)),
        theme: &theme,
    };
    let taken = brush.text(2, 0, room, text, Style::new());
    (buffer, taken)
}

fn symbols(buffer: &Buffer) -> String {
    buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

#[test]
fn a_wide_character_that_does_not_fit_is_left_out_whole() {
    let (buffer, taken) = row(5, "漢字漢字");
    assert_eq!(taken, 4);
    assert_eq!(symbols(&buffer), "··漢 字 ··············");
}

#[test]
fn text_stands_on_the_ground_that_is_there() {
    let theme = Theme::shipped("dark", Depth::Full);
    let area = Rect::new(0, 0, 20, 1);
    let mut buffer = Buffer::empty(area);
    let mut brush = Brush {
        buffer: &mut buffer,
        links: &mut Links::over(area),
        theme: &theme,
    };
    brush.clear(area, Scope::TextCode);
    brush.scoped(2, 0, 10, "help", Scope::Text);
    brush.scoped(12, 0, 8, "more", Scope::TextDim);
    let ground = theme.style(Scope::TextCode).bg;
    assert!(ground.is_some() && ground != theme.style(Scope::Text).bg);
    assert!(buffer.content.iter().all(|cell| Some(cell.bg) == ground), "{buffer:?}");
}

#[test]
fn control_characters_and_lone_marks_take_no_cell() {
    let (buffer, taken) = row(16, "a\x1b[31m\x07b\u{200b}\u{301}c\u{9b}d");
    assert_eq!(taken, columns("a[31mbcd"));
    assert_eq!(symbols(&buffer), "··a[31mbcd··········");
}

#[test]
fn what_is_painted_over_the_second_half_of_a_wide_character_leaves_no_first_half() {
    let theme = Theme::shipped("dark", Depth::Full);
    let area = Rect::new(0, 0, 20, 1);
    for paint in [
        |brush: &mut Brush<'_>| brush.clear(Rect::new(3, 0, 4, 1), benchdog_theme::Scope::Dialog),
        |brush: &mut Brush<'_>| {
            brush.text(3, 0, 4, "│  │", Style::new());
        },
    ] {
        let mut buffer = Buffer::empty(area);
        let links = &mut Links::over(area);
        let mut brush = Brush {
            buffer: &mut buffer,
            links,
            theme: &theme,
        };
        brush.text(0, 0, 20, "漢字漢字漢字", Style::new());
        paint(&mut brush);
        let row = symbols(&buffer);
        assert!(row.starts_with("漢   ") || row.starts_with("漢  │"), "{row}");
        assert!(row.ends_with(" 漢 字         "), "{row}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_text_leaves_its_room(text in "\\PC{0,12}|[\\x00-\\x20\\u{7f}-\\u{a0}漢👩‍👧é\\u{202e}\\u{200d}]{0,12}", room in 0..18_u16) {
        let (buffer, taken) = row(room, &text);
        prop_assert!(taken <= room);
        for (x, cell) in buffer.content.iter().enumerate() {
            prop_assert!(!cell.symbol().chars().any(char::is_control));
            if x < 2 || x >= 2 + usize::from(room) {
                prop_assert_eq!(cell.symbol(), "·");
            }
        }
    }
}
