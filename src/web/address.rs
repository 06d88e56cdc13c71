//! The address of a page, normalised as in a browser: `http://2130706433/` becomes `http://127.0.0.1/`.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::bad_ports::is_bad;
use crate::trouble::Trouble;

/// Maximum length of an address in bytes. A user could not check a longer address, and a longer address could carry
/// data out of the workspace.
const LONGEST: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

impl Address {
    /// Parses an address. Without a scheme, `https` is assumed.
    pub fn parse(written: &str) -> Result<Self, Trouble> {
        let written = written.trim();
        // The URL parser would silently remove tabs and line ends from the middle of the text.
        if written.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err(address_error(written, "it contains blanks or control characters"));
        }
        let url = match has_scheme(written) {
            true => Url::parse(written),
            false => Url::parse(&format!("https://{written}")),
        };
        Self::from_url(url.map_err(|error| address_error(written, &error.to_string()))?)
    }

    pub(crate) fn from_url(mut url: Url) -> Result<Self, Trouble> {
        let shown = url.as_str();
        if !matches!(url.scheme(), "http" | "https") {
            return Err(address_error(shown, "only `https` and `http` are supported"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            // The message omits the address, because it may contain a password.
            return Err(Trouble::Address(
                "The address contains a user name or password, which is not supported. Write it without them."
                    .to_owned(),
            ));
        }
        if shown.len() > LONGEST {
            return Err(address_error(shown, &format!("it is longer than {LONGEST} characters")));
        }
        let Some(host) = url.host_str() else {
            return Err(address_error(shown, "it has no host"));
        };
        if host.trim_matches('.').is_empty() || host.trim_end_matches('.').split('.').any(str::is_empty) {
            return Err(address_error(shown, "its host name is invalid"));
        }
        if let Some(port) = url.port().filter(|port| is_bad(*port)) {
            return Err(address_error(shown, &format!("browsers block port {port}")));
        }
        // The fragment is removed, because it is never sent to a server.
        url.set_fragment(None);
        Ok(Self(url))
    }

    pub(crate) fn join(&self, location: &str) -> Result<Self, Trouble> {
        let joined = self.0.join(location);
        Self::from_url(joined.map_err(|error| address_error(location, &error.to_string()))?)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the host without brackets and final dot, in lowercase.
    pub fn host(&self) -> &str {
        let host = self.0.host_str().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.')
    }

    pub(crate) fn ip(&self) -> Option<IpAddr> {
        self.host().parse().ok()
    }

    pub(crate) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(443)
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns the host in the form of permission rules. Includes the scheme if it is `http`, and the port if it is not
    /// the default.
    pub fn subject(&self) -> String {
        let host = match self.host() {
            host if host.contains(':') => format!("[{host}]"),
            host => host.to_owned(),
        };
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        let scheme = if self.is_secure() { "" } else { "http://" };
        format!("{scheme}{host}{port}")
    }

    /// Whether an approval of this address also applies to `other`. The hosts must be equal. At the default ports, an
    /// approval of `http` also applies to `https`, but not the other way round.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let is_upgrade = !self.is_secure() && other.is_secure() && self.0.port().is_none() && other.0.port().is_none();
        self.host() == other.host() && (self.subject() == other.subject() || is_upgrade)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether the text begins with a scheme. A colon can also separate a host and a port.
fn has_scheme(written: &str) -> bool {
    let Some((before, behind)) = written.split_once(':') else {
        return false;
    };
    let mut letters = before.chars();
    let is_scheme = letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    let port = behind.get(..end).unwrap_or_default();
    let is_port = !port.is_empty() && port.chars().all(|digit| digit.is_ascii_digit());
    is_scheme && !is_port
}

fn address_error(written: &str, why: &str) -> Trouble {
    let shown: String = written.chars().take(200).flat_map(char::escape_default).collect();
    Trouble::Address(format!(
        "`{shown}` is not an address that can be fetched: {why}. Write it like `https://docs.rs/serde`."
    ))
}

#[cfg(test)]
mod tests;
