//! Random bytes as the keyboard input of a workbench.

use std::time::Duration;

use crate::noise::noise;
use crate::{Measured, Row};

/// Environment variables with the typing time in seconds, and with the seed of the random bytes.
const TIME: &str = "TORTURE_SECONDS";
const SEED: &str = "TORTURE_SEED";

pub fn rows() -> Vec<Row> {
    vec![Row {
        test: "random bytes at the keyboard",
        limit: "every answer within 1 s",
        run: random_bytes,
    }]
}

#[expect(clippy::disallowed_methods, reason = "the variables of the torture, not of benchdog")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn random_bytes() -> Measured {
    let seed = number(SEED).unwrap_or_else(|| fastrand::u64(..1_000_000));
    let time = Duration::from_secs(number(TIME).unwrap_or(60));
    println!("seed {seed}");
    let heard = noise(seed, time);
    Measured {
        figure: format!(
            "{} ms, {} KB, {} lives, seed {seed}",
            heard.worst.as_millis(),
            heard.bytes >> 10,
            heard.lives
        ),
        holds: heard.worst < Duration::from_secs(1),
    }
}
