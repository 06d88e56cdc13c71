//! The orchestrator: a pure state machine for each session, a seat that performs its effects, and the engine with the
//! shared state.

pub(crate) mod effect;
pub mod engine;
mod hooks;
pub(crate) mod input;
pub mod machine;
pub mod seat;
pub(crate) mod validation;
