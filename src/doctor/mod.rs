//! The small commands that explain: what we make of a server's answer, whether the endpoint and the surroundings are as they
//! should be, and what this system can hold commands in with.

pub(crate) mod checkup;
pub(crate) mod compare_requests;
mod endpoint;
pub(crate) mod health;
pub(crate) mod parse_calls;
pub(crate) mod parse_stream;
mod programs;
mod storage;
mod surroundings;
