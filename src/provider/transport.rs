//! HTTP requests to one endpoint. The first request or `warm` creates the client, so that program start stays fast.

mod client;
mod connection;
mod look;
mod request;
mod secrets;
mod trouble;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use reqwest::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};

pub use connection::{Connection, SettingError};
pub use request::{Request, Verb};
pub use trouble::cause_of;

use super::failure::{HIDDEN, Kind, Missing, ProviderError};
use super::retry;
use benchdog_base::clock::Time;
use benchdog_config::settings::NetworkSettings;
use benchdog_config::{is_near, public_address};
use trouble::{body_error, request_error};

/// Maximum bytes that one read returns. A read combines all available data, because many small chunks are slow.
const READ_TOGETHER: usize = 64 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    Provider(String),
    Tools(String),
    Telemetry,
}

impl Owner {
    fn address_key(&self) -> &'static str {
        match self {
            Self::Provider(_) => "base_url",
            Self::Tools(_) => "url",
            Self::Telemetry => "endpoint",
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(name) => write!(f, "provider `{name}`"),
            Self::Tools(name) => write!(f, "server `{name}`"),
            Self::Telemetry => f.write_str("`telemetry`"),
        }
    }
}

#[derive(Clone)]
pub struct Endpoint {
    pub owner: Owner,
    /// Base URL, with `/v1` if the server requires it.
    pub base_url: String,
    pub api_key: Option<String>,
    /// Additional headers. An `Authorization` header replaces the key.
    pub headers: Vec<(String, String)>,
    /// PEM file with certificates to trust in addition to those of the system.
    pub ca_file: Option<PathBuf>,
    pub network: NetworkSettings,
    /// Maximum time between two chunks of a response. The total time has no limit.
    pub idle_timeout: Duration,
}

pub struct Transport {
    endpoint: Endpoint,
    client: OnceLock<Result<reqwest::Client, ProviderError>>,
    secrets: Vec<String>,
    /// Whether a diagnosis found no cause. If so, later errors are not diagnosed.
    told_nothing: AtomicBool,
}

/// A response whose body is arriving. Dropping it closes the connection.
pub struct Incoming {
    pub status: u16,
    pub location: Option<String>,
    pub content_type: Option<String>,
    pub retry_after: Option<Duration>,
    url: String,
    idle_timeout: Duration,
    response: reqwest::Response,
    broken: Option<ProviderError>,
}

