//! Widgets shared by panes and dialogs.

pub(super) mod address;
pub(super) mod border;
pub(super) mod code;
pub(super) mod diff;
pub(super) mod frame;
pub(super) mod input;
pub(super) mod scroll;
pub(super) mod text;
