//! Determines the kind and the innermost cause of an HTTP client error.

use std::error::Error;

use super::client::LookupError;
use crate::certificates::{self, PresentedChain, Verdict};
use crate::failure::{Curable, Doubt, Kind, ProviderError};

pub(super) fn request_error(error: &reqwest::Error) -> ProviderError {
    if let Some(unresolved) = chain(error).find_map(<dyn Error>::downcast_ref::<LookupError>) {
        let curable = if unresolved.is_silence() {
            Curable::No
        } else {
            Curable::Perhaps
        };
        return ProviderError::new(Kind::UnknownHost(curable), unresolved.to_string());
    }
    if let Some(tls) = chain(error).find_map(|error| innermost(error).downcast_ref::<rustls::Error>()) {
        return handshake_error(tls);
    }
    let kind = if error.is_builder() {
        Kind::Setting
    } else if error.is_connect() {
        Kind::Unreachable
    } else if error.is_timeout() {
        Kind::Timeout
    } else {
        Kind::NothingArrived
    };
    ProviderError::new(kind, cause_of(error))
}

fn handshake_error(error: &rustls::Error) -> ProviderError {
    if let Some(shown) = certificates::rejection(error) {
        return ProviderError::new(doubt(shown).map_or(Kind::Tls, Kind::Certificate), shown.to_string());
    }
    match error {
        rustls::Error::InvalidMessage(_) => ProviderError::new(Kind::NoTls, ""),
        other => ProviderError::new(Kind::Tls, cause_of(other)),
    }
}

fn doubt(shown: &PresentedChain) -> Option<Doubt> {
    match shown.verdict {
        Verdict::UnknownIssuer => Some(Doubt::Issuer),
        Verdict::Expired | Verdict::NotYetValid => Some(Doubt::Dates),
        Verdict::OtherName(_) => Some(Doubt::Name),
        Verdict::Trusted | Verdict::Refused(_) => None,
    }
}

pub(super) fn body_error(error: &reqwest::Error) -> ProviderError {
    let kind = if error.is_decode() && !is_transfer(error) {
        Kind::Garbage
    } else {
        Kind::StreamEndedEarly
    };
    ProviderError::new(kind, cause_of(error))
}

/// Returns the deepest cause as a part of a sentence.
pub fn cause_of(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let text = cause.to_string();
    let text = text.split_once(" (os error").map_or(text.as_str(), |(words, _)| words);
    let text = text.trim_end_matches('.');
    let mut letters = text.chars();
    // Inside a sentence, `Connection refused` becomes lowercase. Names such as `UnknownIssuer` and `TLS` stay
    // unchanged.
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() && text.contains(' ') => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source())
}

/// Returns the deepest cause. `source` of an I/O error skips the error inside it, so this function opens nested I/O
/// errors itself.
fn innermost<'a>(mut error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    while let Some(inside) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        error = inside;
    }
    error
}

fn is_transfer(error: &reqwest::Error) -> bool {
    chain(error).any(|error| {
        let text = error.to_string();
        error.is::<std::io::Error>() || text.contains("connection") || text.contains("body")
    })
}
