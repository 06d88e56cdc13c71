//! Children that the kernel holds in. `outside` makes the namespaces and waits; `init` is the first process inside: it lays out
//! what can be seen and written, gives up every right, starts the program, and takes everything with it when that has ended.
//!
//! Nothing here decides how far a child is held in: that comes as a `Plan`. What cannot be had is said, never left out in silence.

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
mod rights;
pub mod signals;

pub use asking::probe;
pub(super) use asking::{Confining, End};
pub use ground::{Ground, KEPT_DAYS, Lent};
pub(super) use init::init;
pub use laid::{Laid, stands};
pub(super) use outside::confine;
pub(super) use plan::Task;
pub use plan::{Extent, Files, Plan};

/// The words with which `exec-child` is told to confine, to try what can be had, and to be the first process inside.
pub(super) const CONFINED: &str = "confined";
pub(super) const PROBE: &str = "probe";
pub(super) const INIT: &str = "init";
