//! The driver of the workbench: terminal input in, frames and `Op`s out.
//!
//! Nothing here decides what happens; it waits, translates, and does what `app::update` returns.

pub(crate) mod bell;
pub(crate) mod burst;
pub(crate) mod clipboard;
pub(crate) mod colouring;
mod colours;
pub(crate) mod editor;
pub(crate) mod event_loop;
mod guard;
mod input;
pub(crate) mod keeper;
mod modes;
mod ops;
mod outlet;
mod pace;
pub(crate) mod paint;
pub(crate) mod parse;
mod signals;

#[cfg(test)]
mod tests;
