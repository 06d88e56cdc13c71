//! Children that the kernel holds in. `outside` starts the first process inside and waits; `init` is that process: it waits for a command,
//! lays out what can be seen and written, gives up every right, starts the program, and takes everything with it when that has ended.
//!
//! The limits come as a `Plan`. A part that the kernel lacks is reported, never left out in silence.

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

/// Words of `exec-child`: stand by for a plan, be the first process inside, only cut off the network.
pub(super) const STANDBY: &str = "standby";
pub(super) const INIT: &str = "init";
pub(super) const CUT_OFF: &str = "cut-off";

/// Argument after `STANDBY`: act as if the kernel had no process namespaces.
pub(super) const WITHOUT_PROCESSES: &str = "without-processes";
