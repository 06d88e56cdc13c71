//! The panes, one file each. `ui/panes` has a file of the same name for each.

pub mod changes;
pub mod context;
pub mod conversation;
pub mod files;
pub mod prompt;
pub(crate) mod todo;
pub mod welcome;
