//! A diff: line numbers, signs, backgrounds, changed words, folds. No information depends on colour alone: changed
//! lines have a sign, and changed words are bold.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use crate::brush::{Brush, columns};
use crate::highlight::{Cache, Code, Key, row_parts};
use crate::number;
use crate::widgets::input;
use crate::widgets::scroll::{self, Extent};
use benchdog_app::diff_view::{CellKind, Columns, DiffFile, DiffLayout, DiffView, ScreenRow, SideCell, Why};
use benchdog_app::marking::Side;
use benchdog_base::text::{shown_line, truncate_start};
use benchdog_diff::Line;
use benchdog_lang as lang;
use benchdog_theme::Scope;

/// The mark at the edge of a row that shows only a part of the line.
const GOES_ON: &str = "›";

/// The mark next to the sign of a discarded line.
const DROPPED: &str = "·";

/// Returns the cursor position. `keyboard` is set if the diff has the focus, so that its cursor line is highlighted.
pub(crate) fn draw(
    view: &DiffView,
    keyboard: bool,
    area: Rect,
    brush: &mut Brush,
    cache: &mut Cache,
) -> Option<Position> {
    let painter = Painter {
        view,
        area,
        columns: view.columns(),
    };
    let rows = view.screen_rows();
    for (y, row) in (area.y..area.bottom()).zip(&rows) {
        painter.row(row, y, brush, cache);
    }
    if keyboard {
        painter.cursor(brush);
    }
    let (first, all) = view.progress();
    scroll::bar(
        Extent {
            first,
            shown: rows.len().min(all),
            all,
        },
        area,
        area.right(),
        brush,
    );
    view.find.as_ref().and_then(|find| input::find_line(find, area, brush))
}

struct Painter<'a> {
    view: &'a DiffView,
    area: Rect,
    columns: Columns,
}

