//! Keys, the table of actions, and the keymap.

pub(crate) mod action;
pub(crate) mod key;
pub(crate) mod keymap;
mod refusal;
mod scope;

pub(crate) use action::Action;
pub(crate) use key::{Key, KeyCode};
pub(crate) use keymap::Keymap;
pub(crate) use scope::Scope;
