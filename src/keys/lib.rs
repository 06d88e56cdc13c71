//! Keys, the table of actions, and the keymap.

pub mod action;
pub(crate) mod key;
pub mod keymap;
mod refusal;
mod scope;

pub use action::Action;
pub use key::{Key, KeyCode};
pub use keymap::Keymap;
pub use scope::Scope;
