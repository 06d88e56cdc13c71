//! Decides whether and when a failed request is sent again. The functions are pure: they receive the random number and
//! the counts as arguments.

use std::time::Duration;

use super::failure::{Kind, ProviderError};

const CONNECTION_RETRIES: u32 = 2;
const STATUS_RETRIES: u32 = 4;
/// Maximum number of retries while a server loads a model, and the delay between them. Together they allow 15 minutes.
const LOADING_RETRIES: u32 = 450;
const LOADING_WAIT: Duration = Duration::from_secs(2);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// Maximum delay that a server can ask for. A request with a longer delay is not retried.
const LONGEST_ASKED: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    Nothing,
    Text,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    connection: u32,
    status: u32,
    loading: u32,
}

impl Failures {
    pub(crate) fn count(self) -> u32 {
        self.connection + self.status + self.loading
    }

    /// Returns the delay before the next attempt, or `None` to give up. Multiplies the delay by the random number
    /// `chance` (0..=1), so that clients do not retry at the same time.
    pub(crate) fn wait_after(&mut self, error: &ProviderError, shown: Output, chance: f64) -> Option<Duration> {
        if shown == Output::Text || !error.is_retryable() {
            return None;
        }
        let (counter, most) = match error.kind {
            Kind::Loading => (&mut self.loading, LOADING_RETRIES),
            Kind::Unreachable | Kind::UnknownHost(_) | Kind::NothingArrived | Kind::StreamEndedEarly => {
                (&mut self.connection, CONNECTION_RETRIES)
            }
            _ => (&mut self.status, STATUS_RETRIES),
        };
        if *counter >= most {
            return None;
        }
        let step = *counter;
        *counter += 1;
        if error.kind == Kind::Loading {
            return Some(LOADING_WAIT);
        }
        match error.retry_after() {
            Some(asked) if asked > LONGEST_ASKED => None,
            // Ignore a requested delay of zero, because the server has just failed.
            Some(asked) if !asked.is_zero() => Some(asked),
            Some(_) | None => Some(backoff(step).mul_f64(chance.clamp(0.0, 1.0))),
        }
    }
}

fn backoff(step: u32) -> Duration {
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(step)).min(LONGEST_WAIT)
}

/// Parses the header `Retry-After`, a number of seconds or a date. `now_s` is the current time in seconds since 1970.
pub(crate) fn retry_after(header: &str, now_s: i64) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(1e9)));
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
    let seconds = date.as_second().saturating_sub(now_s).max(0);
    Some(Duration::from_secs(seconds.unsigned_abs()))
}

#[cfg(test)]
mod tests;
