//! Secrets in an endpoint's configuration, in every form in which a server may repeat them.

use percent_encoding::percent_decode_str;

use super::Endpoint;
use crate::body::base64;
use benchdog_config::is_secret_name;

/// Minimum length of a secret to redact. A shorter text could occur in ordinary words.
const SHORTEST: usize = 6;

pub(super) fn find_secrets(endpoint: &Endpoint) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in &endpoint.headers {
        if is_secret_name(name) {
            found.extend(value.split([' ', ';', '=', ',']).map(str::to_owned));
        }
    }
    let query = endpoint.base_url.split_once('?').map(|(_, query)| query);
    let pairs = query.into_iter().flat_map(|query| query.split('&'));
    let values = pairs.filter_map(|pair| pair.split_once('=').map(|(_, value)| value));
    found.extend(values.flat_map(|value| [value.to_owned(), percent_decode(value)]));
    let proxy = endpoint.network.proxy.as_deref();
    for user in [Some(endpoint.base_url.as_str()), proxy]
        .into_iter()
        .flatten()
        .filter_map(user_part)
    {
        found.extend(forms(user));
    }
    // Shorter words, and words such as `Bearer`, are not secret.
    found.retain(|piece| piece.len() >= SHORTEST && !piece.eq_ignore_ascii_case("bearer"));
    found.extend(endpoint.api_key.as_deref().map(|key| key.trim().to_owned()));
    found.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
    found
}

fn user_part(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    authority.rsplit_once('@').map(|(user, _)| user)
}

/// Returns the password in encoded and decoded form, and the Base64 text for basic authentication.
fn forms(user: &str) -> Vec<String> {
    let mut found = Vec::new();
    for user in [user.to_owned(), percent_decode(user)] {
        let mut basic = String::new();
        base64(user.as_bytes(), &mut basic);
        found.push(basic.trim_end_matches('=').to_owned());
        found.extend(user.split_once(':').map(|(_, password)| password.to_owned()));
    }
    found
}

fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
