//! The cursor of a list: which row it is on, and which part of the list is in view.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cursor {
    /// The row it is on.
    pub(crate) at: usize,
    /// The first row shown.
    pub(crate) top: usize,
}

impl Cursor {
    /// Moves it, as far as there are rows.
    pub(crate) fn step(&mut self, by: isize, rows: usize) {
        self.at = self.at.saturating_add_signed(by).min(rows.saturating_sub(1));
    }

    /// Fits the list into a height: the cursor stays in view, and the view moves as little as possible.
    pub(crate) fn arrange(&mut self, rows: usize, height: u16) {
        self.at = self.at.min(rows.saturating_sub(1));
        let height = usize::from(height).max(1);
        let earliest = (self.at + 1).saturating_sub(height);
        let latest = self.at.min(rows.saturating_sub(height));
        self.top = self.top.clamp(earliest.min(latest), latest.max(earliest));
    }
}
