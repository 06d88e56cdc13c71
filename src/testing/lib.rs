//! Fixtures that the tests of several crates share.

#![expect(clippy::unwrap_used, reason = "a fixture that fails ends its test")]

pub mod model_server;
mod processes;

pub use processes::{launcher, processes_with, until};
