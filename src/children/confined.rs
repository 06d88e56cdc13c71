//! Runs child processes in a kernel sandbox. `outer` starts `init`, the first process inside the sandbox, and waits for
//! its end. `init` receives a command, sets up the file system, gives up its rights and starts the program. When the
//! program ends, `init` ends the program's remaining processes.
//!
//! A `Plan` defines the limits. Parts that the kernel does not support are always reported.

mod calls;
mod channel;
mod devices;
mod init;
mod landlock;
mod mounts;
mod network;
mod outer;
mod placeholder;
mod plan;
mod raw_path;
mod rights;
mod scratch;
mod sealed;
pub mod signals;

pub use channel::probe;
pub(super) use channel::{Channel, End, standby};
pub(super) use init::init;
pub(super) use outer::{cut_off, stand_by};
pub use placeholder::{Placeholder, is_placeholder};
pub(super) use plan::{Assignment, Task};
pub use plan::{Extent, Files, Plan};
pub use scratch::{CacheLayers, KEPT_DAYS, Scratch};
pub use sealed::{Bounds, seal};

/// Arguments of `exec-child`: wait for a plan, run as the first process inside the sandbox, or only disconnect the
/// network.
pub(super) const STANDBY: &str = "standby";
pub(super) const INIT: &str = "init";
pub(super) const CUT_OFF: &str = "cut-off";

/// Argument after `STANDBY` to behave as if the kernel had no process namespaces.
pub(super) const WITHOUT_PROCESSES: &str = "without-processes";
