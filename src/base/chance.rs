//! Random numbers that keep processes from acting at the same moment. Not suitable for secrets.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a number in 0..=1 that differs between processes and calls.
pub fn chance() -> f64 {
    // The standard library seeds each hasher from the system's random numbers.
    let bits = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(bits >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests;
