//! The agent: a pure machine that decides, a seat for each open session that does what it decided, and the engine with
//! what all seats share.

pub(crate) mod effect;
pub(crate) mod engine;
mod hooks;
pub(crate) mod input;
pub(crate) mod machine;
pub(crate) mod seat;
pub(crate) mod validation;
