//! Randomness to keep processes from running in step. Not for secrets.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a number in 0..=1 that differs between processes and calls.
pub fn chance() -> f64 {
    // The library seeds every hasher from the system's random numbers.
    let bits = RandomState::new().build_hasher().finish();
    f64::from(u32::try_from(bits >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn chances_differ_and_cover_the_whole_range() {
        let all: Vec<f64> = (0..1_000).map(|_| chance()).collect();
        assert!(all.iter().all(|chance| (0.0..=1.0).contains(chance)));
        let tenths: std::collections::BTreeSet<u8> = all.iter().map(|chance| (chance * 9.99) as u8).collect();
        assert_eq!(tenths.len(), 10);
    }
}
