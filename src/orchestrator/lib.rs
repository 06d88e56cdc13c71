//! The orchestrator: a pure state machine, a seat per open session that executes its effects, and the engine with shared state.

pub(crate) mod effect;
pub mod engine;
mod hooks;
pub(crate) mod input;
pub mod machine;
pub mod seat;
pub(crate) mod validation;
