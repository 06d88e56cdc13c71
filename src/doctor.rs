//! Commands that explain and check: parsed responses, the endpoint, the environment and the sandbox.

pub(crate) mod checkup;
pub(crate) mod compare_requests;
mod endpoint;
pub(crate) mod health;
pub(crate) mod parse_calls;
pub(crate) mod parse_stream;
mod programs;
mod storage;
mod surroundings;