impl Painter<'_> {
    fn row(&self, row: &ScreenRow, y: u16, brush: &mut Brush, cache: &mut Cache) {
        let area = self.area;
        match row {
            ScreenRow::File(file) => self.file(*file, y, brush),
            ScreenRow::Folded { lines } => {
                let text = format!("┄┄┄ {} ┄┄┄", lang::message::count_unchanged(*lines));
                brush.scoped(area.x, y, area.width, &text, Scope::DiffFold);
                self.middle(y, brush);
            }
            ScreenRow::Note(note) => {
                brush.scoped(area.x, y, area.width, note, Scope::TextAccent);
            }
            ScreenRow::Comment(text) => {
                brush.scoped(area.x, y, area.width, text, Scope::TextAccent);
            }
            ScreenRow::Lines {
                file,
                left,
                right,
                hunk,
            } => {
                let Some(diff) = self.view.files.get(*file) else { return };
                let current = hunk.is_some() && self.view.current == hunk.map(|hunk| (*file, hunk));
                let dropped = |line| hunk.is_some_and(|hunk| diff.is_dropped(hunk, line));
                let state = RowState {
                    dropped_left: left.as_ref().is_some_and(|cell| dropped(Line::Before(cell.line))),
                    dropped_right: right.as_ref().is_some_and(|cell| dropped(Line::After(cell.line))),
                    current,
                };
                let cell = |side, shown| Cell {
                    diff,
                    shown,
                    side,
                    state,
                    y,
                };
                let left = left.as_ref().map(|shown| cell(Side::Left, shown));
                let right = right.as_ref().map(|shown| cell(Side::Right, shown));
                match self.view.layout() {
                    DiffLayout::SideBySide => {
                        for cell in [left, right].iter().flatten() {
                            self.half(cell, brush, cache);
                        }
                        self.middle(y, brush);
                    }
                    DiffLayout::Unified => self.unified(left.as_ref(), right.as_ref(), brush, cache),
                }
            }
        }
    }

    fn cursor(&self, brush: &mut Brush) {
        let digits = u16::try_from(self.columns.number).unwrap_or(0);
        for row in self.view.cursor_rows() {
            let Ok(row) = u16::try_from(row) else { return };
            let both = match self.view.layout() {
                DiffLayout::SideBySide => [(self.area.x, digits), (self.right_start(), digits)],
                DiffLayout::Unified => [(self.area.x, 2 * digits + 1), (self.area.x, 0)],
            };
            for (x, width) in both {
                brush.tint(
                    Rect::new(x, self.area.y + row, width, 1).intersection(self.area),
                    Scope::Selected,
                );
            }
        }
    }

    fn file(&self, file: usize, y: u16, brush: &mut Brush) {
        let Some(diff) = self.view.files.get(file) else { return };
        let counts = if diff.has_counts() {
            let (added, removed) = diff.counts();
            number::added_removed(added, removed)
        } else {
            String::new()
        };
        // Shorten the path, so that the operation stays visible.
        let operation = diff.operation();
        let rest = 4 + columns(&operation) + columns(&counts);
        let path = if diff.has_name() { diff.path.as_str() } else { "" };
        let path = truncate_start(path, usize::from(self.area.width.saturating_sub(rest)));
        let said = [
            (path.as_ref(), Scope::TextHeading),
            (operation.as_str(), Scope::TextDim),
            (counts.as_str(), Scope::TextDim),
        ];
        let mut pieces = Vec::new();
        for piece in said.into_iter().filter(|(text, _)| !text.is_empty()) {
            if !pieces.is_empty() {
                pieces.push(("  ", Scope::Text));
            }
            pieces.push(piece);
        }
        brush.run(self.area.x, y, self.area.right(), &pieces);
    }

    fn half_width(&self) -> u16 {
        u16::try_from(self.columns.number + 3 + self.columns.text).unwrap_or(self.area.width)
    }

    fn right_start(&self) -> u16 {
        self.area.x + self.half_width() + 1
    }

    fn middle(&self, y: u16, brush: &mut Brush) {
        if self.view.layout() == DiffLayout::SideBySide {
            brush.scoped(self.area.x + self.half_width(), y, 1, "│", Scope::Border);
        }
    }

    fn half(&self, cell: &Cell, brush: &mut Brush, cache: &mut Cache) {
        let (x, y) = match cell.side {
            Side::Left => (self.area.x, cell.y),
            Side::Right => (self.right_start(), cell.y),
        };
        let area = Rect::new(x, y, self.half_width(), 1).intersection(self.area);
        ground(cell, area, brush);
        let digits = u16::try_from(self.columns.number).unwrap_or(0);
        number_at(cell, x, digits, brush);
        sign(cell, x + digits + 1, brush);
        let text = Rect::new(x + digits + 3, y, area.right().saturating_sub(x + digits + 3), 1);
        text_of(cell, text, brush, cache);
    }

    fn unified(&self, left: Option<&Cell>, right: Option<&Cell>, brush: &mut Brush, cache: &mut Cache) {
        let Some(cell) = right.or(left) else { return };
        let row = Rect {
            y: cell.y,
            height: 1,
            ..self.area
        };
        ground(cell, row, brush);
        let digits = u16::try_from(self.columns.number).unwrap_or(0);
        let x = self.area.x;
        if let Some(left) = left {
            number_at(left, x, digits, brush);
        }
        if let Some(right) = right {
            number_at(right, x + digits + 1, digits, brush);
        }
        let at = x + 2 * (digits + 1);
        sign(cell, at, brush);
        let text = Rect::new(at + 2, row.y, row.right().saturating_sub(at + 2), 1);
        text_of(cell, text, brush, cache);
    }
}

#[derive(Clone, Copy)]
struct Cell<'a> {
    diff: &'a DiffFile,
    shown: &'a SideCell,
    side: Side,
    state: RowState,
    y: u16,
}

impl Cell<'_> {
    fn is_dropped(&self) -> bool {
        self.state.dropped(self.shown.kind)
    }
}

