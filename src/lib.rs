//! Benchdog, a coding workbench for the terminal. The map of the house is docs/ARCHITECTURE.md.
//!
//! Imports go only downward; `tests/it/tidy.rs` holds the table. Only `run` leaves this crate.

mod cli;
mod doctor;
mod error;
#[cfg(any(fuzzing, feature = "doors"))]
pub mod fuzzing;
mod run;

pub use run::run;
