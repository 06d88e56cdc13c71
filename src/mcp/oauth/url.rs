//! Checks URLs that servers provide.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use benchdog_config::{is_loopback_name, is_near, public_address, server};
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_provider::transport::host_as_asked;

/// Splits a URL into its origin (`https://host:port`) and path, without query and fragment.
pub(super) fn split_origin(address: &str) -> (&str, &str) {
    let bare = address.split(['?', '#']).next().unwrap_or_default();
    let host = bare.find("://").map_or(0, |at| at + "://".len());
    let path = bare
        .get(host..)
        .and_then(|rest| rest.find('/'))
        .map_or(bare.len(), |at| host + at);
    let (origin, path) = bare.split_at(path);
    (origin, path.trim_end_matches('/'))
}

const LONGEST: usize = 8_192;

/// Accepts only `https` URLs and loopback URLs. If the MCP server is public, rejects URLs in private networks.
pub(super) fn check_url(address: &str, server_address: &str) -> Result<(), SignInTrouble> {
    // `https://2130706433` and `https://127.1` are also this machine, so the host is normalised first.
    let is_plain = address.len() <= LONGEST && !address.contains(|c: char| c.is_whitespace() || c.is_control());
    let host = host_as_asked(address).filter(|_| is_plain && server(address).is_some());
    let is_allowed = host.is_some_and(|host| {
        let is_https = address.to_ascii_lowercase().starts_with("https://");
        let is_http = address.to_ascii_lowercase().starts_with("http://");
        let is_server_public = host_as_asked(server_address).is_none_or(|host| !is_near(&host));
        (is_https || (is_http && is_loopback_name(&host))) && !(is_server_public && is_near(&host))
    });
    if is_allowed {
        return Ok(());
    }
    Err(SignInTrouble::Unsafe {
        address: public_address(address),
    })
}

/// Whether `resource` is the URL of the server or a parent of that URL.
pub(super) fn covers(resource: &str, address: &str) -> bool {
    let (parent, path) = (split_origin(resource).1, split_origin(address).1);
    let is_same_host = server(resource).is_some() && server(resource) == server(address);
    is_same_host
        && path
            .strip_prefix(parent)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) fn encode_query(pairs: &[(&str, &str)]) -> String {
    let one = |(name, value): &(&str, &str)| format!("{name}={}", utf8_percent_encode(value, UNRESERVED));
    pairs.iter().map(one).collect::<Vec<_>>().join("&")
}

const UNRESERVED: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(super) fn decode_query(query: &str) -> Vec<(String, String)> {
    let decode = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decode(name), decode(value))).collect()
}

#[cfg(test)]
mod tests;