fn text_of(cell: &Cell, area: Rect, brush: &mut Brush, cache: &mut Cache) {
    let shown = cell.shown;
    let before = u16::try_from(shown.before).unwrap_or(u16::MAX).min(area.width);
    let area = Rect {
        x: area.x + before,
        width: area.width - before,
        ..area
    };
    brush.scoped(area.x, area.y, area.width, &shown.text, Scope::SyntaxPunctuation);
    if cell.is_dropped() {
        let words = Rect {
            width: columns(&shown.text).min(area.width),
            ..area
        };
        brush.tint(words, Scope::DiffDropped);
    } else {
        colours(cell, area, brush, cache);
    }
    if shown.cut {
        brush.scoped(area.right().saturating_sub(1), area.y, 1, GOES_ON, Scope::TextAccent);
    }
}

fn colours(cell: &Cell, area: Rect, brush: &mut Brush, cache: &mut Cache) {
    let Cell { diff, shown, .. } = *cell;
    let side = match cell.side {
        Side::Left => &diff.sides().before,
        Side::Right => &diff.sides().after,
    };
    let line = |at: usize| -> Cow<'_, str> { Cow::Owned(shown_line(&side.shown(at)).into_owned()) };
    let code = Code {
        key: Key::Text {
            id: side.id(),
            path: diff.path.clone(),
        },
        language: &diff.path,
        count: side.len(),
        line: &line,
    };
    if let Some(parts) = cache.parts(&code, shown.line) {
        for (range, scope) in row_parts(parts, shown.start, shown.text.len()) {
            tint(&shown.text, range, scope, area, brush);
        }
    }
    for (why, range) in &shown.marked {
        let scope = match (why, shown.kind) {
            (Why::Found, _) => Scope::SelectedMatch,
            (Why::Changed, CellKind::Same) => continue,
            (Why::Changed, CellKind::Added) => Scope::DiffAddedWord,
            (Why::Changed, CellKind::Removed) => Scope::DiffRemovedWord,
        };
        tint(&shown.text, range.clone(), scope, area, brush);
    }
}

#[derive(Debug, Clone, Copy)]
struct RowState {
    dropped_left: bool,
    dropped_right: bool,
    current: bool,
}

impl RowState {
    fn dropped(self, kind: CellKind) -> bool {
        match kind {
            CellKind::Same => false,
            CellKind::Added => self.dropped_right,
            CellKind::Removed => self.dropped_left,
        }
    }
}

fn tint(text: &str, range: std::ops::Range<usize>, scope: Scope, area: Rect, brush: &mut Brush) {
    if let (Some(before), Some(word)) = (text.get(..range.start), text.get(range)) {
        let x = area.x.saturating_add(columns(before));
        brush.tint(Rect::new(x, area.y, columns(word), 1).intersection(area), scope);
    }
}

fn ground(cell: &Cell, area: Rect, brush: &mut Brush) {
    if cell.is_dropped() {
        return;
    }
    match cell.shown.kind {
        CellKind::Same => {}
        CellKind::Added => brush.tint(area, Scope::DiffAdded),
        CellKind::Removed => brush.tint(area, Scope::DiffRemoved),
    }
}

fn number_at(cell: &Cell, x: u16, digits: u16, brush: &mut Brush) {
    // All rows of a wrapped line except the first have a mark instead of a number.
    let number = cell.shown.number;
    let number = number.map_or_else(|| "↪".to_owned(), |number| number.to_string());
    brush.right(x + digits, cell.y, digits, &number, Scope::DiffNumber);
}

fn sign(cell: &Cell, x: u16, brush: &mut Brush) {
    let y = cell.y;
    let (sign, scope) = match cell.shown.kind {
        CellKind::Same => return,
        CellKind::Added => ("+", Scope::DiffAddedSign),
        CellKind::Removed => ("-", Scope::DiffRemovedSign),
    };
    if cell.is_dropped() {
        // A discarded line keeps its sign, which shows whether it would be added or removed.
        brush.scoped(x, y, 1, sign, Scope::TextDim);
        brush.scoped(x + 1, y, 1, DROPPED, Scope::TextDim);
    } else {
        brush.scoped(x, y, 1, sign, scope);
    }
    if cell.state.current {
        brush.scoped(x.saturating_sub(1), y, 1, "▎", Scope::TextAccent);
    }
}
