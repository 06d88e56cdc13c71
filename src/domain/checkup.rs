//! Results of the health checks.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Check {
    /// Stable identifier for scripts.
    pub(crate) check: &'static str,
    pub(crate) state: CheckState,
    pub(crate) detail: String,
    pub(crate) fix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckState {
    Ok,
    Warn,
    Fail,
}

impl CheckState {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl Check {
    pub(crate) fn ok(check: &'static str, detail: String) -> Self {
        Self {
            check,
            state: CheckState::Ok,
            detail,
            fix: String::new(),
        }
    }

    pub(crate) fn warn(check: &'static str, detail: String, fix: String) -> Self {
        Self {
            check,
            state: CheckState::Warn,
            detail,
            fix,
        }
    }

    pub(crate) fn fail(check: &'static str, detail: String, fix: String) -> Self {
        Self {
            check,
            state: CheckState::Fail,
            detail,
            fix,
        }
    }
}
