//! The small commands that explain: what we make of a server's answer, and what this system can hold commands in with.

pub(crate) mod health;
pub(crate) mod parse_calls;
pub(crate) mod parse_stream;
