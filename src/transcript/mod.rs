//! An entry as people and scripts see it: the one source of the screen, plain lines, export and `stream-json`.

pub(crate) mod script;
