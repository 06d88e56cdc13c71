//! A file of the workspace, or an entry of the log, on screen, read only.

use std::sync::Arc;

use crate::base::id::EntryId;

pub(crate) struct Viewer {
    pub(crate) path: String,
    /// The entry whose text is shown; `None` for a file.
    pub(crate) entry: Option<EntryId>,
    /// `None` while it is being read.
    pub(crate) text: Option<Result<Arc<str>, String>>,
    pub(crate) top: usize,
    pub(crate) line_count: usize,
}

impl Viewer {
    pub(crate) fn new(path: String) -> Self {
        Self {
            path,
            entry: None,
            text: None,
            top: 0,
            line_count: 0,
        }
    }

    pub(crate) fn fill(&mut self, text: Result<Arc<str>, String>) {
        self.line_count = text.as_ref().map_or(0, |text| text.lines().count());
        self.text = Some(text);
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self
            .top
            .saturating_add_signed(by)
            .min(self.line_count.saturating_sub(1));
    }
}
