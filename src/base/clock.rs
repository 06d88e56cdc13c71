//! Points in time. Pure code never reads a clock, but receives a `Time`.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

impl Time {
    /// Returns the current time. The wall clock is read once, and later times add the elapsed time. The time never
    /// jumps, and includes sleep of the machine. Only drivers may call this function.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the wall clock"
    )]
    pub fn now() -> Self {
        static FIRST: LazyLock<(i64, i64)> = LazyLock::new(|| (wall(SystemTime::now()), since_boot()));
        let (wall, booted) = *FIRST;
        Self(wall.saturating_add(since_boot().saturating_sub(booted)))
    }

    /// Returns RFC 3339 in UTC with milliseconds, as in script output.
    pub fn rfc3339(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(stamp) => format!("{stamp:.3}"),
            Err(_) => "1970-01-01T00:00:00.000Z".to_owned(),
        }
    }

    /// Parses RFC 3339. A time without an offset is UTC.
    pub fn of_rfc3339(text: &str) -> Option<Self> {
        let stamp = text.parse::<jiff::Timestamp>();
        let stamp = stamp.or_else(|_| format!("{}Z", text.trim()).parse::<jiff::Timestamp>());
        stamp.ok().map(|stamp| Self(stamp.as_millisecond()))
    }

    /// Returns `2026-11-21 03:10Z`. UTC makes lists of several machines comparable.
    pub fn minute(self) -> String {
        let stamp = self.rfc3339().replacen('T', " ", 1);
        format!("{}Z", stamp.chars().take(16).collect::<String>())
    }

    pub fn hh_mm(self, zone: &Zone) -> String {
        self.local(zone, "%H:%M").unwrap_or_else(|| "--:--".to_owned())
    }

    pub fn date(self, zone: &Zone) -> String {
        self.local(zone, "%Y-%m-%d").unwrap_or_default()
    }

    /// Returns `2026-11-21 03:10`.
    pub fn date_hh_mm(self, zone: &Zone) -> String {
        format!("{} {}", self.date(zone), self.hh_mm(zone))
    }

    fn local(self, zone: &Zone, form: &str) -> Option<String> {
        let stamp = jiff::Timestamp::from_millisecond(self.0).ok()?;
        Some(stamp.to_zoned(zone.0.clone()).strftime(form).to_string())
    }

    pub fn since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
}

/// A time zone, by default UTC. Pure code receives the zone as input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(jiff::tz::TimeZone);

impl Default for Zone {
    fn default() -> Self {
        Self(jiff::tz::TimeZone::UTC)
    }
}

impl Zone {
    /// Returns this machine's zone. Only drivers may call this function.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the zone of the machine"
    )]
    pub fn of_this_machine() -> Self {
        // Read the zone's file directly. A lookup by name first lists all zones, which takes a tenth of the time to the
        // first frame.
        let by_file = match std::env::var_os("TZ") {
            None => of_file(Path::new(LOCAL_TIME)),
            Some(_) => None,
        };
        Self(by_file.unwrap_or_else(jiff::tz::TimeZone::system))
    }

    pub fn ahead(hours: i8) -> Self {
        Self(jiff::tz::TimeZone::fixed(jiff::tz::offset(hours)))
    }
}

const LOCAL_TIME: &str = "/etc/localtime";

fn of_file(path: &Path) -> Option<jiff::tz::TimeZone> {
    let rules = fs::read(path).ok()?;
    jiff::tz::TimeZone::tzif("local", &rules).ok()
}

pub fn so_far(ms: u64) -> String {
    let seconds = ms / 1_000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn wall(clock: SystemTime) -> i64 {
    let since = clock.duration_since(UNIX_EPOCH);
    since.map_or(0, |elapsed| i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}

fn since_boot() -> i64 {
    let since = clock_gettime(ClockId::Boottime);
    since
        .tv_sec
        .saturating_mul(1_000)
        .saturating_add(since.tv_nsec / 1_000_000)
}

pub fn is_date(text: &str) -> bool {
    text.parse::<jiff::civil::Date>()
        .is_ok_and(|date| date.to_string() == text)
}

/// Whether the text is an RFC 3339 time with offset: `2026-11-25T14:30:00.5+01:00`. Seconds are required.
pub fn is_date_time(text: &str) -> bool {
    text.get(16..17) == Some(":") && text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests;
