//! Errors as JSON-RPC error objects, with the codes that clients know.

use agent_client_protocol_schema::v1::{Error, ErrorCode};
use serde_json::json;

use benchdog_domain::failure::Failure;
use benchdog_lang::{self as lang, Word, word};

const RATE_LIMITED: i32 = -31_001;
const CONFIGURATION: i32 = -31_002;
const CONTEXT_TOO_LONG: i32 = -31_004;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    NoSession,
    Wrong(String),
    Configuration(String),
    Failed(String),
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        match refused {
            // With this code, the client acpx begins a new session. acpx stores the id of a session even if the session
            // never got a prompt.
            Refused::NoSession => Self::new(ErrorCode::ResourceNotFound.into(), word(Word::AcpUnknownSession)),
            Refused::Wrong(text) => Self::new(ErrorCode::InvalidParams.into(), text),
            Refused::Configuration(text) => Self::new(CONFIGURATION, text),
            Refused::Failed(text) => Self::new(ErrorCode::InternalError.into(), text),
        }
    }
}

pub(crate) fn unknown_session() -> Error {
    wrong(word(Word::AcpUnknownSession))
}

pub(crate) fn wrong(text: &str) -> Error {
    Error::new(ErrorCode::InvalidParams.into(), text)
}

pub(crate) fn failed(text: &str) -> Error {
    Error::new(ErrorCode::InternalError.into(), text)
}

pub(crate) fn unknown_method(method: &str) -> Error {
    Error::new(ErrorCode::MethodNotFound.into(), format!("Method not found: {method}"))
}

/// Formats a failure of the engine. `data` contains the error code, which `docs/errors.md` explains.
pub(crate) fn of(failure: &Failure) -> Error {
    let code = match failure.code() {
        "rate_limited" | "quota" => RATE_LIMITED,
        "no_model" | "no_provider" | "endpoint_setting" | "config" => CONFIGURATION,
        "unauthorized" => ErrorCode::AuthRequired.into(),
        "context_full" | "context_overflow" | "window_too_small" => CONTEXT_TOO_LONG,
        "session_not_found" => ErrorCode::ResourceNotFound.into(),
        "mention_unread" | "mentions_too_many" | "skill_unread" | "prompt_unread" | "resource_unread" => {
            ErrorCode::InvalidParams.into()
        }
        _ => ErrorCode::InternalError.into(),
    };
    Error::new(code, lang::failure(failure).joined()).data(json!({"code": failure.code()}))
}
