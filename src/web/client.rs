//! One request to a checked address. The client connects to no other, so a later answer of a name server has no effect.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};

use crate::guard::Admitted;
use crate::names::Names;
use crate::trouble::Trouble;
use benchdog_config::settings::NetworkSettings;
use benchdog_provider::transport::{Connection, Unusable, cause_of};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The largest body that is read, unpacked.
pub(crate) const MOST_BYTES: usize = 5 << 20;

pub(crate) struct Wants<'w> {
    pub(crate) accept: &'static str,
    pub(crate) language: Option<&'w str>,
    pub(crate) headers: &'w [(String, String)],
}

/// The beginning of a body.
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// Whether more would follow.
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
    admitted: &Admitted,
    network: &NetworkSettings,
    names: &Arc<dyn Names>,
    wants: &Wants<'_>,
) -> Result<Response, Trouble> {
    let client = client(admitted, network, names, wants)?;
    let sent = client.get(admitted.address.url().clone()).send().await;
    sent.map_err(|error| Trouble::NoAnswer {
        host: admitted.address.host().to_owned(),
        why: cause_of(&error),
    })
}

fn client(
    admitted: &Admitted,
    network: &NetworkSettings,
    names: &Arc<dyn Names>,
    wants: &Wants<'_>,
) -> Result<Client, Trouble> {
    let pinned = pinned(admitted.address.host(), &admitted.ips, names);
    let builder = Client::builder()
        .user_agent(concat!("benchdog/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers(wants)?)
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(0)
        .dns_resolver(pinned);
    let is_loopback = !admitted.ips.is_empty() && admitted.ips.iter().all(IpAddr::is_loopback);
    let connection = Connection {
        proxy: network.proxy.as_deref(),
        ca_file: network.ca_file.as_deref().map(Path::new),
        is_loopback,
        is_secure: admitted.address.is_secure(),
    };
    let builder = connection.configure(builder).map_err(|unusable| {
        Trouble::Setting(match unusable {
            Unusable::Proxy(error) => format!("`network.proxy` cannot be used: {error}"),
            Unusable::Certificates(error) => format!("The certificates for `https` cannot be used: {error}"),
        })
    })?;
    let built = builder.build();
    built.map_err(|error| Trouble::Setting(format!("The HTTP client cannot be built: {}", cause_of(&error))))
}

fn headers(wants: &Wants<'_>) -> Result<HeaderMap, Trouble> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static(wants.accept));
    if let Some(language) = wants.language.and_then(|language| HeaderValue::from_str(language).ok()) {
        headers.insert(ACCEPT_LANGUAGE, language);
    }
    for (name, value) in wants.headers {
        let wrong = || Trouble::Setting(format!("`web.search.headers.{name}` cannot be sent as an HTTP header"));
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(key, value);
    }
    Ok(headers)
}

pub(crate) fn pinned(host: &str, ips: &[IpAddr], names: &Arc<dyn Names>) -> Pinned {
    Pinned {
        host: host.to_owned(),
        ips: ips.to_vec(),
        names: Arc::clone(names),
    }
}

/// Answers with the checked addresses. Only a proxy of the person has another name.
pub(crate) struct Pinned {
    host: String,
    ips: Vec<IpAddr>,
    names: Arc<dyn Names>,
}

impl Resolve for Pinned {
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
        let lookup = self.names.look_up(name);
        async move { lookup.await.map(to_addresses).map_err(Into::into) }.boxed()
    }
}

/// Reads at most `MOST_BYTES`. Data is unpacked piece by piece, so a small packed body cannot fill the memory.
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
