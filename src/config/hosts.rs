//! Parses server addresses, and checks that each of a person's keys is sent only to its server.
//!
//! A project may configure addresses, but may not redirect a person's keys to them.

use std::fmt;

use serde_json::Value;

use super::layers::{Given, Layers, Origin};
use super::models::key_variable;
use super::settings::Settings;
use benchdog_base::environment::Environment;
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::permission::Layer;

const PROXY_VARIABLES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
];

pub(super) fn may_name_a_proxy(environment: &Environment) -> bool {
    PROXY_VARIABLES.iter().any(|name| environment.get(name).is_some())
}

/// Scheme, host and port of a server. A key may be sent to only one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    scheme: String,
    pub(super) host: String,
    port: Option<u16>,
}

impl Server {
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// Completes an address: `8000` and `127.0.0.1:8000` become `http://127.0.0.1:8000/v1`. Public hosts get `https`,
/// because a key is sent to them.
pub fn complete_address(written: &str) -> String {
    const PATH: &str = "/v1";
    let written = written.trim();
    if written.parse::<u16>().is_ok_and(|port| port > 0) {
        return format!("http://127.0.0.1:{written}{PATH}");
    }
    let has_scheme = written.contains("://");
    if !has_scheme && !names_a_host(written) {
        return written.to_owned();
    }
    let plain = match has_scheme {
        true => written.to_owned(),
        false => format!("http://{written}"),
    };
    let host = server(&plain).map(|server| server.host).unwrap_or_default();
    let is_near = is_near(&host) || !has_scheme && !host.contains('.');
    let address = match has_scheme || is_near {
        true => plain,
        false => format!("https://{written}"),
    };
    let behind_scheme = address.split_once("://").map_or("", |(_, rest)| rest);
    let has_path = behind_scheme.trim_end_matches('/').contains(['/', '\\', '?', '#']);
    // `/v1` is added only for local servers and for addresses without a scheme.
    if has_path || has_scheme && !is_near {
        return address;
    }
    format!("{}{PATH}", address.trim_end_matches('/'))
}

/// Whether a text without scheme may be a host, because it has a port or a dot.
fn names_a_host(written: &str) -> bool {
    let authority = written.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    authority.contains(['.', ':'])
        && !authority.starts_with([':', '.'])
        && !authority.ends_with(':')
        && authority.chars().all(is_part)
}

/// Parses scheme, host and port of an address as a browser does: without user info, and with `\` as `/`.
pub fn server(address: &str) -> Option<Server> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let after_user = authority.rsplit('@').next()?;
    let (host, port) = match after_user.split_once(']') {
        Some((address, port)) => (address, port.strip_prefix(':')),
        None => match after_user.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (after_user, None),
        },
    };
    let scheme = scheme.to_ascii_lowercase();
    let usual = if scheme == "https" { 443 } else { 80 };
    let port = match port.unwrap_or_default() {
        "" => Some(usual),
        port => port.parse().ok(),
    };
    Some(Server {
        host: host.trim_end_matches('.').to_ascii_lowercase(),
        scheme,
        port,
    })
}

/// Completes an address in the format of `OLLAMA_HOST`: `host`, `host:port`, or a URL.
pub fn ollama_address(host: &str) -> String {
    const PORT: u16 = 11_434;
    let (scheme, rest) = host.trim().split_once("://").unwrap_or(("http", host.trim()));
    let authority = rest.split('/').next().unwrap_or_default();
    // A wildcard address means this machine.
    let authority = match authority.strip_prefix("0.0.0.0") {
        Some(port) => format!("127.0.0.1{port}"),
        None if authority.starts_with(':') => format!("127.0.0.1{authority}"),
        None => authority.to_owned(),
    };
    let after_address = authority.rsplit(']').next().unwrap_or_default();
    let port = match (scheme, after_address.contains(':')) {
        ("http", false) => format!(":{PORT}"),
        _ => String::new(),
    };
    format!("{scheme}://{authority}{port}/v1")
}

/// Whether the host is a loopback, private or link-local address. Other names would need a lookup.
pub fn is_near(host: &str) -> bool {
    use std::net::IpAddr;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => is_near_v4(address),
        Ok(IpAddr::V6(address)) => {
            let is_mapped = address.to_ipv4_mapped().is_some_and(is_near_v4);
            let is_own = address.is_loopback() || address.is_unspecified();
            is_own || is_mapped || address.is_unique_local() || address.is_unicast_link_local()
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn is_near_v4(address: std::net::Ipv4Addr) -> bool {
    address.is_loopback() || address.is_unspecified() || address.is_private() || address.is_link_local()
}

pub fn is_loopback_name(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: std::net::IpAddr| address.is_loopback();
    address.parse().is_ok_and(is_loopback) || host == "localhost" || host.ends_with(".localhost")
}

/// Returns an address without user info, query and fragment, which may contain keys.
pub fn public_address(address: &str) -> String {
    let bare = address.trim().split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = bare.split_at(bare.find("://").map_or(0, |at| at + "://".len()));
    let end = rest.find(['/', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}{host}{path}")
}

/// Returns a problem for each key, header and certificate of the person that a project's `base_url` would send to
/// another server.
pub(super) fn foreign(layers: &Layers, settings: &Settings, environment: &Environment) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, provider) in &settings.provider {
        let Some(theirs) = leads_away(layers, name) else {
            continue;
        };
        let drawn: Vec<String> = ["api_key_env", "headers", "ca_file"]
            .into_iter()
            .flat_map(|part| persons(layers, name, part))
            .collect();
        problems.extend(drawn.iter().map(|what| problem(name, theirs, what)));
        if !drawn.iter().any(|what| what.contains(".api_key_env"))
            && let Some(variable) = key_variable(provider, environment)
        {
            problems.push(problem(name, theirs, &format!("the key in `{variable}`")));
        }
    }
    problems
}

fn leads_away<'a>(layers: &'a Layers, provider: &str) -> Option<&'a Origin> {
    let path = ["provider", provider, "base_url"];
    let origins = layers.origins(&path);
    let theirs = origins.last().filter(|origin| origin.layer == Layer::Project)?;
    let own = origins.iter().rev().find(|origin| origin.layer != Layer::Project);
    let of = |origin: &Origin| server(&complete_address(origin.value.as_str()?));
    match own.and_then(of) {
        Some(own) if Some(&own) == of(theirs).as_ref() => None,
        Some(_) | None => Some(theirs),
    }
}

fn persons(layers: &Layers, provider: &str, part: &str) -> Vec<String> {
    let path = ["provider", provider, part];
    let says_something = |value: &Value| {
        !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty()) && !value.is_object()
    };
    let of_the_person = |given: &Given<'_>| {
        let origin = given.nearest()?;
        let counts = origin.layer != Layer::Project && says_something(&origin.value);
        counts.then(|| format!("`{}` ({})", given.name(), origin.place))
    };
    layers.under(&path).iter().filter_map(of_the_person).collect()
}

fn problem(provider: &str, theirs: &Origin, what: &str) -> Problem {
    let address = theirs.value.as_str().map(complete_address);
    let address = address.as_deref().and_then(server);
    let host = address.map(|server| server.host).unwrap_or_default();
    Problem::new(
        Location::file(&theirs.place),
        format!("`provider.{provider}.base_url` of the project would send {what} to another server, `{host}`"),
    )
    .with(Some(format!(
        "if you mean it, write that `base_url` and its `api_key_env` under `provider.{provider}` in your own file"
    )))
}
