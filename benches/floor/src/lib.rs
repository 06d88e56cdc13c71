//! Parts of the floor programs: one streamed chat request, and one durable commit.

pub mod chat;
pub mod store;

/// An error of a floor program. It is printed, and the program ends.
pub type Failure = Box<dyn std::error::Error>;
