//! The machine from outside: inputs in, effects out.

mod bench;
mod calls;
mod chaos;
mod guard;
mod room;
mod turns;
mod validation;
