//! Text and positions made from the whole state, for drawing and for the mouse.
//!
//! `ui` draws them, and `update` finds the target of a click in them. Nothing in the state depends on this folder.

pub mod cards;
pub mod dialog_keys;
pub mod request_keys;
pub mod status;
pub mod surfaces;
