//! Results of the health checks.

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub check: &'static str,
    pub state: CheckState,
    pub detail: String,
    pub fix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    Ok,
    Warn,
    Fail,
}

impl CheckState {
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl Check {
    pub fn ok(check: &'static str, detail: String) -> Self {
        Self {
            check,
            state: CheckState::Ok,
            detail,
            fix: String::new(),
        }
    }

    pub fn warn(check: &'static str, detail: String, fix: String) -> Self {
        Self {
            check,
            state: CheckState::Warn,
            detail,
            fix,
        }
    }

    pub fn fail(check: &'static str, detail: String, fix: String) -> Self {
        Self {
            check,
            state: CheckState::Fail,
            detail,
            fix,
        }
    }
}
