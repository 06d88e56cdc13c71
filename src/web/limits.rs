//! Limits of a fetched page.

use std::time::Duration;

/// The time limit of a whole call: lookups, redirects, and the body.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The maximum bytes of a body that are read, decompressed.
pub const MOST_BYTES: usize = 5 << 20;

pub const MOST_REDIRECTS: usize = 5;

/// The maximum number of HTML nodes that are converted.
pub const MOST_NODES: usize = 150_000;

/// The maximum nesting depth of HTML that is converted. Browsers use the same limit.
pub const DEEPEST: usize = 512;
