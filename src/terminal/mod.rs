//! The terminal driver of the workbench: input in, frames and `Op`s out. It decides nothing; it runs what `app::update` returns.

mod aside;
mod behind;
pub(crate) mod bell;
pub(crate) mod burst;
pub(crate) mod clipboard;
mod closing;
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
pub(crate) mod picture;
mod signals;

/// Prints text after the terminal is restored. Gives up if the terminal accepts nothing for too long.
pub(crate) fn say_farewell(text: &str) {
    let _ = outlet::write_farewell(text.as_bytes());
}

#[cfg(test)]
mod tests;
