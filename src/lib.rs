//! Benchdog, a coding workbench for the terminal. The map of the house is docs/ARCHITECTURE.md.
//!
//! Imports go only downward; `tests/it/tidy.rs` holds the table. Only `run` leaves this crate.

mod agent;
mod app;
mod base;
mod children;
mod cli;
mod config;
mod context;
mod diff;
mod doctor;
mod domain;
mod error;
mod files;
#[cfg(any(fuzzing, feature = "doors"))]
pub mod fuzzing;
mod headless;
mod keys;
mod lang;
mod linear;
mod mcp;
mod orchestrator;
mod protocol;
mod provider;
mod run;
mod security;
mod sessions;
mod storage;
mod terminal;
mod theme;
mod tools;
mod traces;
mod transcript;
mod ui;

pub use run::run;
