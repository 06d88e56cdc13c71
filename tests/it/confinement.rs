//! What the kernel holds commands back from: tried for real, as whoever runs the tests and as a user without rights. Where it is
//! cheap, the same is tried unconfined, so that a script that does nothing cannot pass.

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
