//! Keys as values, the table of everything a key can do, and the map between them.

pub(crate) mod action;
pub(crate) mod key;
pub(crate) mod keymap;

pub(crate) use action::{Action, Scope};
pub(crate) use key::{Key, KeyCode};
pub(crate) use keymap::Keymap;
