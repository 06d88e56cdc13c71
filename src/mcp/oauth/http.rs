//! HTTP requests during a sign-in. Response sizes are limited. Requests never contain the headers that are configured
//! for the MCP server.

use std::time::Duration;

use serde_json::Value;

use super::client::Client;
use super::url::check_url;
use crate::definition::Address;
use crate::diagnosis::words;
use crate::secret_filter::filter_secrets;
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_provider::transport::{Endpoint, Incoming, Owner, Request, Transport, Verb};

const TIMEOUT: Duration = Duration::from_secs(15);
const MOST_BYTES: usize = 256 << 10;

const SENSITIVE: [&str; 7] = [
    "code",
    "code_verifier",
    "refresh_token",
    "token",
    "client_assertion",
    "assertion",
    "subject_token",
];

pub(super) struct OAuthHttp<'a> {
    pub(super) name: &'a str,
    pub(super) server: &'a str,
    network: &'a NetworkSettings,
}

pub(super) struct Response {
    pub(super) status: u16,
    pub(super) challenge: Option<String>,
    pub(super) body: Value,
    secrets: Vec<String>,
}

impl Response {
    pub(super) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }

    pub(super) fn list(&self, name: &str) -> Option<Vec<String>> {
        let all = self.body.get(name)?.as_array()?.iter();
        Some(all.filter_map(|one| Some(one.as_str()?.to_owned())).collect())
    }

    /// Returns the error's description, or else its code, or else the HTTP status.
    pub(super) fn error_text(&self) -> String {
        let text = self.text("error_description").or_else(|| self.text("error"));
        match text {
            Some(text) => words(&filter_secrets(text, &self.secrets)),
            None => self.status.to_string(),
        }
    }
}

impl<'a> OAuthHttp<'a> {
    pub(super) fn for_server(name: &'a str, address: &'a Address) -> Self {
        Self::new(name, &address.url, &address.network)
    }

    pub(super) fn new(name: &'a str, server: &'a str, network: &'a NetworkSettings) -> Self {
        Self { name, server, network }
    }

    pub(super) async fn get(&self, url: &str) -> Result<Response, SignInTrouble> {
        self.send(Verb::Get, url, Vec::new(), None, Vec::new()).await
    }

    pub(super) async fn post_form(
        &self,
        url: &str,
        pairs: &[(&str, &str)],
        client: &Client,
    ) -> Result<Response, SignInTrouble> {
        let (authentication, basic) = client.authentication();
        let sensitive = pairs.iter().filter(|(name, _)| SENSITIVE.contains(name));
        let sensitive = sensitive.map(|(_, value)| (*value).to_owned());
        let secrets = sensitive.chain(client.secret().map(str::to_owned)).chain(basic.clone());
        let secrets = secrets.collect();
        let mut headers = vec![content_type("application/x-www-form-urlencoded")];
        headers.extend(basic.map(|basic| ("authorization".to_owned(), format!("Basic {basic}"))));
        let body = super::url::encode_query(&[pairs, authentication.as_slice()].concat()).into_bytes();
        self.send(Verb::Post, url, headers, Some(body), secrets).await
    }

    pub(super) async fn post_json(&self, url: &str, body: &Value) -> Result<Response, SignInTrouble> {
        let body = body.to_string().into_bytes();
        let headers = vec![content_type("application/json")];
        self.send(Verb::Post, url, headers, Some(body), Vec::new()).await
    }

    async fn send(
        &self,
        verb: Verb,
        url: &str,
        mut headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
        mut secrets: Vec<String>,
    ) -> Result<Response, SignInTrouble> {
        if url != self.server {
            check_url(url, self.server)?;
            headers.push(("accept".to_owned(), "application/json".to_owned()));
        }
        let transport = Transport::new(Endpoint {
            owner: Owner::Tools(self.name.to_owned()),
            base_url: url.to_owned(),
            api_key: None,
            headers: Vec::new(),
            ca_file: None,
            network: self.network.clone(),
            idle_timeout: TIMEOUT,
        });
        secrets.extend(transport.secrets().map(str::to_owned));
        let asked = Request {
            verb,
            url,
            headers,
            body,
            patience: TIMEOUT,
        };
        let exchange = async {
            let mut incoming = transport
                .ask(asked)
                .await
                .map_err(|error| http_error(&error.to_string()))?;
            read_response(&mut incoming, secrets).await
        };
        match tokio::time::timeout(TIMEOUT, exchange).await {
            Ok(response) => response,
            Err(_) => Err(SignInTrouble::Silent {
                seconds: TIMEOUT.as_secs(),
            }),
        }
    }
}

async fn read_response(incoming: &mut Incoming, secrets: Vec<String>) -> Result<Response, SignInTrouble> {
    let status = incoming.status;
    let challenge = incoming.header("www-authenticate");
    let challenge = challenge.map(|text| filter_secrets(text, &secrets).into_owned());
    let is_json = incoming
        .content_type
        .as_deref()
        .is_some_and(|text| text.contains("json"));
    let mut body = Vec::new();
    while is_json && let Some(bytes) = incoming.next().await.map_err(|error| http_error(&error.to_string()))? {
        body.extend_from_slice(&bytes);
        if body.len() > MOST_BYTES {
            return Err(SignInTrouble::TooLong {
                most: MOST_BYTES as u64,
            });
        }
    }
    Ok(Response {
        status,
        challenge,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        secrets,
    })
}

fn content_type(media: &str) -> (String, String) {
    ("content-type".to_owned(), media.to_owned())
}

fn http_error(text: &str) -> SignInTrouble {
    SignInTrouble::Http {
        words: words(text.trim_end_matches('.')),
    }
}
