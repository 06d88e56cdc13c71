//! Errors of model requests: kind, endpoint, status, and the server's message. `cause` derives them from response
//! bodies, and `error.rs` adds advice.

use std::time::Duration;

use benchdog_config::public_address;
use benchdog_domain::budget::Usage;
use benchdog_domain::failure::Failure;
use benchdog_domain::server_error::{ServerError, ServerErrorKind};

/// An error of a model request. `Display` formats it as a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.server_error())]
pub struct ProviderError {
    pub kind: Kind,
    pub endpoint: String,
    pub status: Option<u16>,
    /// Message of the server or of the system as one short line. May be empty.
    pub message: String,
    /// Facts about a partial answer, if there was any. Boxed to keep results without an error small.
    answer: Option<Box<PartialAnswer>>,
}

pub(super) const HIDDEN: &str = "[key]";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct PartialAnswer {
    tool: Option<String>,
    usage: Option<Usage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    // --- no response ---
    Unreachable,
    UnknownHost(Curable),
    NothingArrived,
    Timeout,
    Certificate(Doubt),
    Tls,
    NoTls,
    NeedsTls,
    NotHttp,

    // --- error response ---
    Unauthorized,
    Forbidden,
    Proxy,
    NotFound(Missing),
    RateLimited {
        retry_after: Option<Duration>,
    },
    /// The quota is used up. Waiting does not help.
    Quota,
    ContextOverflow {
        limit: Option<u64>,
    },
    /// The prompt fits, but the requested output length does not.
    AnswerTooLong,
    BadRequest,
    NoTools,
    CallIds,
    ReasoningMissing,
    ReasoningRefused,
    Server(Curable),
    Loading,
    Unavailable {
        retry_after: Option<Duration>,
    },

    // --- unusable answer ---
    StreamEndedEarly,
    NotAnApi,
    Garbage,
    Oversized,
    /// The answer ended in the middle of a tool call, which is not run.
    CallCut,

    // --- local errors ---
    Setting,
    Recording,
    RecordingEnded,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    Model,
    Path,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    Issuer,
    Dates,
    Name,
}

