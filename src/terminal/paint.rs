//! Writes the differences between two frames in one write, as a synchronized update.
//!
//! Unlike ratatui's diff, the painter skips invisible differences, repaints truncated wide characters, rewrites short
//! gaps and omits empty updates. Terminals disagree on the width of grapheme clusters. After a cluster, the painter
//! therefore sends the absolute cursor position.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write};
use std::ops::Range;

use ratatui::buffer::Cell;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Modifier;

use benchdog_base::link::Link;
use benchdog_base::text::{grapheme_width, letter_width};
use benchdog_ui::Frame;

mod sgr;

use sgr::Look;

const SHOWS_ON_BLANK: Modifier = Modifier::REVERSED
    .union(Modifier::UNDERLINED)
    .union(Modifier::CROSSED_OUT);

const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

pub(crate) struct Painter<W> {
    to: W,
    out: Vec<u8>,
    shown: Frame,
    at: Option<Position>,
    look: Option<Look>,
    link: Option<Link>,
    links: Links,
    caret: Caret,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Links are sent to the terminal as OSC 8.
    Told,
    Text,
}

impl Links {
    /// Returns `Text` for unknown terminals and the Linux console, which prints parts of unknown sequences.
    pub fn on(terminal: Option<&str>) -> Self {
        match terminal {
            None | Some("" | "linux" | "dumb") => Self::Text,
            Some(_) => Self::Told,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caret {
    Unknown,
    Hidden,
    At(Position),
}

impl<W: Write> Painter<W> {
    pub(crate) fn new(to: W, size: Size, links: Links) -> Self {
        Self {
            to,
            out: Vec::with_capacity(16 * 1024),
            shown: Frame::empty(Rect::new(0, 0, size.width, size.height)),
            at: None,
            look: None,
            link: None,
            links,
            caret: Caret::Unknown,
        }
    }

    pub(crate) fn to(&mut self) -> &mut W {
        &mut self.to
    }

    pub(crate) fn forget(&mut self) {
        // No frame has this size, so the next frame clears the screen.
        self.shown = Frame::empty(Rect::ZERO);
        self.caret = Caret::Unknown;
    }

    pub(crate) fn show(&mut self, next: &Frame, caret: Option<Position>) -> io::Result<usize> {
        self.show_rows(next, 0..next.cells.area.height, caret)
    }

    /// Draws only these rows. The caller ensures that all other rows are unchanged.
    pub(crate) fn show_rows(&mut self, next: &Frame, rows: Range<u16>, caret: Option<Position>) -> io::Result<usize> {
        let mut rows = rows;
        if self.shown.cells.area != next.cells.area {
            self.clear(next.cells.area.as_size());
            rows = 0..next.cells.area.height;
        }
        for y in rows {
            self.row(next, y);
        }
        if self.minds_links(next) {
            // End the link, so that later output is not part of it.
            self.belong_to(None);
            self.shown.take_links(next);
        }
        // A change of the cursor alone needs no synchronized update, which saves a dozen bytes.
        let cells = !self.out.is_empty();
        self.place_caret(caret);
        if self.out.is_empty() {
            return Ok(0);
        }
        if cells {
            self.out.splice(0..0, BEGIN.iter().copied());
            self.out.extend_from_slice(END);
        }
        let count = self.out.len();
        let result = self.to.write_all(&self.out).and_then(|()| self.to.flush());
        self.out.clear();
        result.map(|()| count)
    }

    fn clear(&mut self, size: Size) {
        self.out.extend_from_slice(b"\x1b[m\x1b[H\x1b[2J");
        self.shown = Frame::empty(Rect::new(0, 0, size.width, size.height));
        self.look = Some(Look::default());
        self.at = Some(Position::ORIGIN);
    }

    fn minds_links(&self, next: &Frame) -> bool {
        self.links == Links::Told && (next.has_links() || self.shown.has_links())
    }

    fn row(&mut self, next: &Frame, y: u16) {
        let links = self.minds_links(next);
        // A fast path, because most rows of most frames are unchanged.
        let (shown, wanted) = (&self.shown.cells.content, &next.cells.content);
        if let (false, Some(shown), Some(wanted)) = (links, shown.get(self.cells_of(y)), wanted.get(self.cells_of(y)))
            // A cell under a wide character changes only together with the wide character.
            && (shown.iter().zip(wanted)).all(|(shown, wanted)| shown.symbol().is_empty() || is_same(shown, wanted))
        {
            return;
        }
        let mut x = 0;
        // Cells before this column may look different on the terminal than in the stored frame.
        let mut unsure = 0;
        while x < next.cells.area.width {
            let (Some(cell), Some(old)) = (next.cells.cell((x, y)), self.shown.cells.cell((x, y))) else {
                return;
            };
            let width = if cell.symbol().len() == 1 { 1 } else { columns_of(cell) };
            let link = if links { next.link(x, y) } else { None };
            if x < unsure || !looks_the_same(old, cell) || links && self.shown.link(x, y) != link {
                self.put(Position { x, y }, cell, width, link);
                if is_cluster(cell) {
                    // The terminal may draw the cluster wider, over the next cells, so these are written again.
                    unsure = x.saturating_add(reach(cell.symbol()).max(width + 1));
                }
            } else if old != cell {
                self.agree(x, y, cell);
            }
            x = x.saturating_add(width);
        }
    }

    fn agree(&mut self, x: u16, y: u16, cell: &Cell) {
        if let Some(shown) = self.shown.cells.cell_mut((x, y)) {
            shown.clone_from(cell);
        }
    }

    fn cells_of(&self, y: u16) -> Range<usize> {
        let width = usize::from(self.shown.cells.area.width);
        let start = usize::from(y) * width;
        start..start + width
    }

    fn put(&mut self, position: Position, cell: &Cell, width: u16, link: Option<&Link>) {
        self.go(position);
        self.belong_to(link);
        self.wear(Look::of(cell), is_blank(cell));
        if is_cluster(cell) {
            // The terminal may draw the cluster narrower than the cell, so the cell is filled with blanks first.
            self.out.extend((0..width).map(|_| b' '));
            self.jump(position);
        }
        let room = self.shown.cells.area.width.saturating_sub(position.x);
        self.out.extend_from_slice(fitting(cell.symbol(), room).as_bytes());
        for x in position.x..position.x.saturating_add(width) {
            if let Some(slot) = self.shown.cells.cell_mut((x, position.y)) {
                slot.clone_from(cell);
                if x > position.x {
                    // The wide character to the left covers this cell. An empty text marks the cell as changed for the
                    // next frame, because cells of frames are never empty.
                    slot.set_symbol("");
                }
            }
        }
        let end = position.x.saturating_add(width);
        let certain = !is_cluster(cell) && end < self.shown.cells.area.width;
        self.at = certain.then_some(Position { x: end, ..position });
    }

    fn belong_to(&mut self, link: Option<&Link>) {
        if self.link.as_ref() == link {
            return;
        }
        match link {
            // All rows of a link share an id, so that the terminal highlights them together.
            Some(link) => {
                let address = link.address();
                let mut id = DefaultHasher::new();
                address.hash(&mut id);
                let id = id.finish() % 0x10000;
                self.out
                    .extend_from_slice(format!("\x1b]8;id={id:x};{address}\x1b\\").as_bytes());
            }
            None => self.out.extend_from_slice(b"\x1b]8;;\x1b\\"),
        }
        self.link = link.cloned();
    }

    fn wear(&mut self, look: Look, blank: bool) {
        let enough = self.look.is_some_and(|now| {
            now == look || blank && now.bg == look.bg && !(now.modifier | look.modifier).intersects(SHOWS_ON_BLANK)
        });
        if !enough {
            sgr::change(&mut self.out, self.look, look);
            self.look = Some(look);
        }
    }

    fn go(&mut self, to: Position) {
        let Some(at) = self.at.filter(|at| *at != to) else {
            if self.at.is_none() {
                self.jump(to);
            }
            return;
        };
        if to.y == at.y && to.x > at.x && self.cross(at, to) {
            return;
        }
        match (to.x, to.y) {
            (0, y) if y == at.y + 1 => self.out.extend_from_slice(b"\r\n"),
            (x, y) if x == at.x && y == at.y + 1 => self.out.push(b'\n'),
            (x, y) if y == at.y && x > at.x => self.relative(x - at.x, b'C'),
            (0, y) if y == at.y => self.out.push(b'\r'),
            (x, y) if y == at.y => self.relative(at.x - x, b'D'),
            _ => self.jump(to),
        }
    }

    /// Moves the cursor by rewriting the cells in between. Returns `false` if this is longer or needs another style.
    fn cross(&mut self, at: Position, to: Position) -> bool {
        let start = self.out.len();
        let longest = if to.x - at.x == 1 { 3 } else { 4 };
        for x in at.x..to.x {
            let fits = self.shown.cells.cell((x, at.y)).filter(|cell| {
                let look = Look::of(cell);
                let plain = is_blank(cell)
                    && self.look.is_some_and(|now| {
                        now.bg == look.bg && !(now.modifier | look.modifier).intersects(SHOWS_ON_BLANK)
                    });
                let same_link = self.shown.link(x, at.y) == self.link.as_ref();
                cell.symbol().len() == 1 && same_link && (plain || self.look == Some(look))
            });
            match fits {
                Some(cell) if self.out.len() - start < longest => self.out.extend_from_slice(cell.symbol().as_bytes()),
                _ => {
                    self.out.truncate(start);
                    return false;
                }
            }
        }
        true
    }

    fn relative(&mut self, count: u16, letter: u8) {
        self.out.extend_from_slice(b"\x1b[");
        if count > 1 {
            sgr::number(&mut self.out, count);
        }
        self.out.push(letter);
    }

    fn jump(&mut self, to: Position) {
        self.out.extend_from_slice(b"\x1b[");
        sgr::number(&mut self.out, to.y + 1);
        if to.x > 0 {
            self.out.push(b';');
            sgr::number(&mut self.out, to.x + 1);
        }
        self.out.push(b'H');
    }

    fn place_caret(&mut self, wanted: Option<Position>) {
        match wanted {
            Some(position) => {
                if self.at != Some(position) {
                    self.go(position);
                    self.at = Some(position);
                }
                if !matches!(self.caret, Caret::At(_)) {
                    self.out.extend_from_slice(b"\x1b[?25h");
                }
            }
            None => {
                if self.caret != Caret::Hidden {
                    self.out.extend_from_slice(b"\x1b[?25l");
                }
            }
        }
        self.caret = wanted.map_or(Caret::Hidden, Caret::At);
    }
}

fn columns_of(cell: &Cell) -> u16 {
    // Use the same widths as the rest of the code, which differ from those of the drawing library.
    u16::try_from(grapheme_width(cell.symbol())).map_or(u16::MAX, |columns| columns.max(1))
}

/// Whether a cell has several code points. Terminals disagree on the width of such a cell.
fn is_cluster(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

fn most_columns(letter: char) -> u16 {
    // A single regional indicator takes one or two columns, depending on the terminal.
    let half_of_flag = ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter);
    let width = letter_width(letter).max(if half_of_flag { 2 } else { 0 });
    u16::try_from(width).unwrap_or(u16::MAX)
}

fn reach(cluster: &str) -> u16 {
    cluster.chars().map(most_columns).fold(0, u16::saturating_add)
}

/// Truncates a cluster that a terminal might draw beyond the end of the row, because the terminal would then wrap.
fn fitting(symbol: &str, room: u16) -> &str {
    if symbol.len() == 1 || reach(symbol) <= room {
        return symbol;
    }
    let mut columns = 0_u16;
    let end = symbol.char_indices().find(|(_, letter)| {
        columns = columns.saturating_add(most_columns(*letter));
        columns > room
    });
    let (fits, _) = end
        .and_then(|(at, _)| symbol.split_at_checked(at))
        .unwrap_or((symbol, ""));
    match fits.trim_end_matches('\u{200d}') {
        "" => " ",
        fits => fits,
    }
}

fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " "
}

fn is_same(old: &Cell, new: &Cell) -> bool {
    let letter = match (old.symbol().as_bytes(), new.symbol().as_bytes()) {
        ([old], [new]) => old == new,
        (old, new) => old == new,
    };
    letter && Look::of(old) == Look::of(new)
}

fn looks_the_same(old: &Cell, new: &Cell) -> bool {
    let (a, b) = (Look::of(old), Look::of(new));
    if is_blank(old) && is_blank(new) {
        return a.bg == b.bg && a.modifier & SHOWS_ON_BLANK == b.modifier & SHOWS_ON_BLANK && {
            // A reversed blank is filled with its text colour.
            !a.modifier.contains(Modifier::REVERSED) || a.fg == b.fg
        };
    }
    old.symbol() == new.symbol() && a == b
}

#[cfg(test)]
mod tests;
