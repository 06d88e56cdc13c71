//! Checkpoints: snapshots of the files of a workspace, in a store that belongs to Benchdog.
//!
//! Nothing is written to a repository, and symbolic links are not followed. Owners, extended attributes, hard links and
//! times of files are not saved.

mod capture;
mod checkpoints;
mod compare;
mod error;
mod folders;
mod gc;
mod id;
mod limits;
mod pack;
mod reading;
mod restore;
mod stat;
mod stat_cache;
mod state;
mod store;
mod stores;
mod tracked;
mod tree;
mod walk;
mod watch;

#[cfg(test)]
mod tests;

pub use capture::{Captured, How, Reason, Watching};
pub use checkpoints::Checkpoints;
pub use compare::{Changed, Compared};
pub use error::{CheckpointError, Damage};
pub use gc::{Collected, Figures};
pub use id::{ContentId, TreeId};
pub use limits::Limits;
pub use restore::{RestoreError, Restored, Step, Wanted};
pub use state::{Content, FileState, Kind, NotCovered, Omitted};
pub use stores::{StoreGc, StoreSize, gc_all, stores};
