//! The dialog that shows a summary before it replaces earlier turns.

use benchdog_base::text::wrap;
use benchdog_protocol::Preview;

pub const ABOVE: u16 = 2;
pub const BELOW: u16 = 1;

pub struct CompactionPreview {
    pub preview: Preview,
    pub top: usize,
    rows: usize,
}

impl CompactionPreview {
    pub(crate) fn new(preview: Preview) -> Self {
        Self {
            preview,
            top: 0,
            rows: 0,
        }
    }

    pub(crate) fn edit(&mut self, text: &str) {
        text.trim().clone_into(&mut self.preview.summary);
    }

    pub fn lines(&self, width: u16) -> Vec<String> {
        let width = usize::from(width.max(1));
        let lines = self.preview.summary.lines();
        let rows = lines.flat_map(|line| {
            let rows = wrap(line, width).into_iter();
            rows.map(|range| line.get(range).unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        });
        rows.collect()
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        self.rows = self.lines(width).len();
        self.top = self.top.min(self.rows.saturating_sub(usize::from(height)));
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by).min(self.rows.saturating_sub(1));
    }
}
