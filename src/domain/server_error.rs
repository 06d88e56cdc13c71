//! Errors of model servers as data. `provider` creates them. `Display` gives the English sentence for logs, scripts and
//! models, and `lang` the sentence for people.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerError {
    #[serde(flatten)]
    pub kind: ServerErrorKind,
    /// The public address of the server. Empty if it is unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub endpoint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The number of seconds that the server asks to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
    /// Message of the server or of the system, as one short line. It may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ServerErrorKind {
    Unreachable,
    NothingArrived,
    Timeout,
    Certificate,
    Tls,
    NoTls,
    NeedsTls,
    NotHttp,
    Unauthorized,
    Forbidden,
    Proxy,
    NoModel,
    NoPath,
    RateLimited,
    Quota,
    ContextOverflow {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    AnswerTooLong,
    BadRequest,
    NoTools,
    CallIds,
    Failed,
    Loading,
    Unavailable,
    StreamEndedEarly,
    NotAnApi,
    Garbage,
    Oversized,
    CallCut {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
    },
    /// An error whose message is the whole sentence. Also stands for the error kinds of later versions.
    #[serde(other)]
    Message,
}

/// The pattern of a sentence, and the names that replace `{1}` and `{2}` in the pattern.
pub struct Sentence {
    pub pattern: &'static str,
    pub names: Vec<String>,
}

impl ServerError {
    /// Creates an error whose message is the whole sentence.
    pub fn of_message(message: &str) -> Self {
        Self {
            kind: ServerErrorKind::Message,
            endpoint: String::new(),
            status: None,
            wait: None,
            message: message.to_owned(),
        }
    }

    /// Returns the sentence without status, waiting time and message. `unknown` stands for a server without an address.
    /// `None` if the message is the whole sentence.
    pub fn sentence(&self, unknown: &str) -> Option<Sentence> {
        let server = match self.endpoint.as_str() {
            "" => unknown.to_owned(),
            endpoint => format!("`{endpoint}`"),
        };
        let mut names = vec![server];
        let pattern = match &self.kind {
            ServerErrorKind::Unreachable => "{1} cannot be reached",
            ServerErrorKind::NothingArrived => "{1} closed the connection before it had said anything",
            ServerErrorKind::Certificate => "The certificate of {1} is not accepted",
            ServerErrorKind::NoTls => {
                names.push("`https://`".to_owned());
                "{1} was asked by {2} and does not speak TLS"
            }
            ServerErrorKind::NeedsTls => {
                names.push("`http://`".to_owned());
                "{1} was asked by {2} and speaks TLS"
            }
            ServerErrorKind::NotHttp => "{1} does not speak HTTP",
            ServerErrorKind::Timeout => "{1} did not answer in time",
            ServerErrorKind::Tls => "The secure connection to {1} failed",
            ServerErrorKind::Unauthorized => "{1} did not accept the API key",
            ServerErrorKind::Forbidden => "{1} does not allow this request",
            ServerErrorKind::Proxy => "The proxy before {1} does not let this request through",
            ServerErrorKind::NoModel => "{1} does not have this model",
            ServerErrorKind::NoPath if self.endpoint.is_empty() => "The server has nothing at this address",
            ServerErrorKind::NoPath => "{1} does not exist on this server",
            ServerErrorKind::RateLimited => "{1} gets too many requests",
            ServerErrorKind::Quota => "The quota at {1} is used up",
            ServerErrorKind::ContextOverflow { limit: Some(limit) } => {
                names.insert(0, format!("`{limit}`"));
                "The request is longer than the window of {1} tokens at {2}"
            }
            ServerErrorKind::ContextOverflow { limit: None } => "The request is longer than the model's window at {1}",
            ServerErrorKind::AnswerTooLong => "{1} does not write an answer as long as was asked for",
            ServerErrorKind::BadRequest => "{1} rejected the request",
            ServerErrorKind::NoTools => "{1} takes no tools for this model",
            ServerErrorKind::CallIds => "{1} does not take the ids of calls",
            ServerErrorKind::Failed => "{1} failed",
            ServerErrorKind::Loading => "{1} is still loading the model",
            ServerErrorKind::Unavailable => "{1} is not ready",
            ServerErrorKind::StreamEndedEarly => "The answer of {1} broke off before its end",
            ServerErrorKind::NotAnApi => "{1} answered, but not as a model API does",
            ServerErrorKind::Garbage => "{1} sent something unreadable in its answer",
            ServerErrorKind::Oversized => "{1} sent more than one answer holds, so it was cut there",
            ServerErrorKind::CallCut { tool: Some(tool) } => {
                names.push(format!("`{tool}`"));
                "The answer of {1} was stopped inside a call of {2}, which was not run"
            }
            ServerErrorKind::CallCut { tool: None } => {
                "The answer of {1} was stopped inside a tool call, which was not run"
            }
            ServerErrorKind::Message => return None,
        };
        Some(Sentence { pattern, names })
    }

    /// Returns a shorter form than the sentence: the status and the message. `None` if either is unknown.
    pub fn response(&self) -> Option<String> {
        let status = self.status.filter(|_| !self.message.is_empty())?;
        Some(format!("HTTP {status}: {}", self.message))
    }

    /// Returns the waiting time that the server asks for, as text with a unit.
    pub fn wait_text(&self) -> Option<String> {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        const DAY: u64 = 24 * HOUR;
        Some(match self.wait? {
            seconds @ 0..=120 => format!("{seconds} s"),
            seconds @ 121..=7_199 => format!("{} min", seconds.div_ceil(MINUTE)),
            seconds @ 7_200..=172_799 => format!("{} h", seconds.div_ceil(HOUR)),
            seconds @ 172_800..=2_592_000 => format!("{} days", seconds.div_ceil(DAY)),
            _ => "more than 30 days".to_owned(),
        })
    }
}

impl Sentence {
    /// Replaces all placeholders in one pass, so that braces in a name are not placeholders.
    pub fn filled(pattern: &str, names: &[impl AsRef<str>]) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            let found = names.iter().zip(1..).find_map(|(name, number)| {
                let after = after.strip_prefix(&*format!("{number}}}"))?;
                Some((name.as_ref(), after))
            });
            let Some((name, after)) = found else { break };
            out.push_str(before);
            out.push_str(name);
            rest = after;
        }
        out.push_str(rest);
        out
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = if self.message.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        let Some(Sentence { pattern, names }) = self.sentence("the server") else {
            return write!(f, "{}{stop}", self.message);
        };
        let sentence = Sentence::filled(pattern, &names);
        // The sentence may begin with `the server`. Write the first letter in upper case.
        match sentence.strip_prefix("the ") {
            Some(rest) => write!(f, "The {rest}")?,
            None => f.write_str(&sentence)?,
        }
        if let Some(status) = self.status {
            write!(f, " (HTTP {status})")?;
        }
        if let Some(wait) = self.wait_text() {
            write!(f, "; it asks to wait {wait}")?;
        }
        match self.message.as_str() {
            "" => f.write_str("."),
            message => write!(f, ": {message}{stop}"),
        }
    }
}

#[cfg(test)]
mod tests;
