//! Errors of web calls, for the model: what happened, the address, and what to do.

use std::fmt;
use std::time::Duration;

use benchdog_base::disk::bytes_text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The given text is not an address that can be fetched.
    Address(String),
    Query(String),
    Forbidden {
        host: String,
        why: String,
    },
    NoSuchHost {
        host: String,
        why: String,
    },
    NoAnswer {
        host: String,
        why: String,
    },
    Timeout(Duration),
    /// A redirect to another host, which needs its own approval.
    CrossHostRedirect {
        from: String,
        to: String,
    },
    Redirects(usize),
    BadRedirect {
        from: String,
        why: String,
    },
    Status {
        url: String,
        status: u16,
        text: String,
    },
    NotText {
        url: String,
        media: String,
        bytes: Option<u64>,
    },
    BrokenOff {
        url: String,
        why: String,
    },
    Unreadable {
        url: String,
        why: String,
    },
    Setting(String),
    /// The search engine answered without results.
    Engine {
        engine: String,
        why: String,
    },
}

impl Trouble {
    pub fn code(&self) -> &'static str {
        match self {
            Self::Address(_) => "bad_address",
            Self::Query(_) => "bad_query",
            Self::Forbidden { .. } => "forbidden_host",
            Self::NoSuchHost { .. } => "unknown_host",
            Self::NoAnswer { .. } | Self::BrokenOff { .. } => "unreachable",
            Self::Timeout(_) => "timeout",
            Self::CrossHostRedirect { .. } => "redirect",
            Self::Redirects(_) | Self::BadRedirect { .. } => "bad_redirect",
            Self::Status { .. } => "http_status",
            Self::NotText { .. } => "not_text",
            Self::Unreadable { .. } => "unreadable_page",
            Self::Setting(_) => "web_setting",
            Self::Engine { .. } => "no_results",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(why) | Self::Query(why) => f.write_str(why),
            Self::Forbidden { host, why } => write!(f, "`{host}` was not contacted: {why}."),
            Self::NoSuchHost { host, why } => write!(f, "`{host}` could not be resolved: {why}."),
            Self::NoAnswer { host, why } => write!(f, "`{host}` could not be reached: {why}."),
            Self::Timeout(patience) => write!(f, "No complete answer within {} s.", patience.as_secs_f64()),
            Self::CrossHostRedirect { from, to } => write!(
                f,
                "`{from}` redirects to another host, which was not contacted: {to}\nCall `webfetch` with that address if you need it."
            ),
            Self::Redirects(most) => write!(f, "The address redirects more than {most} times."),
            Self::BadRedirect { from, why } => {
                write!(f, "`{from}` redirects to an address that is not followed: {why}")
            }
            Self::Status { url, status, text } => {
                write!(f, "`{url}` answered with HTTP status {status}.")?;
                match text.trim() {
                    "" => Ok(()),
                    text => write!(f, " Its text:\n{text}"),
                }
            }
            Self::NotText { url, media, bytes } => {
                let size = bytes.map_or("unknown size".to_owned(), |bytes| {
                    bytes_text(usize::try_from(bytes).unwrap_or(usize::MAX))
                });
                write!(f, "`{url}` is not text (`{media}`, {size}), so it was not read.")
            }
            Self::BrokenOff { url, why } => write!(f, "The answer of `{url}` broke off: {why}."),
            Self::Unreadable { url, why } => write!(f, "`{url}` cannot be shown as text: {why}."),
            Self::Setting(why) => write!(f, "{why}."),
            Self::Engine { engine, why } => write!(f, "`{engine}` gave no results: {why}."),
        }
    }
}
