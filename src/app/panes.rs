//! The panes, one file each. `ui/panes` renders each in a file of the same name.

pub mod changes;
pub mod context;
pub mod conversation;
pub mod files;
pub mod prompt;
pub(crate) mod todo;
pub mod welcome;
