//! Requests of protocols other than model APIs. They use the same client and rules: no redirects, and a time limit for
//! every request.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};

use super::{Incoming, Transport};
use crate::failure::{Kind, ProviderError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
    Delete,
}

pub struct Request<'a> {
    pub verb: Verb,
    pub url: &'a str,
    /// Additional headers. They override endpoint headers with the same name.
    pub headers: Vec<(String, String)>,
    pub body: Option<Vec<u8>>,
    pub patience: Duration,
}

impl Transport {
    pub async fn ask(&self, asked: Request<'_>) -> Result<Incoming, ProviderError> {
        let method = match asked.verb {
            Verb::Get => Method::GET,
            Verb::Post => Method::POST,
            Verb::Delete => Method::DELETE,
        };
        let mut request = self.client()?.request(method, asked.url);
        for (name, value) in &asked.headers {
            let unusable = || {
                let text = format!("The header `{name}` of {} cannot be sent", self.endpoint.owner);
                ProviderError::new(Kind::Setting, text)
            };
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unusable())?;
            let mut value = HeaderValue::from_str(value).map_err(|_| unusable())?;
            value.set_sensitive(true);
            request = request.header(header, value);
        }
        if let Some(body) = asked.body {
            request = request.body(body);
        }
        self.send(asked.url.to_owned(), request, asked.patience).await
    }
}

impl Incoming {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name)?.to_str().ok()
    }
}
