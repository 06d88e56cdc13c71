//! The state of the panes. For example, `ui/panes/todo` paints the state in `app/panes/todo`.

pub mod changes;
pub mod context;
pub mod conversation;
pub mod files;
pub mod prompt;
pub(crate) mod todo;
pub mod welcome;
