//! The panes, one file each, named like their pictures in `ui/panes`.

pub(crate) mod changes;
pub(crate) mod context;
pub(crate) mod conversation;
pub(crate) mod files;
pub(crate) mod prompt;
pub(crate) mod todo;
pub(crate) mod welcome;
