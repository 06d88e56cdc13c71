//! Writes text and fills to the screen in a scope's style, clipped to their area. Control characters, halves of wide
//! characters and too-wide graphemes never reach a cell. Text widths equal those that the app computed.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::frame::Links;
use benchdog_base::link::Link;
use benchdog_base::text::{ambiguous, grapheme_width, graphemes};
use benchdog_theme::{Scope, Theme};

pub(crate) use benchdog_base::text::screen_columns as columns;

pub(crate) struct Brush<'a> {
    pub buffer: &'a mut Buffer,
    pub(super) links: &'a mut Links,
    pub theme: &'a Theme,
}

impl Brush<'_> {
    pub(crate) fn clear(&mut self, area: Rect, scope: Scope) {
        self.links.set(area, None);
        let style = self.theme.style(Scope::Text).patch(self.theme.style(scope));
        let mut blank = Cell::EMPTY;
        blank.set_style(style);
        let area = area.intersection(self.buffer.area);
        for y in (area.top()..area.bottom()).filter(|_| !area.is_empty()) {
            self.cut_off(area.x, y);
            let start = self.buffer.index_of(area.x, y);
            let row = self.buffer.content.get_mut(start..start + usize::from(area.width));
            row.unwrap_or_default().fill(blank.clone());
        }
    }

    pub(crate) fn tint(&mut self, area: Rect, scope: Scope) {
        self.buffer.set_style(area, self.theme.style(scope));
    }

    /// Paints text from column `x` on, clipped to `room` columns. Returns the number of used columns.
    pub(crate) fn text(&mut self, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if y < area.top() || y >= area.bottom() || x >= area.right() {
            return 0;
        }
        let room = room.min(area.right() - x);
        if room == 0 || text.is_empty() {
            return 0;
        }
        self.links.set(Rect::new(x, y, room, 1), None);
        self.cut_off(x, y);
        let start = self.buffer.index_of(x, y);
        let Some(cells) = self.buffer.content.get_mut(start..start + usize::from(room)) else {
            return 0;
        };
        if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return plain(cells, text, style);
        }
        clusters(cells, text, style)
    }

    /// Clears a wide character that extends into this column, because a terminal cannot draw half of it.
    fn cut_off(&mut self, x: u16, y: u16) {
        if let Some(before) = x.checked_sub(1).and_then(|before| self.buffer.cell_mut((before, y)))
            && before.symbol().len() > 1
            && grapheme_width(before.symbol()) > 1
        {
            before.set_char(' ');
        }
    }

    pub(crate) fn link(&mut self, x: u16, y: u16, columns: u16, link: &Link) {
        self.links.set(Rect::new(x, y, columns, 1), Some(link));
    }

    /// Paints a line or mark of one column. Faster than `text`, because a frame contains hundreds of marks.
    pub(crate) fn mark(&mut self, x: u16, y: u16, mark: &str, style: Style) {
        if ambiguous::are_wide() {
            self.text(x, y, 1, mark, style);
            return;
        }
        self.links.set(Rect::new(x, y, 1, 1), None);
        self.cut_off(x, y);
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.set_symbol(mark).set_style(style);
        }
    }

    pub(crate) fn scoped(&mut self, x: u16, y: u16, room: u16, text: &str, scope: Scope) -> u16 {
        self.text(x, y, room, text, self.over(scope))
    }

    /// Returns the style of a scope. If the scope has no background, the cell keeps its background.
    pub(crate) fn over(&self, scope: Scope) -> Style {
        let mut style = self.theme.style(scope);
        style.bg = style
            .bg
            .filter(|ground| Some(*ground) != self.theme.style(Scope::Text).bg);
        style
    }

    /// Paints text that ends at `right` (exclusive). Returns the first column of the text.
    pub(crate) fn right(&mut self, right: u16, y: u16, room: u16, text: &str, scope: Scope) -> u16 {
        let width = columns(text).min(room);
        let x = right.saturating_sub(width);
        self.scoped(x, y, width, text, scope);
        x
    }

    pub(crate) fn run(&mut self, x: u16, y: u16, end: u16, pieces: &[(&str, Scope)]) -> u16 {
        let mut at = x;
        for (text, scope) in pieces {
            at += self.scoped(at, y, end.saturating_sub(at), text, *scope);
        }
        at
    }
}

fn plain(cells: &mut [Cell], text: &str, style: Style) -> u16 {
    let mut count = 0;
    for (cell, byte) in cells.iter_mut().zip(text.bytes()) {
        cell.set_char(char::from(byte)).set_style(style);
        count += 1;
    }
    count
}

fn clusters(cells: &mut [Cell], text: &str, style: Style) -> u16 {
    let mut at = 0;
    for (_, grapheme) in graphemes(text) {
        let width = grapheme_width(grapheme);
        // Zero-width text needs a base character, and control characters would affect the terminal.
        if width == 0 || grapheme.chars().any(char::is_control) {
            continue;
        }
        let Some(taken) = cells.get_mut(at..at + width) else {
            if let (Some(mark), Some(cell)) = (stand_in(grapheme), cells.get_mut(at)) {
                cell.set_char(mark).set_style(style);
                at += 1;
            }
            break;
        };
        for (place, cell) in taken.iter_mut().enumerate() {
            // Fill the other columns of a wide character with blanks, which appear if the first column is overwritten.
            cell.set_symbol(if place == 0 { grapheme } else { " " })
                .set_style(style);
        }
        at += width;
    }
    u16::try_from(at).unwrap_or(u16::MAX)
}

/// Returns the ASCII replacement of a mark that the terminal draws two columns wide.
fn stand_in(mark: &str) -> Option<char> {
    Some(match mark {
        "─" | "┄" | "━" => '-',
        "│" | "┃" | "▌" | "▎" | "█" => '|',
        "┌" | "┐" | "└" | "┘" | "├" | "┤" | "┬" | "┴" | "┼" => '+',
        "●" | "◆" | "•" => '*',
        "○" | "◇" => 'o',
        "→" => '>',
        "·" | "…" => '.',
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
