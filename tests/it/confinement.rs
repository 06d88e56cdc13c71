//! Tests of the kernel sandbox with real commands, as the test user and as an unprivileged user. Cheap scripts also run
//! without the sandbox, to prove that they can succeed.

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
