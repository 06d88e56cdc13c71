//! Sends one request to a checked address. The client connects only to the checked IP addresses, so a later change of
//! the name server's answers has no effect.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};

use crate::guard::ResolvedAddress;
use crate::limits::MOST_BYTES;
use crate::lookup::HostLookup;
use crate::trouble::Trouble;
use benchdog_config::settings::NetworkSettings;
use benchdog_provider::transport::{Connection, SettingError, cause_of};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct RequestOptions<'w> {
    pub(crate) accept: &'static str,
    pub(crate) language: Option<&'w str>,
    pub(crate) headers: &'w [(String, String)],
}

pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_cut: bool,
}

pub(crate) fn may_use_proxy(network: &NetworkSettings) -> bool {
    match network.proxy.as_deref() {
        Some("none") => false,
        Some(_) => true,
        None => network.has_proxy_variables,
    }
}

pub(crate) async fn get(
    resolved: &ResolvedAddress,
    network: &NetworkSettings,
    lookup: &Arc<dyn HostLookup>,
    options: &RequestOptions<'_>,
) -> Result<Response, Trouble> {
    let client = client(resolved, network, lookup, options)?;
    let sent = client.get(resolved.address.url().clone()).send().await;
    sent.map_err(|error| Trouble::NoAnswer {
        host: resolved.address.host().to_owned(),
        why: cause_of(&error),
    })
}

fn client(
    resolved: &ResolvedAddress,
    network: &NetworkSettings,
    lookup: &Arc<dyn HostLookup>,
    options: &RequestOptions<'_>,
) -> Result<Client, Trouble> {
    let resolver = PinnedResolver::new(resolved.address.host(), &resolved.ips, lookup);
    let builder = Client::builder()
        .user_agent(concat!("benchdog/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers(options)?)
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(0)
        .dns_resolver(resolver);
    let is_loopback = !resolved.ips.is_empty() && resolved.ips.iter().all(IpAddr::is_loopback);
    let connection = Connection {
        proxy: network.proxy.as_deref(),
        ca_file: network.ca_file.as_deref().map(Path::new),
        is_loopback,
        is_secure: resolved.address.is_secure(),
    };
    let builder = connection.configure(builder).map_err(|error| {
        Trouble::Setting(match error {
            SettingError::Proxy(error) => format!("`network.proxy` cannot be used: {error}"),
            SettingError::Certificates(error) => format!("The certificates for `https` cannot be used: {error}"),
        })
    })?;
    let built = builder.build();
    built.map_err(|error| Trouble::Setting(format!("The HTTP client cannot be built: {}", cause_of(&error))))
}

fn headers(options: &RequestOptions<'_>) -> Result<HeaderMap, Trouble> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(options.accept));
    if let Some(language) = options
        .language
        .and_then(|language| HeaderValue::from_str(language).ok())
    {
        headers.insert(ACCEPT_LANGUAGE, language);
    }
    for (name, value) in options.headers {
        let wrong = || Trouble::Setting(format!("`web.search.headers.{name}` cannot be sent as an HTTP header"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}

/// Resolver that returns the checked IP addresses for `host`. The only other possible name is that of a configured
/// proxy, which is looked up normally.
pub(crate) struct PinnedResolver {
    host: String,
    ips: Vec<IpAddr>,
    lookup: Arc<dyn HostLookup>,
}

impl PinnedResolver {
    pub(crate) fn new(host: &str, ips: &[IpAddr], lookup: &Arc<dyn HostLookup>) -> Self {
        Self {
            host: host.to_owned(),
            ips: ips.to_vec(),
            lookup: Arc::clone(lookup),
        }
    }
}

impl Resolve for PinnedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().trim_end_matches('.').to_owned();
        let to_addresses = |ips: Vec<IpAddr>| -> Addrs { Box::new(ips.into_iter().map(|ip| SocketAddr::new(ip, 0))) };
        if name.eq_ignore_ascii_case(&self.host) {
            let ips = self.ips.clone();
            let found = match ips.is_empty() {
                true => Err("it has no address that was checked".into()),
                false => Ok(to_addresses(ips)),
            };
            return futures::future::ready(found).boxed();
        }
        let lookup = self.lookup.look_up(name);
        async move { lookup.await.map(to_addresses).map_err(Into::into) }.boxed()
    }
}

/// Reads at most `MOST_BYTES`. Decompresses chunk by chunk, so that a small compressed body cannot fill the memory.
pub(crate) async fn body(response: &mut Response, url: &str) -> Result<Body, Trouble> {
    let mut bytes = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(|error| Trouble::BrokenOff {
            url: url.to_owned(),
            why: cause_of(&error),
        })?;
        let Some(chunk) = chunk else {
            return Ok(Body { bytes, is_cut: false });
        };
        let room = MOST_BYTES - bytes.len();
        bytes.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        if chunk.len() > room {
            return Ok(Body { bytes, is_cut: true });
        }
    }
}