/// Kinds of errors that can occur before a response arrives.
pub(super) const NO_ANSWER: [Kind; 11] = [
    Kind::Unreachable,
    Kind::UnknownHost(Curable::Perhaps),
    Kind::NothingArrived,
    Kind::Timeout,
    Kind::Certificate(Doubt::Issuer),
    Kind::Certificate(Doubt::Dates),
    Kind::Certificate(Doubt::Name),
    Kind::Tls,
    Kind::NoTls,
    Kind::NeedsTls,
    Kind::NotHttp,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curable {
    Perhaps,
    /// A retry cannot help. With a 5xx status, the request itself is invalid.
    No,
}

impl ProviderError {
    pub fn failure(&self) -> Failure {
        if self.kind == Kind::RecordingEnded {
            return Failure::RecordingEnded;
        }
        let error = self.server_error();
        let (text, server) = (error.to_string(), Some(Box::new(error)));
        match self.kind {
            Kind::ContextOverflow { limit } => Failure::ContextOverflow {
                limit,
                text,
                server,
                lessened: false,
            },
            Kind::CallCut => Failure::CallCut {
                tool: self.tool().map(str::to_owned),
                tokens: self.usage().map(|usage| usage.completion),
                text,
                server,
            },
            _ => Failure::Told {
                code: self.code().to_owned(),
                text,
                server,
            },
        }
    }

    /// Returns the error as data, for logs and front ends.
    pub fn server_error(&self) -> ServerError {
        let seconds = |wait: Duration| wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
        ServerError {
            kind: self.shown_kind(),
            endpoint: self.endpoint.clone(),
            status: self.status,
            wait: self.retry_after().map(seconds),
            message: match self.kind {
                Kind::RecordingEnded => "The recording ends here.".to_owned(),
                _ => self.message.clone(),
            },
        }
    }

    fn shown_kind(&self) -> ServerErrorKind {
        match self.kind {
            Kind::Unreachable | Kind::UnknownHost(_) => ServerErrorKind::Unreachable,
            Kind::NothingArrived => ServerErrorKind::NothingArrived,
            Kind::Timeout => ServerErrorKind::Timeout,
            Kind::Certificate(_) => ServerErrorKind::Certificate,
            Kind::Tls => ServerErrorKind::Tls,
            Kind::NoTls => ServerErrorKind::NoTls,
            Kind::NeedsTls => ServerErrorKind::NeedsTls,
            Kind::NotHttp => ServerErrorKind::NotHttp,
            Kind::Unauthorized => ServerErrorKind::Unauthorized,
            Kind::Forbidden => ServerErrorKind::Forbidden,
            Kind::Proxy => ServerErrorKind::Proxy,
            Kind::NotFound(Missing::Model) => ServerErrorKind::NoModel,
            Kind::NotFound(Missing::Path) => ServerErrorKind::NoPath,
            Kind::RateLimited { .. } => ServerErrorKind::RateLimited,
            Kind::Quota => ServerErrorKind::Quota,
            Kind::ContextOverflow { limit } => ServerErrorKind::ContextOverflow { limit },
            Kind::AnswerTooLong => ServerErrorKind::AnswerTooLong,
            Kind::BadRequest | Kind::ReasoningMissing | Kind::ReasoningRefused => ServerErrorKind::BadRequest,
            Kind::NoTools => ServerErrorKind::NoTools,
            Kind::CallIds => ServerErrorKind::CallIds,
            Kind::Server(_) => ServerErrorKind::Failed,
            Kind::Loading => ServerErrorKind::Loading,
            Kind::Unavailable { .. } => ServerErrorKind::Unavailable,
            Kind::StreamEndedEarly => ServerErrorKind::StreamEndedEarly,
            Kind::NotAnApi => ServerErrorKind::NotAnApi,
            Kind::Garbage => ServerErrorKind::Garbage,
            Kind::Oversized => ServerErrorKind::Oversized,
            Kind::CallCut => ServerErrorKind::CallCut {
                tool: self.tool().map(str::to_owned),
            },
            Kind::Setting | Kind::Recording | Kind::RecordingEnded => ServerErrorKind::Message,
        }
    }

    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            endpoint: String::new(),
            status: None,
            message: message.into(),
            answer: None,
        }
    }

    pub(crate) fn with_tool(mut self, tool: Option<&str>) -> Self {
        self.answer.get_or_insert_default().tool = tool.map(str::to_owned);
        self
    }

    pub(crate) fn with_usage(mut self, usage: Option<Usage>) -> Self {
        if usage.is_some() {
            self.answer.get_or_insert_default().usage = usage;
        }
        self
    }

    fn tool(&self) -> Option<&str> {
        self.answer.as_ref()?.tool.as_deref()
    }

    pub fn usage(&self) -> Option<Usage> {
        self.answer.as_ref()?.usage
    }

    /// Whether another endpoint or model may succeed with the same request.
    pub fn is_endpoint_specific(&self) -> bool {
        matches!(
            self.kind,
            Kind::Unreachable
                | Kind::UnknownHost(_)
                | Kind::NothingArrived
                | Kind::Timeout
                | Kind::Certificate(_)
                | Kind::Tls
                | Kind::NoTls
                | Kind::NeedsTls
                | Kind::NotHttp
                | Kind::NotFound(Missing::Model)
                | Kind::RateLimited { .. }
                | Kind::Quota
                | Kind::Server(_)
                | Kind::Loading
                | Kind::Unavailable { .. }
        )
    }

    pub(super) fn with_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    pub fn with_offer(mut self, models: &[&str]) -> Self {
        if !models.is_empty() {
            let message = self.message.trim_end_matches('.');
            self.message = format!("{message}; the server offers `{}`", models.join("`, `"));
        }
        self
    }

    pub(crate) fn about_model(mut self, model: &str) -> Self {
        if self.kind == Kind::NotFound(Missing::Model) && !self.message.contains(model) {
            self.message = format!("`{model}`: {}", self.message);
        }
        self
    }

    pub(super) fn with_proxy(mut self, proxy: &str) -> Self {
        self.message = format!("{}, through the proxy `{}`", self.message, public_address(proxy));
        self
    }

    pub(crate) fn with_endpoint(mut self, endpoint: &str) -> Self {
        self.endpoint = public_address(endpoint);
        self
    }

    /// Removes a secret from the message, because some servers quote the API key.
    pub(crate) fn redact(mut self, secret: Option<&str>) -> Self {
        if let Some(secret) = secret.filter(|secret| secret.len() >= 4) {
            self.message = self.message.replace(secret, HIDDEN);
        }
        self
    }

    pub fn code(&self) -> &'static str {
        match self.kind {
            Kind::Unreachable => "unreachable",
            Kind::UnknownHost(_) => "unknown_host",
            Kind::NothingArrived => "nothing_arrived",
            Kind::Timeout => "timeout",
            Kind::Certificate(Doubt::Issuer) => "certificate_issuer",
            Kind::Certificate(Doubt::Dates) => "certificate_dates",
            Kind::Certificate(Doubt::Name) => "certificate_name",
            Kind::Tls => "tls",
            Kind::NoTls => "no_tls",
            Kind::NeedsTls => "needs_tls",
            Kind::NotHttp => "not_http",
            Kind::Unauthorized => "unauthorized",
            Kind::Forbidden => "forbidden",
            Kind::Proxy => "proxy",
            Kind::NotFound(_) => "not_found",
            Kind::RateLimited { .. } => "rate_limited",
            Kind::Quota => "quota",
            Kind::ContextOverflow { .. } => "context_overflow",
            Kind::AnswerTooLong => "answer_too_long",
            Kind::BadRequest => "bad_request",
            Kind::NoTools => "no_tools",
            Kind::CallIds => "call_ids",
            // After these errors, Benchdog changes the request and sends it again. Scripts see a rejected request.
            Kind::ReasoningMissing | Kind::ReasoningRefused => "bad_request",
            Kind::Server(_) => "server",
            Kind::Loading | Kind::Unavailable { .. } => "unavailable",
            Kind::StreamEndedEarly => "stream_ended_early",
            Kind::NotAnApi => "not_an_api",
            Kind::Garbage => "garbage",
            Kind::Oversized => "answer_oversized",
            Kind::CallCut => "call_cut",
            Kind::Setting => "endpoint_setting",
            Kind::Recording => "recording",
            Kind::RecordingEnded => "recording_ended",
        }
    }

    /// Whether a retry may help. The module `retry` decides how often and when to retry.
    pub(crate) fn is_retryable(&self) -> bool {
        match self.kind {
            // If Benchdog's own time limit expired, a retry only makes the user wait longer. If the server reported a
            // timeout, the next attempt may be fast.
            Kind::Timeout => self.status.is_some(),
            Kind::Unreachable
            | Kind::UnknownHost(Curable::Perhaps)
            | Kind::NothingArrived
            | Kind::RateLimited { .. }
            | Kind::Server(Curable::Perhaps)
            | Kind::Loading
            | Kind::Unavailable { .. }
            | Kind::StreamEndedEarly => true,
            Kind::UnknownHost(Curable::No)
            | Kind::Certificate(_)
            | Kind::Tls
            | Kind::NoTls
            | Kind::NeedsTls
            | Kind::NotHttp
            | Kind::Unauthorized
            | Kind::Forbidden
            | Kind::Proxy
            | Kind::NotFound(_)
            | Kind::Quota
            | Kind::ContextOverflow { .. }
            | Kind::AnswerTooLong
            | Kind::BadRequest
            | Kind::NoTools
            | Kind::CallIds
            | Kind::ReasoningMissing
            | Kind::ReasoningRefused
            | Kind::Server(Curable::No)
            | Kind::NotAnApi
            | Kind::Garbage
            | Kind::Oversized
            | Kind::CallCut
            | Kind::Setting
            | Kind::Recording
            | Kind::RecordingEnded => false,
        }
    }

    /// Whether the server refused the content of the request. A request with other content may be accepted.
    pub fn is_of_content(&self) -> bool {
        !self.is_retryable() && matches!(self.status, Some(400 | 413 | 422 | 500))
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self.kind {
            Kind::RateLimited { retry_after } | Kind::Unavailable { retry_after } => retry_after,
            _ => None,
        }
    }
}
