//! The app as a pure state machine: `update(&mut State, Msg) -> Vec<Op>`.
//!
//! No I/O, no clock and no colours: `Msg` contains the time. `update` needs positions on screen, so wrapping and
//! scrolling are computed in this crate, and `ui` only renders. The driver passes all pending messages to `update`. If
//! `State::take_old` then reports a change, the driver calls `arrange` once and draws. If only the rows of the prompt
//! changed, the driver calls `arrange_prompt` and draws those rows.

pub mod archived;
#[cfg(any(test, feature = "testing"))]
pub mod bench;
pub mod commands;
pub(crate) mod cursor;
pub mod dialogs;
pub mod diff_view;
pub mod find;
pub mod focus;
pub(crate) mod fuzzy;
pub mod layout;
pub mod line;
pub(crate) mod loops;
pub mod markdown;
pub mod marking;
pub mod msg;
pub mod names;
pub mod op;
pub mod panes;
pub mod picture;
pub(crate) mod pointer;
pub mod screen;
pub mod seats;
pub mod state;
pub mod themes;
mod update;
pub mod view;
pub(crate) mod watched;
pub(crate) mod word_match;

pub use msg::Msg;
pub use op::Op;
pub use state::State;
pub use update::{arrange, arrange_prompt, begin_setup, start, update};
