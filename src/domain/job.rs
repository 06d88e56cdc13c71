//! Commands that go on behind their call, as all rooms know them: a number, what was started, how it stands.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::summary::Summary;
use crate::base::clock::Time;
use crate::base::id::CallId;

/// The number of a command in the background, from 1 in each session. The model and people read `bg_1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct JobId(pub(crate) u32);

impl JobId {
    /// As a model or a person writes it: `bg_1`, `bg-1` or `1`.
    pub(crate) fn of(text: &str) -> Option<Self> {
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

/// One of them as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) id: JobId,
    /// The call that started it.
    pub(crate) call: CallId,
    /// The first line of the command.
    pub(crate) title: String,
    pub(crate) began: Time,
    /// How it ended; `None`: it runs.
    pub(crate) ended: Option<Summary>,
    /// The last line that it wrote.
    pub(crate) last: String,
}

impl Job {
    pub(crate) fn runs(&self) -> bool {
        self.ended.is_none()
    }
}

/// How many of them go on.
pub(crate) fn running(jobs: &[Job]) -> usize {
    jobs.iter().filter(|job| job.runs()).count()
}

/// One by its number and its command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobName {
    pub(crate) job: JobId,
    pub(crate) title: String,
}

/// How one ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JobEnd {
    pub(crate) name: JobName,
    pub(crate) how: Summary,
    /// For the model, where no result of a call tells it.
    pub(crate) untold: Option<String>,
}

impl fmt::Display for JobName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} (`{}`)", self.job, self.title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_models_write_it() {
        for text in ["bg_7", "BG-7", " bg7 ", "7"] {
            assert_eq!(JobId::of(text), Some(JobId(7)), "{text}");
        }
        for text in ["", "bg_", "bg_0", "bg_x", "bg_7.5"] {
            assert_eq!(JobId::of(text), None, "{text}");
        }
        assert_eq!(JobId(7).to_string(), "bg_7");
    }
}
