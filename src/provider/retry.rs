//! Whether a failed request is tried again, and after how long. Pure: chance and counts are handed in.

use std::time::Duration;

use super::failure::{Kind, ProviderError};

/// How often a connection that could not be made, or broke before any text, is tried again.
const CONNECTION_RETRIES: u32 = 2;
/// How often 429 and 5xx are tried again.
const STATUS_RETRIES: u32 = 4;
/// How often a server that loads a model is asked whether it is done, and how long between: a quarter of an hour in all.
const LOADING_RETRIES: u32 = 450;
const LOADING_WAIT: Duration = Duration::from_secs(2);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// A server that asks for more than this gets no second request; the person is told instead.
const LONGEST_ASKED: Duration = Duration::from_secs(120);

/// What the person has seen of the answer so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Nothing,
    /// Text was reported; a second attempt would say it twice.
    Text,
}

/// The attempts of one request that failed so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Failures {
    connection: u32,
    status: u32,
    loading: u32,
}

impl Failures {
    /// How many attempts failed.
    pub(crate) fn count(self) -> u32 {
        self.connection + self.status + self.loading
    }

    /// Counts `error` and says how long to wait before the next attempt; `None`: there is none.
    /// `chance` lies in 0..=1 and spreads the wait over its whole length, so that many clients do not come back at once.
    pub(crate) fn wait_after(&mut self, error: &ProviderError, shown: Shown, chance: f64) -> Option<Duration> {
        if shown == Shown::Text || !error.is_retryable() {
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
            // A server that has just refused is not asked again at once, even if it says so.
            Some(asked) if !asked.is_zero() => Some(asked),
            Some(_) | None => Some(backoff(step).mul_f64(chance.clamp(0.0, 1.0))),
        }
    }
}

/// The longest wait before retry number `step`, from 0.
fn backoff(step: u32) -> Duration {
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(step)).min(LONGEST_WAIT)
}

/// Reads `Retry-After`: seconds, or a date, which counts from `now_s` (seconds since 1970).
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
