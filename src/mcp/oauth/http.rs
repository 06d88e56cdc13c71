//! Requests of a sign-in, limited in size, without the MCP server's headers.

use std::time::Duration;

use serde_json::Value;

use super::client::Client;
use super::url::checked;
use crate::definition::Address;
use crate::diagnosis::words;
use crate::secret_filter::without;
use benchdog_config::settings::NetworkSettings;
use benchdog_domain::sign_in::SignInTrouble;
use benchdog_provider::transport::{Asked, Endpoint, Incoming, Owner, Transport, Verb};

const PATIENCE: Duration = Duration::from_secs(15);
const MOST_BYTES: usize = 256 << 10;

/// Form fields with secrets.
const SECRET: [&str; 7] = [
    "code",
    "code_verifier",
    "refresh_token",
    "token",
    "client_assertion",
    "assertion",
    "subject_token",
];

pub(super) struct Asks<'a> {
    pub(super) name: &'a str,
    pub(super) server: &'a str,
    network: &'a NetworkSettings,
}

pub(super) struct Came {
    pub(super) status: u16,
    pub(super) challenge: Option<String>,
    pub(super) body: Value,
    secrets: Vec<String>,
}

impl Came {
    pub(super) fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }

    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let all = self.body.get(name)?.as_array()?.iter();
        Some(all.filter_map(|one| Some(one.as_str()?.to_owned())).collect())
    }

    /// Prefers the description to the error code.
    pub(super) fn refusal(&self) -> String {
        let told = self.text("error_description").or_else(|| self.text("error"));
        match told {
            Some(told) => words(&without(told, &self.secrets)),
            None => self.status.to_string(),
        }
    }
}

impl<'a> Asks<'a> {
    pub(super) fn of(name: &'a str, address: &'a Address) -> Self {
        Self::at(name, &address.url, &address.network)
    }

    pub(super) fn at(name: &'a str, server: &'a str, network: &'a NetworkSettings) -> Self {
        Self { name, server, network }
    }

    pub(super) async fn get(&self, url: &str) -> Result<Came, SignInTrouble> {
        self.ask(Verb::Get, url, Vec::new(), None, Vec::new()).await
    }

    pub(super) async fn form(&self, url: &str, pairs: &[(&str, &str)], client: &Client) -> Result<Came, SignInTrouble> {
        let (named, basic) = client.named();
        let secret = pairs.iter().filter(|(name, _)| SECRET.contains(name));
        let secret = secret.map(|(_, value)| (*value).to_owned());
        let secrets = secret.chain(client.secret().map(str::to_owned)).chain(basic.clone());
        let secrets = secrets.collect();
        let mut headers = vec![content("application/x-www-form-urlencoded")];
        headers.extend(basic.map(|basic| ("authorization".to_owned(), format!("Basic {basic}"))));
        let body = super::url::query(&[pairs, named.as_slice()].concat()).into_bytes();
        self.ask(Verb::Post, url, headers, Some(body), secrets).await
    }

    pub(super) async fn post(&self, url: &str, body: &Value) -> Result<Came, SignInTrouble> {
        let body = body.to_string().into_bytes();
        let headers = vec![content("application/json")];
        self.ask(Verb::Post, url, headers, Some(body), Vec::new()).await
    }

    async fn ask(
        &self,
        verb: Verb,
        url: &str,
        mut headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
        mut secrets: Vec<String>,
    ) -> Result<Came, SignInTrouble> {
        if url != self.server {
            checked(url, self.server)?;
            headers.push(("accept".to_owned(), "application/json".to_owned()));
        }
        let transport = Transport::new(Endpoint {
            owner: Owner::Tools(self.name.to_owned()),
            base_url: url.to_owned(),
            api_key: None,
            headers: Vec::new(),
            ca_file: None,
            network: self.network.clone(),
            idle_timeout: PATIENCE,
        });
        secrets.extend(transport.secrets().map(str::to_owned));
        let asked = Asked {
            verb,
            url,
            headers,
            body,
            patience: PATIENCE,
        };
        let whole = async {
            let mut incoming = transport.ask(asked).await.map_err(|error| failed(&error.to_string()))?;
            read(&mut incoming, secrets).await
        };
        match tokio::time::timeout(PATIENCE, whole).await {
            Ok(came) => came,
            Err(_) => Err(SignInTrouble::Silent {
                seconds: PATIENCE.as_secs(),
            }),
        }
    }
}

async fn read(incoming: &mut Incoming, secrets: Vec<String>) -> Result<Came, SignInTrouble> {
    let status = incoming.status;
    let challenge = incoming.header("www-authenticate");
    let challenge = challenge.map(|told| without(told, &secrets).into_owned());
    let is_json = incoming
        .content_type
        .as_deref()
        .is_some_and(|told| told.contains("json"));
    let mut body = Vec::new();
    while is_json && let Some(bytes) = incoming.next().await.map_err(|error| failed(&error.to_string()))? {
        body.extend_from_slice(&bytes);
        if body.len() > MOST_BYTES {
            return Err(SignInTrouble::TooLong {
                most: MOST_BYTES as u64,
            });
        }
    }
    Ok(Came {
        status,
        challenge,
        body: serde_json::from_slice(&body).unwrap_or_default(),
        secrets,
    })
}

fn content(media: &str) -> (String, String) {
    ("content-type".to_owned(), media.to_owned())
}

fn failed(text: &str) -> SignInTrouble {
    SignInTrouble::Http {
        words: words(text.trim_end_matches('.')),
    }
}
