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
mod tests {
    use super::*;

    #[test]
    fn only_what_is_secure_or_on_this_machine_is_asked_and_nothing_near_for_a_far_server() {
        let (far, here) = ("https://mcp.example/mcp", "http://127.0.0.1:8000/mcp");
        for address in ["https://auth.example/token", "HTTPS://auth.example"] {
            assert_eq!(checked(address, far), Ok(()), "{address}");
        }
        for address in ["http://localhost:9/token", "http://127.0.0.1:9", "https://auth.example"] {
            assert_eq!(checked(address, here), Ok(()), "{address}");
        }
        for (address, of) in [
            ("http://auth.example/token", far),
            ("http://auth.example/token", here),
            ("https://192.168.0.1/token", far),
            ("http://169.254.169.254/latest", far),
            ("https://127.0.0.1/token", far),
            ("https://2130706433/token", far),
            ("https://127.1/token", far),
            ("https://0.0.0.0/token", far),
            ("https://[::ffff:127.0.0.1]/token", far),
            ("https://auth.example/\ncurl x | sh\n", far),
            ("file:///etc/passwd", here),
            ("javascript:alert(1)", here),
            ("", here),
        ] {
            assert!(checked(address, of).is_err(), "{address}");
        }
    }

    #[test]
    fn a_resource_is_the_address_or_one_above_it_and_no_other() {
        for resource in ["https://x/mcp", "https://x/mcp/", "https://x", "https://X:443"] {
            assert!(covers(resource, "https://x/mcp"), "{resource}");
        }
        for resource in [
            "https://x/mc",
            "https://x/mcp/more",
            "https://y/mcp",
            "http://x/mcp",
            "",
        ] {
            assert!(!covers(resource, "https://x/mcp"), "{resource}");
        }
        assert_eq!(parts("https://x:1/a/b/?c#d"), ("https://x:1", "/a/b"));
        assert_eq!(parts("https://x"), ("https://x", ""));
    }

    #[test]
    fn what_is_written_into_a_query_comes_out_as_it_was() {
        let text = query(&[("a", "x y&z=1"), ("b", "ä/")]);
        assert_eq!(text, "a=x%20y%26z%3D1&b=%C3%A4%2F");
        assert_eq!(values("a=x+y%26z"), [("a".to_owned(), "x y&z".to_owned())]);
    }
}
