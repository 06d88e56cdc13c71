//! Children that the kernel holds in. `outside` starts the first process inside and waits; `init` is that process: it waits for a command,
//! lays out what can be seen and written, gives up every right, starts the program, and takes everything with it when that has ended.
//!
//! The limits come as a `Plan`. A part that the kernel lacks is reported, never left out in silence.

mod asking;
mod calls;
mod devices;
mod ground;
mod init;
mod laid;
mod landlock;
mod mounts;
mod network;
mod outside;
mod plan;
mod raw_path;
mod rights;
pub mod signals;

pub use asking::probe;
pub(super) use asking::{End, Line, standby};
pub use ground::{Ground, KEPT_DAYS, Lent};
pub(super) use init::init;
pub use laid::{Laid, stands};
pub(super) use outside::{cut_off, stand_by};
pub use plan::{Extent, Files, Plan};
pub(super) use plan::{Handed, Task};

/// Words of `exec-child`: stand by for a plan, be the first process inside, only cut off the network.
pub(super) const STANDBY: &str = "standby";
pub(super) const INIT: &str = "init";
pub(super) const CUT_OFF: &str = "cut-off";

/// Argument after `STANDBY`: act as if the kernel had no process namespaces.
pub(super) const WITHOUT_PROCESSES: &str = "without-processes";
