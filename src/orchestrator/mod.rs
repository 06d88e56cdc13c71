//! The agent: a pure machine that decides, and a driver that does what it decided.

pub(crate) mod driver;
pub(crate) mod effect;
pub(crate) mod input;
pub(crate) mod machine;
pub(crate) mod validation;
