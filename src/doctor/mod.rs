//! The small commands that explain: what we make of a server's answer, and what is wrong with an endpoint.

pub(crate) mod parse_stream;
