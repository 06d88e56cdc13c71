//! Search indexes in the cache folder. The index of sessions and the indexes of workspaces have the same file format.
//!
//! An index may be stale or damaged. So callers read each candidate from its source, and compare it with the query
//! before it becomes a hit.

mod builder;
mod chunks;
mod index;
mod map;
mod rank;
mod segment;
pub mod terms;
mod vectors;
pub mod workspace;

pub use builder::Builder;
pub use index::{Candidate, Index, Listed};
pub use map::map;
pub use segment::Stamp;
