//! Screen of a terminal emulator.

use vt100::{Cell, MouseProtocolMode};

pub struct Screen<'a> {
    pub(super) vt: &'a vt100::Screen,
    pub(super) title: &'a str,
    pub(super) bells: usize,
    pub(super) written: usize,
}

impl Screen<'_> {
    /// Returns every row without trailing blanks.
    pub fn rows(&self) -> Vec<String> {
        let (_, columns) = self.vt.size();
        self.vt
            .rows(0, columns.get())
            .map(|row| row.trim_end().to_owned())
            .collect()
    }

    pub fn text(&self) -> String {
        self.rows().join("\n")
    }

    pub fn has(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    /// Returns every cell with its attributes. Two screens that look different never have equal results.
    pub fn picture(&self) -> Vec<String> {
        let (rows, columns) = self.vt.size();
        let cells = |row| (0..columns.get()).filter_map(move |column| self.vt.cell(row, column));
        (0..rows.get())
            .map(|row| cells(row).map(seen).collect::<Vec<_>>().join(" "))
            .collect()
    }

    pub fn row(&self, text: &str) -> Option<String> {
        self.rows().into_iter().find(|row| row.contains(text))
    }

    /// Returns row and column of the first cell of `text`, counted from 0.
    pub fn find(&self, text: &str) -> Option<(u16, u16)> {
        let (rows, columns) = self.vt.size();
        for row in 0..rows.get() {
            for column in 0..columns.get() {
                if self.continues(row, column, text) {
                    return Some((row, column));
                }
            }
        }
        None
    }

    fn continues(&self, row: u16, column: u16, text: &str) -> bool {
        let mut rest = text;
        let mut column = column;
        while !rest.is_empty() {
            let Some(cell) = self.vt.cell(row, column) else {
                return false;
            };
            if !cell.is_wide_continuation() {
                let shown = if cell.has_contents() { cell.contents() } else { " " };
                match rest.strip_prefix(shown) {
                    Some(after) => rest = after,
                    None => return false,
                }
            }
            column += 1;
        }
        true
    }

    pub fn cell(&self, row: u16, column: u16) -> Option<&Cell> {
        self.vt.cell(row, column)
    }

    /// Returns row and column, counted from 0.
    pub fn cursor(&self) -> (u16, u16) {
        self.vt.cursor_position()
    }

    pub fn cursor_is_shown(&self) -> bool {
        !self.vt.hide_cursor()
    }

    pub fn title(&self) -> &str {
        self.title
    }

    pub fn written(&self) -> usize {
        self.written
    }

    pub fn bells(&self) -> usize {
        self.bells
    }

    /// Returns the active modes that a program must restore.
    pub(super) fn taken(&self) -> Vec<&'static str> {
        let modes = [
            (self.vt.alternate_screen(), "alternate screen"),
            (self.vt.hide_cursor(), "hidden cursor"),
            (self.vt.bracketed_paste(), "bracketed paste"),
            (self.vt.application_cursor(), "application cursor keys"),
            (self.vt.application_keypad(), "application keypad"),
            (self.vt.mouse_protocol_mode() != MouseProtocolMode::None, "mouse"),
        ];
        modes.into_iter().filter_map(|(on, name)| on.then_some(name)).collect()
    }

    pub(super) fn framed(&self) -> String {
        let (_, columns) = self.vt.size();
        let line = "─".repeat(usize::from(columns.get()));
        let (row, column) = self.cursor();
        let rows: String = self.rows().iter().map(|row| format!("│{row}\n")).collect();
        format!(
            "┌{line}\n{rows}└{line}\ncursor at row {row}, column {column}; title {:?}",
            self.title
        )
    }
}

fn seen(cell: &Cell) -> String {
    if cell.is_wide_continuation() {
        return String::new();
    }
    let lines = (cell.inverse(), cell.underline());
    if cell.contents().trim().is_empty() && lines == (false, false) {
        return format!("·{:?}", cell.bgcolor());
    }
    let weight = (cell.bold(), cell.dim(), cell.italic());
    format!(
        "{}{:?}{:?}{weight:?}{lines:?}",
        cell.contents(),
        cell.fgcolor(),
        cell.bgcolor()
    )
}
