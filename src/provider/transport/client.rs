//! Creates the HTTP client of an endpoint: headers, proxy, certificates, and name lookup.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::connection::{Connection, SettingError};
use super::trouble::cause_of;
use super::{Endpoint, is_loopback, may_reach};
use crate::failure::{Kind, ProviderError};
use benchdog_config::public_address;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of a name lookup. Shorter than the connection limit, so that the error names the lookup as the cause.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(9);

pub(super) fn build(endpoint: &Endpoint) -> Result<reqwest::Client, ProviderError> {
    let setting = |message: String| ProviderError::new(Kind::Setting, message);
    let (owner, key) = (&endpoint.owner, endpoint.owner.address_key());
    let url = reqwest::Url::parse(endpoint.base_url.trim()).map_err(|error| {
        setting(format!(
            "The `{key}` `{}` of {owner} is no URL: {error}",
            public_address(&endpoint.base_url)
        ))
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(setting(format!(
            "The `{key}` `{}` of {owner} begins with neither `http://` nor `https://`",
            public_address(&endpoint.base_url)
        )));
    }
    let host = url.host_str().unwrap_or_default();
    if !may_reach(&endpoint.network, host) {
        return Err(setting(format!(
            "`network.offline` is on, and `{host}` of {owner} is neither this machine, nor a private address, nor in `network.allowed_hosts`"
        )));
    }
    let builder = reqwest::Client::builder()
        .user_agent(concat!("benchdog/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers(endpoint)?)
        // A redirect would send the prompt to another server.
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .dns_resolver(Names)
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(30))
        .pool_idle_timeout(Duration::from_secs(90));
    let ca_file = endpoint
        .ca_file
        .as_deref()
        .or(endpoint.network.ca_file.as_deref().map(Path::new));
    let connection = Connection {
        proxy: endpoint.network.proxy.as_deref(),
        ca_file,
        is_loopback: is_loopback(&url),
        is_secure: url.scheme() != "http",
    };
    let builder = connection.configure(builder).map_err(|unusable| match unusable {
        SettingError::Proxy(error) => setting(format!("`network.proxy` cannot be used: {error}")),
        SettingError::Certificates(error) => {
            let file = ca_file.unwrap_or(Path::new("")).display();
            setting(format!("The `ca_file` `{file}` of {owner} cannot be used: {error}"))
        }
    })?;
    builder
        .build()
        .map_err(|error| setting(format!("The client for {owner} cannot be built: {}", cause_of(&error))))
}

fn headers(endpoint: &Endpoint) -> Result<HeaderMap, ProviderError> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
    // Compression would delay the stream until a block is full.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    let unusable = |what: String| {
        ProviderError::new(
            Kind::Setting,
            format!("{what} of {} cannot be sent as an HTTP header", endpoint.owner),
        )
    };
    if let Some(key) = endpoint.api_key.as_deref().map(str::trim).filter(|key| !key.is_empty()) {
        let mut value =
            HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| unusable("The API key".to_owned()))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    for (name, value) in &endpoint.headers {
        let unusable = || unusable(format!("The header `{name}`"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

struct Names;

#[derive(Debug)]
pub(super) struct LookupError {
    name: String,
    /// Cause of the failed lookup. `None` if the lookup timed out.
    why: Option<String>,
}

impl LookupError {
    pub(super) fn is_silence(&self) -> bool {
        self.why.is_none()
    }
}

impl std::error::Error for LookupError {}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.why {
            Some(why) => write!(f, "`{name}` is not known: {why}"),
            None => write!(
                f,
                "no name server said within {} s where `{name}` is",
                LOOKUP_TIMEOUT.as_secs()
            ),
        }
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let lookup = tokio::net::lookup_host((name.clone(), 0));
            resolve_within(name, LOOKUP_TIMEOUT, lookup)
                .await
                .map(|found| Box::new(found) as Addrs)
                .map_err(Into::into)
        })
    }
}

pub(super) async fn resolve_within<T>(
    name: String,
    patience: Duration,
    lookup: impl Future<Output = std::io::Result<T>>,
) -> Result<T, LookupError> {
    let why = match tokio::time::timeout(patience, lookup).await {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => {
            let why = cause_of(&error);
            Some(why.rsplit(": ").next().unwrap_or_default().to_owned())
        }
        Err(_) => None,
    };
    Err(LookupError { name, why })
}
