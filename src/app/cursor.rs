//! The cursor and scroll position of a list.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cursor {
    pub at: usize,
    pub top: usize,
}

impl Cursor {
    pub(crate) fn step(&mut self, by: isize, rows: usize) {
        self.at = self.at.saturating_add_signed(by).min(rows.saturating_sub(1));
    }

    pub fn arrange(&mut self, rows: usize, height: u16) {
        self.at = self.at.min(rows.saturating_sub(1));
        let height = usize::from(height).max(1);
        let earliest = (self.at + 1).saturating_sub(height);
        let latest = self.at.min(rows.saturating_sub(height));
        self.top = self.top.clamp(earliest.min(latest), latest.max(earliest));
    }
}
