//! Texts and positions that are derived from the whole state.
//!
//! `ui` draws these texts, and `update` finds the target of a click. The state does not depend on this folder.

pub mod cards;
pub mod dialog_keys;
pub mod request_keys;
pub mod status;
pub mod surfaces;
