//! Limits of a fetched page.

use std::time::Duration;

/// The time for a whole call: lookups, redirects, and the body.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The largest body that is read, unpacked.
pub const MOST_BYTES: usize = 5 << 20;

pub const MOST_REDIRECTS: usize = 5;

/// Nodes of HTML that are converted.
pub const MOST_NODES: usize = 150_000;

/// Levels of HTML that are converted. Browsers nest no deeper.
pub const DEEPEST: usize = 512;
