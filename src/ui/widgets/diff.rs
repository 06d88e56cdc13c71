//! A diff as the app laid it out: numbers, signs, grounds, changed words, folds. Meaning never hangs on colour: every
//! changed line has its sign, every changed word its weight.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use crate::app::diff_view::{CellKind, Columns, DiffFile, DiffLayout, DiffView, ScreenRow, SideCell, Why};
use crate::base::text::{expand_tabs, reveal, truncate_start};
use crate::diff::Line;
use crate::lang;
use crate::theme::Scope;
use crate::ui::brush::{Brush, columns};
use crate::ui::highlight::{Cache, Code, Key, row_parts};
use crate::ui::number;
use crate::ui::widgets::input;
use crate::ui::widgets::scroll::{self, Extent};

/// At the edge, of a line that goes on beyond it.
const GOES_ON: &str = "›";

/// Beside the sign of a line of which nothing comes.
const DROPPED: &str = "·";

/// `keyboard`: the keyboard is in it, so the line one is on is marked.
pub(in crate::ui) fn draw(
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
                let text = format!("┄┄┄ {} ┄┄┄", lang::unchanged(*lines));
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
                match self.view.layout() {
                    DiffLayout::SideBySide => {
                        self.half(diff, left.as_ref(), (area.x, true), state, y, brush, cache);
                        self.half(
                            diff,
                            right.as_ref(),
                            (self.right_start(), false),
                            state,
                            y,
                            brush,
                            cache,
                        );
                        self.middle(y, brush);
                    }
                    DiffLayout::Unified => self.unified(diff, left.as_ref(), right.as_ref(), state, y, brush, cache),
                }
            }
        }
    }

    /// The numbers of the line one is on.
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
        // What happens to a file is said however long its path is.
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

    /// Columns of one half: number, space, sign, space, text.
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

    #[expect(
        clippy::too_many_arguments,
        reason = "one cell of the table, painted with what its row knows"
    )]
    fn half(
        &self,
        diff: &DiffFile,
        cell: Option<&SideCell>,
        (x, left): (u16, bool),
        state: RowState,
        y: u16,
        brush: &mut Brush,
        cache: &mut Cache,
    ) {
        let Some(cell) = cell else { return };
        let area = Rect::new(x, y, self.half_width(), 1).intersection(self.area);
        ground(cell.kind, state, area, brush);
        let digits = u16::try_from(self.columns.number).unwrap_or(0);
        number_at(cell, x, digits, y, brush);
        sign(cell, x + digits + 1, state, y, brush);
        let text = Rect::new(x + digits + 3, y, area.right().saturating_sub(x + digits + 3), 1);
        self.text(diff, cell, left, state, text, brush, cache);
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one row of the table, painted with what its hunk knows"
    )]
    fn unified(
        &self,
        diff: &DiffFile,
        left: Option<&SideCell>,
        right: Option<&SideCell>,
        state: RowState,
        y: u16,
        brush: &mut Brush,
        cache: &mut Cache,
    ) {
        let Some(shown) = right.or(left) else { return };
        let row = Rect {
            y,
            height: 1,
            ..self.area
        };
        ground(shown.kind, state, row, brush);
        let digits = u16::try_from(self.columns.number).unwrap_or(0);
        let x = self.area.x;
        if let Some(left) = left {
            number_at(left, x, digits, y, brush);
        }
        if let Some(right) = right {
            number_at(right, x + digits + 1, digits, y, brush);
        }
        let at = x + 2 * (digits + 1);
        sign(shown, at, state, y, brush);
        let text = Rect::new(at + 2, y, row.right().saturating_sub(at + 2), 1);
        self.text(diff, shown, right.is_none(), state, text, brush, cache);
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the text of one cell, coloured by the whole of its side"
    )]
    fn text(
        &self,
        diff: &DiffFile,
        cell: &SideCell,
        left: bool,
        state: RowState,
        area: Rect,
        brush: &mut Brush,
        cache: &mut Cache,
    ) {
        let before = u16::try_from(cell.before).unwrap_or(u16::MAX).min(area.width);
        let area = Rect {
            x: area.x + before,
            width: area.width - before,
            ..area
        };
        brush.scoped(area.x, area.y, area.width, &cell.text, Scope::SyntaxPunctuation);
        self.colours(diff, cell, left, state, area, brush, cache);
        if cell.cut {
            brush.scoped(area.right().saturating_sub(1), area.y, 1, GOES_ON, Scope::TextAccent);
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the text of one cell, coloured by the whole of its side"
    )]
    fn colours(
        &self,
        diff: &DiffFile,
        cell: &SideCell,
        left: bool,
        state: RowState,
        area: Rect,
        brush: &mut Brush,
        cache: &mut Cache,
    ) {
        if state.dropped(cell.kind) {
            brush.tint(
                Rect {
                    width: columns(&cell.text).min(area.width),
                    ..area
                },
                Scope::DiffDropped,
            );
            return;
        }
        let side = if left {
            &diff.sides().before
        } else {
            &diff.sides().after
        };
        let line = |at: usize| -> Cow<'_, str> { Cow::Owned(expand_tabs(&reveal(&side.shown(at))).into_owned()) };
        let code = Code {
            key: Key::Text {
                id: side.id(),
                path: diff.path.clone(),
            },
            language: &diff.path,
            count: side.len(),
            line: &line,
        };
        if let Some(parts) = cache.parts(&code, cell.line) {
            for (range, scope) in row_parts(parts, cell.start, cell.text.len()) {
                tint(&cell.text, range, scope, area, brush);
            }
        }
        for (why, range) in &cell.marked {
            let scope = match (why, cell.kind) {
                (Why::Found, _) => Scope::SelectedMatch,
                (Why::Changed, CellKind::Same) => continue,
                (Why::Changed, CellKind::Added) => Scope::DiffAddedWord,
                (Why::Changed, CellKind::Removed) => Scope::DiffRemovedWord,
            };
            tint(&cell.text, range.clone(), scope, area, brush);
        }
    }
}

/// What holds for a row: which of its lines were dropped, and whether its hunk is the one that the cursor is on.
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

fn ground(kind: CellKind, state: RowState, area: Rect, brush: &mut Brush) {
    if state.dropped(kind) {
        return;
    }
    match kind {
        CellKind::Same => {}
        CellKind::Added => brush.tint(area, Scope::DiffAdded),
        CellKind::Removed => brush.tint(area, Scope::DiffRemoved),
    }
}

fn number_at(cell: &SideCell, x: u16, digits: u16, y: u16, brush: &mut Brush) {
    // A line that is too long goes on in the next row.
    let number = cell.number.map_or_else(|| "↪".to_owned(), |number| number.to_string());
    brush.right(x + digits, y, digits, &number, Scope::DiffNumber);
}

/// The sign of a changed line; a bar beside it where the cursor is.
fn sign(cell: &SideCell, x: u16, state: RowState, y: u16, brush: &mut Brush) {
    let (sign, scope) = match cell.kind {
        CellKind::Same => return,
        CellKind::Added => ("+", Scope::DiffAddedSign),
        CellKind::Removed => ("-", Scope::DiffRemovedSign),
    };
    if state.dropped(cell.kind) {
        // Of which side it is stays to be seen.
        brush.scoped(x, y, 1, sign, Scope::TextDim);
        brush.scoped(x + 1, y, 1, DROPPED, Scope::TextDim);
    } else {
        brush.scoped(x, y, 1, sign, scope);
    }
    if state.current {
        brush.scoped(x.saturating_sub(1), y, 1, "▎", Scope::TextAccent);
    }
}
