//! Checks URLs from servers.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use benchdog_config::{is_loopback_name, is_near, public_address, server};
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_provider::transport::host_as_asked;

/// Splits into `https://host:port` and path, without query and fragment.
pub(super) fn parts(address: &str) -> (&str, &str) {
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

/// Accepts `https` or local URLs for the sign-in at `of`, and no private network if `of` is public.
pub(super) fn checked(address: &str, of: &str) -> Result<(), SignInTrouble> {
    // Normalise first, because `https://2130706433` and `https://127.1` are this machine.
    let is_plain_text = address.len() <= LONGEST && !address.contains(|c: char| c.is_whitespace() || c.is_control());
    let named = host_as_asked(address).filter(|_| is_plain_text && server(address).is_some());
    let is_fine = named.is_some_and(|named| {
        let is_secure = address.to_ascii_lowercase().starts_with("https://");
        let is_plain = address.to_ascii_lowercase().starts_with("http://");
        let is_of_a_far_one = host_as_asked(of).is_none_or(|of| !is_near(&of));
        (is_secure || (is_plain && is_loopback_name(&named))) && !(is_of_a_far_one && is_near(&named))
    });
    if is_fine {
        return Ok(());
    }
    Err(SignInTrouble::Unsafe {
        address: public_address(address),
    })
}

/// Whether `resource` is the server's URL or a parent of it.
pub(super) fn covers(resource: &str, address: &str) -> bool {
    let (above, below) = (parts(resource).1, parts(address).1);
    let is_same = server(resource).is_some() && server(resource) == server(address);
    is_same
        && below
            .strip_prefix(above)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) fn query(pairs: &[(&str, &str)]) -> String {
    let one = |(name, value): &(&str, &str)| format!("{name}={}", utf8_percent_encode(value, UNRESERVED));
    pairs.iter().map(one).collect::<Vec<_>>().join("&")
}

const UNRESERVED: &percent_encoding::AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(super) fn values(query: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

#[cfg(test)]
mod tests;
