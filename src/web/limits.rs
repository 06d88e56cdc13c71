//! Limits of a fetched page.

use std::time::Duration;

/// The time limit of a whole call: lookups, redirects, and the body.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Maximum size of a page in bytes, after decompression.
pub const MOST_BYTES: usize = 5 << 20;

pub const MOST_REDIRECTS: usize = 5;

pub const MOST_NODES: usize = 150_000;

/// Maximum nesting depth of converted HTML. Browsers use the same limit.
pub const DEEPEST: usize = 512;
