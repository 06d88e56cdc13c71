//! Errors of model requests: kind, endpoint, status, and the server's message. `cause` derives them from response
//! bodies, and `error.rs` adds advice.

use std::fmt;
use std::time::Duration;

use benchdog_config::public_address;
use benchdog_domain::budget::Usage;
use benchdog_domain::failure::Failure;

/// An error of a model request. `Display` formats it as a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Sentence(self))]
pub struct ProviderError {
    pub kind: Kind,
    pub endpoint: String,
    pub status: Option<u16>,
    /// Message of the server or of the system as one short line. May be empty.
    pub message: String,
    /// Facts about the partial answer, if there was one. Boxed so that results without an error stay small.
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
    /// A retry cannot help. For a 5xx status, the request itself is invalid.
    No,
}

impl ProviderError {
    pub fn failure(&self) -> Failure {
        if self.kind == Kind::RecordingEnded {
            return Failure::RecordingEnded;
        }
        if let Kind::ContextOverflow { limit } = self.kind {
            let text = self.to_string();
            return Failure::ContextOverflow {
                limit,
                text,
                lessened: false,
            };
        }
        if self.kind == Kind::CallCut {
            return Failure::CallCut {
                tool: self.tool().map(str::to_owned),
                tokens: self.usage().map(|usage| usage.completion),
                text: self.to_string(),
            };
        }
        Failure::Told {
            code: self.code().to_owned(),
            text: self.to_string(),
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

    pub(crate) fn reason(&self) -> String {
        match self.status {
            Some(status) if !self.message.is_empty() => format!("HTTP {status}: {}", self.message),
            _ => self.to_string().trim_end_matches('.').to_owned(),
        }
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
            // Benchdog handles both by changing the request and sending it again. Scripts see a rejected request.
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

struct Sentence<'a>(&'a ProviderError);

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.0;
        match error.kind {
            Kind::Setting | Kind::Recording => return write!(f, "{}{}", error.message, stop(&error.message)),
            Kind::RecordingEnded => return f.write_str("The recording ends here."),
            _ => {}
        }
        f.write_str(&self.description())?;
        if let Some(status) = error.status {
            write!(f, " (HTTP {status})")?;
        }
        if let Some(wait) = error.retry_after() {
            write!(f, "; it asks to wait {}", readable(wait))?;
        }
        if error.message.is_empty() {
            return f.write_str(".");
        }
        write!(f, ": {}{}", error.message, stop(&error.message))
    }
}

impl Sentence<'_> {
    fn description(&self) -> String {
        let (who, of) = if self.0.endpoint.is_empty() {
            ("The server".to_owned(), "the server".to_owned())
        } else {
            (format!("`{}`", self.0.endpoint), format!("`{}`", self.0.endpoint))
        };
        match self.0.kind {
            Kind::Unreachable | Kind::UnknownHost(_) => format!("{who} cannot be reached"),
            Kind::NothingArrived => format!("{who} closed the connection before it had said anything"),
            Kind::Certificate(_) => format!("The certificate of {of} is not accepted"),
            Kind::NoTls => format!("{who} was asked by `https://` and does not speak TLS"),
            Kind::NeedsTls => format!("{who} was asked by `http://` and speaks TLS"),
            Kind::NotHttp => format!("{who} does not speak HTTP"),
            Kind::Timeout => format!("{who} did not answer in time"),
            Kind::Tls => format!("The secure connection to {of} failed"),
            Kind::Unauthorized => format!("{who} did not accept the API key"),
            Kind::Forbidden => format!("{who} does not allow this request"),
            Kind::Proxy => format!("The proxy before {of} does not let this request through"),
            Kind::NotFound(Missing::Model) => format!("{who} does not have this model"),
            Kind::NotFound(Missing::Path) if self.0.endpoint.is_empty() => {
                "The server has nothing at this address".to_owned()
            }
            Kind::NotFound(Missing::Path) => format!("{who} does not exist on this server"),
            Kind::RateLimited { .. } => format!("{who} gets too many requests"),
            Kind::Quota => format!("The quota at {of} is used up"),
            Kind::ContextOverflow { limit: Some(limit) } => {
                format!("The request is longer than the window of `{limit}` tokens at {of}")
            }
            Kind::ContextOverflow { limit: None } => format!("The request is longer than the model's window at {of}"),
            Kind::AnswerTooLong => format!("{who} does not write an answer as long as was asked for"),
            Kind::BadRequest | Kind::ReasoningMissing | Kind::ReasoningRefused => format!("{who} rejected the request"),
            Kind::NoTools => format!("{who} takes no tools for this model"),
            Kind::CallIds => format!("{who} does not take the ids of calls"),
            Kind::Server(_) => format!("{who} failed"),
            Kind::Loading => format!("{who} is still loading the model"),
            Kind::Unavailable { .. } => format!("{who} is not ready"),
            Kind::StreamEndedEarly => format!("The answer of {of} broke off before its end"),
            Kind::NotAnApi => format!("{who} answered, but not as a model API does"),
            Kind::Garbage => format!("{who} sent something unreadable in its answer"),
            Kind::Oversized => format!("{who} sent more than one answer holds, so it was cut there"),
            Kind::CallCut => match self.0.tool() {
                Some(tool) => format!("The answer of {of} was stopped inside a call of `{tool}`, which was not run"),
                None => format!("The answer of {of} was stopped inside a tool call, which was not run"),
            },
            Kind::Setting | Kind::Recording | Kind::RecordingEnded => String::new(),
        }
    }
}

fn readable(wait: Duration) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
    match seconds {
        0..=120 => format!("{seconds} s"),
        121..=7_199 => format!("{} min", seconds.div_ceil(MINUTE)),
        7_200..=172_799 => format!("{} h", seconds.div_ceil(HOUR)),
        172_800..=2_592_000 => format!("{} days", seconds.div_ceil(DAY)),
        _ => "more than 30 days".to_owned(),
    }
}

fn stop(message: &str) -> &'static str {
    if message.ends_with(['.', '!', '?']) { "" } else { "." }
}
