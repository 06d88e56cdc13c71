//! Proxy and certificate settings of an HTTP client, for endpoints and for web pages.

use std::path::Path;

use reqwest::{ClientBuilder, Proxy};

use super::trouble::cause_of;
use crate::certificates;

pub struct Connection<'c> {
    /// Address of the proxy, or `none` for no proxy. If unset, the environment variables for proxies apply.
    pub proxy: Option<&'c str>,
    pub ca_file: Option<&'c Path>,
    /// Whether the host is this machine. If so, no proxy is used.
    pub is_loopback: bool,
    pub is_secure: bool,
}

/// A setting that cannot be used, and the reason.
#[derive(Debug)]
pub enum SettingError {
    Proxy(String),
    Certificates(String),
}

impl Connection<'_> {
    pub fn configure(&self, builder: ClientBuilder) -> Result<ClientBuilder, SettingError> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = match self.proxy {
            _ if self.is_loopback => builder.no_proxy(),
            None => builder,
            Some("none") => builder.no_proxy(),
            Some(address) => {
                let proxy = Proxy::all(address).map_err(|error| SettingError::Proxy(cause_of(&error)))?;
                builder.proxy(proxy)
            }
        };
        if !self.is_secure {
            // Plain HTTP needs no certificates. Skip loading the system's certificates, which takes milliseconds.
            return Ok(builder.tls_certs_only([]));
        }
        let settings = certificates::settings(self.ca_file);
        let mut tls = settings.map_err(|error| SettingError::Certificates(cause_of(&error)))?;
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(builder.tls_backend_preconfigured(tls))
    }
}
