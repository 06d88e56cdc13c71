//! Search indexes in the cache folder. Sessions and the files of a workspace use the same segments.
//!
//! An index is never trusted. Callers read its candidates from their source and compare them before they become hits.

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
