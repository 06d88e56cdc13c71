//! Background jobs: commands that continue after their call.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::summary::Summary;
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;

/// Number of a background job, counted from 1 in each session. Displayed as `bg_1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub u32);

impl JobId {
    /// Parses `bg_1`, `bg-1` or `1`.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let number = text.strip_prefix("bg").unwrap_or(&text);
        let number = number.trim_start_matches(['_', '-', ' ']);
        number.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "bg_{}", self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub id: JobId,
    pub call: CallId,
    pub title: String,
    pub began: Time,
    pub ended: Option<Summary>,
    pub last: String,
}

impl Job {
    pub fn runs(&self) -> bool {
        self.ended.is_none()
    }
}

pub fn running(jobs: &[Job]) -> usize {
    jobs.iter().filter(|job| job.runs()).count()
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobName {
    pub job: JobId,
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEnd {
    pub name: JobName,
    pub how: Summary,
    pub untold: Option<String>,
}

impl fmt::Display for JobName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (`{}`)", self.job, self.title)
    }
}

#[cfg(test)]
mod tests;
