//! The state of the mouse between events: a drag, a press that may become a click, and the last click.

use ratatui::layout::Position;

use super::layout::Pane;
use benchdog_base::id::CallId;

#[derive(Debug, Default)]
pub(crate) struct Pointer {
    pub drag: Option<DragSource>,
    pub press: Option<PendingClick>,
    /// The row that was clicked last. Cleared by another action.
    pub last_click: Option<ClickTarget>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DragSource {
    Prompt,
    Request,
}

/// A press on selectable text. The press becomes a click or a drag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PendingClick {
    pub at: Position,
    pub request: Option<CallId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClickTarget {
    pub list: ClickedList,
    pub row: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClickedList {
    Dialog,
    Completion,
    Question,
    Pane(Pane),
}
