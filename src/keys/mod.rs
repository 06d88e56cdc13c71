//! Keys as values, the table of everything a key can do, and the map between them.

pub(crate) mod action;
pub(crate) mod key;
pub(crate) mod keymap;
mod refusal;
mod scope;

pub(crate) use action::Action;
pub(crate) use key::{Key, KeyCode};
pub(crate) use keymap::Keymap;
pub(crate) use scope::Scope;
