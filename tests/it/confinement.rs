//! Tests of the kernel sandbox with real commands, as the user of the tests and as a user without rights. Cheap ones also run
//! unconfined, so that a script without effect cannot pass.

mod bench;
mod corpus;
mod files;
mod hostile;
mod missing;
mod mounted;
mod network;
mod obeyed;
mod processes;
mod unasked;