impl Transport {
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            secrets: secrets::find_secrets(&endpoint),
            endpoint,
            client: OnceLock::new(),
            told_nothing: AtomicBool::new(false),
        }
    }

    /// Creates the client, and reads the system's certificates for HTTPS. Does not connect.
    pub(crate) fn warm(&self) {
        let _ = self.client();
    }

    pub(crate) fn base_url(&self) -> &str {
        &self.endpoint.base_url
    }

    /// Returns the URL for `path`. A path with a leading slash is relative to the base URL without `/v1`. Any other
    /// path is relative to the whole base URL.
    pub(crate) fn url(&self, path: &str) -> String {
        // The base URL may have a query that every request needs, such as Azure's `?api-version=…`.
        let joint = if path.contains('?') { '&' } else { '?' };
        let (base, query) = match self.endpoint.base_url.trim().split_once('?') {
            Some((base, query)) => (base, format!("{joint}{query}")),
            None => (self.endpoint.base_url.trim(), String::new()),
        };
        let base = base.trim_end_matches('/');
        let base = ["/chat/completions", "/responses"]
            .iter()
            .find_map(|path| base.strip_suffix(path))
            .unwrap_or(base);
        match path.strip_prefix('/') {
            Some(path) => format!("{}/{path}{query}", base.strip_suffix("/v1").unwrap_or(base)),
            None => format!("{base}/{path}{query}"),
        }
    }

    pub(crate) fn redact_secrets(&self, error: ProviderError) -> ProviderError {
        self.secrets().fold(error, |error, key| error.redact(Some(key)))
    }

    pub(crate) fn redact_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return bytes.into();
        };
        let keys = self.secrets().filter(|key| key.len() >= 4 && text.contains(key));
        let mut kept = Cow::Borrowed(text);
        for key in keys {
            kept = kept.replace(key, HIDDEN).into();
        }
        match kept {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        }
    }

    /// Returns the secrets, longest first. The longer secret must be replaced first if it begins with a shorter one.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(String::as_str)
    }

    pub(crate) async fn post(&self, path: &str, body: Vec<u8>) -> Result<Incoming, ProviderError> {
        self.post_within(path, body, self.endpoint.idle_timeout).await
    }

    pub(crate) async fn post_within(
        &self,
        path: &str,
        body: Vec<u8>,
        patience: Duration,
    ) -> Result<Incoming, ProviderError> {
        self.post_as(path, "application/json", body, patience).await
    }

    pub(crate) async fn post_as(
        &self,
        path: &str,
        content_type: &str,
        body: Vec<u8>,
        patience: Duration,
    ) -> Result<Incoming, ProviderError> {
        let url = self.url(path);
        let request = self.client()?.post(&url).header(CONTENT_TYPE, content_type);
        self.send(url, request.body(body), patience).await
    }

    pub(crate) async fn get(&self, path: &str, patience: Duration) -> Result<Incoming, ProviderError> {
        let url = self.url(path);
        let request = self.client()?.get(&url);
        self.send(url, request, patience).await
    }

    async fn send(
        &self,
        url: String,
        request: reqwest::RequestBuilder,
        patience: Duration,
    ) -> Result<Incoming, ProviderError> {
        let failed = |error: ProviderError| self.redact_secrets(error.with_endpoint(&url));
        let response = match tokio::time::timeout(patience, request.send()).await {
            Err(_) => return Err(failed(timeout_error(patience))),
            Ok(Err(error)) => return Err(failed(self.diagnose(request_error(&error), &url).await)),
            Ok(Ok(response)) => response,
        };
        let header = |name| {
            response
                .headers()
                .get(name)
                .and_then(|value: &HeaderValue| value.to_str().ok())
        };
        Ok(Incoming {
            status: response.status().as_u16(),
            location: header(reqwest::header::LOCATION).map(str::to_owned),
            content_type: header(CONTENT_TYPE).map(str::to_owned),
            retry_after: header(RETRY_AFTER).and_then(|wait| retry::retry_after(wait, Time::now().0 / 1000)),
            url,
            idle_timeout: patience,
            response,
            broken: None,
        })
    }

    /// Replaces the error by a more specific one from a diagnosis, if Benchdog may contact the endpoint directly.
    async fn diagnose(&self, error: ProviderError, url: &str) -> ProviderError {
        let proxy = self.endpoint.network.proxy.as_deref();
        let url = reqwest::Url::parse(url).ok();
        // Do not bypass a configured proxy.
        let direct = url.filter(|url| match proxy {
            Some("none") => true,
            Some(_) => is_loopback(url),
            // The environment may define a proxy for this host, so only this machine may be contacted directly.
            None if self.endpoint.network.has_proxy_variables => is_loopback(url),
            None => is_near(url.host_str().unwrap_or_default()),
        });
        match (error.kind, direct) {
            (Kind::Unreachable | Kind::NothingArrived | Kind::NoTls, Some(url))
                if !self.told_nothing.load(Ordering::Relaxed) =>
            {
                let told = look::look(&url).await;
                self.told_nothing.store(told.is_none(), Ordering::Relaxed);
                told.unwrap_or(error)
            }
            (Kind::Unreachable | Kind::NothingArrived, None) => match proxy.filter(|proxy| *proxy != "none") {
                Some(proxy) => error.with_proxy(proxy),
                None => error,
            },
            _ => error,
        }
    }

    fn client(&self) -> Result<&reqwest::Client, ProviderError> {
        self.client
            .get_or_init(|| client::build(&self.endpoint))
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl Incoming {
    /// Returns all available data, and waits if there is none yet. `None` at the end of the body.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, ProviderError> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        let first = match tokio::time::timeout(self.idle_timeout, self.response.chunk()).await {
            Err(_) => return Err(timeout_error(self.idle_timeout).with_endpoint(&self.url)),
            Ok(Err(error)) => return Err(body_error(&error).with_endpoint(&self.url)),
            Ok(Ok(None)) => return Ok(None),
            Ok(Ok(Some(bytes))) => bytes,
        };
        let mut bytes = Vec::from(first);
        while bytes.len() < READ_TOGETHER && self.read_available(&mut bytes).await {}
        Ok(Some(bytes))
    }

    async fn read_available(&mut self, bytes: &mut Vec<u8>) -> bool {
        let mut read = self.response.chunk().now_or_never();
        if read.is_none() {
            // The connection's task passes on one chunk at a time. Let it run once, because another chunk may be ready.
            tokio::task::yield_now().await;
            read = self.response.chunk().now_or_never();
        }
        match read {
            Some(Ok(Some(more))) => {
                bytes.extend_from_slice(&more);
                true
            }
            Some(Err(error)) => {
                self.broken = Some(body_error(&error).with_endpoint(&self.url));
                false
            }
            // At the end of the body, the next read returns the end again.
            Some(Ok(None)) | None => false,
        }
    }

    pub(crate) async fn drain(&mut self, patience: Duration) -> DrainOutcome {
        let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
        match tokio::time::timeout(patience, rest).await {
            Ok(()) => DrainOutcome::Whole,
            Err(_) => DrainOutcome::More,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DrainOutcome {
    Whole,
    More,
}

pub fn may_reach(network: &NetworkSettings, host: &str) -> bool {
    !network.offline || is_near(host) || is_allowed(host, &network.allowed_hosts)
}

fn is_allowed(host: &str, allowed: &[String]) -> bool {
    allowed.iter().any(|named| match named.strip_prefix("*.") {
        Some(domain) => host.strip_suffix(domain).is_some_and(|under| under.ends_with('.')),
        None => host.eq_ignore_ascii_case(named.trim_start_matches('[').trim_end_matches(']')) || host == named,
    })
}

/// Returns the host of a URL in normalised form. For example, `http://2130706433` gives `127.0.0.1`.
pub fn host_as_asked(address: &str) -> Option<String> {
    reqwest::Url::parse(address).ok()?.host_str().map(str::to_owned)
}

/// Whether the host of the URL is this machine. Requests to this machine use no proxy.
fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address
        .parse::<std::net::IpAddr>()
        .is_ok_and(|address| address.is_loopback())
        || host == "localhost"
        || host.ends_with(".localhost")
}

fn timeout_error(patience: Duration) -> ProviderError {
    ProviderError::new(Kind::Timeout, format!("nothing came for {} s", patience.as_secs_f64()))
}

/// Returns an error for a redirect. Only the user may choose the address that receives the prompt.
pub(crate) fn redirect_error(incoming: &Incoming) -> Option<ProviderError> {
    let location = incoming.location.as_deref()?;
    (300..400).contains(&incoming.status).then(|| {
        ProviderError::new(
            Kind::NotFound(Missing::Path),
            format!("it redirects to `{}`", public_address(location)),
        )
        .with_status(incoming.status)
    })
}

#[cfg(test)]
mod tests;
