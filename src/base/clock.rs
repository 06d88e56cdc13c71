//! Points in time. The pure machines never read a clock: a `Time` reaches them inside their input.

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Time(pub(crate) i64);

impl Time {
    /// The wall clock. For drivers only.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the wall clock"
    )]
    pub(crate) fn now() -> Self {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Self(since.map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)))
    }

    /// RFC 3339 in UTC with milliseconds, as the script formats print it.
    pub(crate) fn rfc3339(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(stamp) => format!("{stamp:.3}"),
            Err(_) => "1970-01-01T00:00:00.000Z".to_owned(),
        }
    }

    /// Hours and minutes in the zone of this machine, as the conversation shows them.
    pub(crate) fn local_hh_mm(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(stamp) => stamp
                .to_zoned(jiff::tz::TimeZone::system())
                .strftime("%H:%M")
                .to_string(),
            Err(_) => "--:--".to_owned(),
        }
    }

    /// Milliseconds from `earlier` to `self`, never negative.
    pub(crate) fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}
