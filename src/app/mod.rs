//! What is on the screen, as a pure machine: `update(&mut State, Msg) -> Vec<Op>`.
//!
//! No I/O, no clock (time is inside `Msg`), no colours. Wrapping and scroll arithmetic live here, so that `update` knows
//! where everything is; `ui` only paints. The loop that drives it: feed every message that is there to `update`; when
//! `State::take_old` says that something changed, call `arrange` once, then draw. Where only the rows of the prompt changed,
//! `arrange_prompt` and a picture of those rows do.

pub(crate) mod cards;
pub(crate) mod commands;
pub(crate) mod cursor;
pub(crate) mod dialogs;
pub(crate) mod diff_view;
pub(crate) mod find;
pub(crate) mod focus;
pub(crate) mod fuzzy;
pub(crate) mod layout;
pub(crate) mod line;
pub(crate) mod loops;
pub(crate) mod markdown;
pub(crate) mod marking;
pub(crate) mod msg;
pub(crate) mod names;
pub(crate) mod op;
pub(crate) mod panes;
pub(crate) mod picture;
pub(crate) mod seats;
pub(crate) mod state;
pub(crate) mod status;
pub(crate) mod themes;
mod update;
pub(crate) mod watched;
pub(crate) mod word_match;

pub(crate) use msg::Msg;
pub(crate) use op::Op;
pub(crate) use state::State;
pub(crate) use update::{arrange, arrange_prompt, start, update};
