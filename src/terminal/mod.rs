//! The driver of the workbench: terminal input in, frames and `Op`s out.
//!
//! Nothing here decides what happens; it waits, translates, and does what `app::update` returns.

pub(crate) mod clipboard;
mod colours;
pub(crate) mod editor;
pub(crate) mod event_loop;
pub(crate) mod guard;
mod input;
mod modes;
mod ops;
mod pace;
mod paint;
mod parse;
pub(crate) mod screen;
mod signals;

#[cfg(test)]
mod tests;
