//! The terminal driver: turns input into messages for `app::update`, runs the returned operations, draws frames.

mod aside;
mod behind;
pub mod bell;
pub mod burst;
pub mod clipboard;
mod closing;
pub mod colouring;
mod colours;
pub mod editor;
pub mod event_loop;
mod guard;
pub mod host_link;
mod input;
pub mod keeper;
mod modes;
mod ops;
mod outlet;
mod pace;
pub mod paint;
pub mod parse;
pub(crate) mod picture;
mod signals;

pub fn say_farewell(text: &str) {
    let _ = outlet::write_farewell(text.as_bytes());
}

#[cfg(test)]
mod tests;
