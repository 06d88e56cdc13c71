//! Tests the machine by its inputs and effects.

mod agents;
mod bench;
mod beside;
mod calls;
mod chaos;
mod children;
mod failures;
mod guard;
mod handover;
mod hooks;
mod jobs;
mod retry;
mod room;
mod taken_up;
mod turns;
mod validation;
