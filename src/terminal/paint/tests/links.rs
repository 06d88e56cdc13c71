//! Tests that exactly the cells of a link are marked as that link.

use proptest::prelude::*;
use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use unicode_width::UnicodeWidthChar as _;

use super::super::{Links, Painter};
use benchdog_base::link::Link;
use benchdog_ui::Frame;

/// A terminal emulator that only tracks positions and links.
pub(super) struct Linked {
    width: usize,
    at: (usize, usize),
    open: String,
    cells: Vec<Vec<String>>,
}

impl Linked {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        Self {
            width,
            at: (0, 0),
            open: String::new(),
            cells: vec![vec![String::new(); width]; height],
        }
    }

    pub(super) fn resize(&mut self, width: u16, height: u16) {
        self.width = width.into();
        self.cells.resize(height.into(), Vec::new());
        for row in &mut self.cells {
            row.resize(width.into(), String::new());
        }
    }

    pub(super) fn process(&mut self, bytes: &[u8]) {
        vte::Parser::new().advance(self, bytes);
        assert_eq!(self.open, "", "a link is closed at the end of a frame");
    }

    pub(super) fn check(&self, frame: &Frame) {
        for (y, row) in self.cells.iter().enumerate() {
            let mut covered = 0;
            for (x, seen) in row.iter().enumerate() {
                // Text under the second half of a wide character is invisible.
                if x < covered {
                    continue;
                }
                let at = (x.try_into().unwrap(), y.try_into().unwrap());
                covered = x + usize::from(frame.cells.cell(at).unwrap().cell_width());
                assert_eq!(
                    seen,
                    frame.link(at.0, at.1).map_or("", Link::address),
                    "row {y}, column {x}: {}",
                    (0..frame.cells.area.width)
                        .map(|x| frame.cells.cell((x, at.1)).unwrap().symbol())
                        .collect::<Vec<_>>()
                        .join("")
                );
            }
        }
    }
}

impl vte::Perform for Linked {
    fn print(&mut self, letter: char) {
        let (x, y) = self.at;
        let columns = letter.width().unwrap_or(0);
        for x in x..(x + columns).min(self.width) {
            self.cells[y][x].clone_from(&self.open);
        }
        self.at.0 += columns;
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.at.0 = 0,
            b'\n' => self.at.1 += 1,
            _ => panic!("control character {byte}"),
        }
    }

    fn osc_dispatch(&mut self, parts: &[&[u8]], _bell: bool) {
        let part = |number: usize| String::from_utf8(parts[number].to_vec()).unwrap();
        assert_eq!(part(0), "8");
        self.open = parts[2..]
            .iter()
            .map(|part| String::from_utf8(part.to_vec()).unwrap())
            .collect::<Vec<_>>()
            .join(";");
        assert_eq!(part(1).starts_with("id="), !self.open.is_empty());
    }

    fn csi_dispatch(&mut self, parameters: &vte::Params, intermediates: &[u8], _ignored: bool, action: char) {
        if !intermediates.is_empty() {
            return;
        }
        let number = |n: usize| usize::from(parameters.iter().nth(n).map_or(0, |values| values[0]).max(1));
        match action {
            'H' => self.at = (number(1) - 1, number(0) - 1),
            'C' => self.at.0 += number(0),
            'D' => self.at.0 -= number(0),
            'J' => self.cells.iter_mut().flatten().for_each(String::clear),
            'm' => {}
            _ => panic!("CSI {action}"),
        }
    }
}

type Piece = (u16, u16, &'static str, Option<usize>);

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let word = prop::sample::select(vec!["a", "a b", "  ", "漢字", "한글 x", "            "]);
    prop::collection::vec((0..20_u16, 0..4_u16, word, prop::option::of(0..3_usize)), 0..12)
}

const ADDRESSES: [&str; 3] = ["https://a.example/", "https://b.example/;x=1", "mailto:c@example"];

fn frame(pieces: &[Piece]) -> Frame {
    let area = Rect::new(0, 0, 20, 4);
    let mut frame = Frame::of(Buffer::empty(area));
    for (x, y, word, link) in pieces {
        let (end, _) = frame.cells.set_stringn(*x, *y, word, 20, Style::new());
        let link = link.and_then(|n| Link::to(ADDRESSES[n]));
        frame.set_link(Rect::new(*x, *y, end.saturating_sub(*x), 1), link.as_ref());
    }
    frame
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn after_each_frame_a_terminal_knows_its_links_and_no_others(frames in prop::collection::vec(pieces(), 1..6)) {
        let mut painter = super::screen(20, 4);
        let mut terminal = Linked::new(20, 4);
        for pieces in &frames {
            let frame = frame(pieces);
            painter.to.clear();
            painter.show(&frame, None).unwrap();
            terminal.process(&painter.to);
            terminal.check(&frame);
            prop_assert_eq!(painter.show(&frame, None).unwrap(), 0);
        }
    }
}

#[test]
fn a_terminal_that_would_print_the_sequence_is_not_told() {
    let links = |terminal| Links::on(Some(terminal));
    assert_eq!(links("linux"), Links::Text);
    assert_eq!(links("tmux-256color"), Links::Told);
    let linked = frame(&[(0, 0, "a b", Some(0))]);
    let mut painter = Painter::new(Vec::new(), Size::new(20, 4), links("linux"));
    painter.show(&linked, None).unwrap();
    assert!(!painter.to.windows(3).any(|bytes| bytes == b"\x1b]8"));
    assert_eq!(painter.show(&linked, None).unwrap(), 0);
}
