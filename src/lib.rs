//! Benchdog, a coding workbench for the terminal. See docs/ARCHITECTURE.md for the structure.
//!
//! Imports go only downward: `tests/it/tidy/rooms.rs` contains the table of layers. Only `run` is public.

mod cli;
mod doctor;
mod error;
#[cfg(any(fuzzing, feature = "doors"))]
pub mod fuzzing;
mod run;

pub use run::run;
