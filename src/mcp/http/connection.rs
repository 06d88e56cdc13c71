//! HTTP connection to one server: client, credentials, and last error.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::definition::{Address, Definition};
use crate::diagnosis::words;
use crate::limits::{LONGEST_CALL, MOST_MESSAGE};
use crate::oauth::{Bearer, parameter};
use crate::secret_filter::without;
use crate::stdio::{Faults, Inbound};
use benchdog_config::public_address;
use benchdog_config::settings::ServerAuth;
use benchdog_domain::server::{ServerName, ServerTrouble, WhyUnauthorized};
use benchdog_provider::failure::ProviderError;
use benchdog_provider::transport::{Asked, Endpoint, Incoming, Owner, Transport, Verb};

/// Maximum bytes read from an error response.
const MOST_WORDS: usize = 64 << 10;

enum Sends {
    Nothing,
    Configured,
    Kept(Box<Bearer>),
}

pub(crate) struct Way {
    name: ServerName,
    url: String,
    transport: Transport,
    sends: Sends,
    pub faults: Arc<Faults>,
    inbound: Mutex<Inbound>,
    noted: Mutex<Option<ServerTrouble>>,
    ended: watch::Sender<bool>,
}

impl Way {
    pub(super) fn new(definition: &Definition, address: &Address) -> Self {
        let has = |wanted: &str| {
            address
                .headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case(wanted))
        };
        let sends = if address.token.is_some() || has("authorization") {
            Sends::Configured
        } else if address.auth == ServerAuth::None {
            Sends::Nothing
        } else {
            Sends::Kept(Box::new(Bearer::new(&definition.name, address)))
        };
        let faults = Arc::new(Faults::default());
        Self {
            name: definition.name.clone(),
            url: address.url.clone(),
            transport: Transport::new(Endpoint {
                owner: Owner::Tools(definition.name.0.clone()),
                base_url: address.url.clone(),
                api_key: address.token.clone(),
                headers: address.headers.clone(),
                ca_file: None,
                network: address.network.clone(),
                idle_timeout: LONGEST_CALL,
            }),
            sends,
            inbound: Mutex::new(Inbound::new(Arc::clone(&faults))),
            faults,
            noted: Mutex::default(),
            ended: watch::Sender::new(false),
        }
    }

    pub(crate) async fn over(&self) -> ServerTrouble {
        let mut ended = self.ended.subscribe();
        let _ = ended.wait_for(|ended| *ended).await;
        self.gone()
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.ended.borrow()
    }

    pub(crate) fn gone(&self) -> ServerTrouble {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let garbage = || self.faults.garbage().map(|line| ServerTrouble::Garbage { line });
        noted.or_else(garbage).unwrap_or(ServerTrouble::Unexpected)
    }

    pub(super) fn end(&self) {
        self.ended.send_replace(true);
    }

    pub(super) fn note(&self, trouble: ServerTrouble) -> ServerTrouble {
        if matches!(trouble, ServerTrouble::TooLong { .. }) {
            self.faults.note_too_long();
        }
        *self.noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble.clone());
        if matches!(
            trouble,
            ServerTrouble::Unauthorized { .. } | ServerTrouble::NoToken { .. }
        ) {
            self.end();
        }
        trouble
    }

    pub(super) fn inbound(&self) -> MutexGuard<'_, Inbound> {
        self.inbound.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the configured headers to this server only. Refreshes a rejected token once.
    pub(super) async fn ask(
        &self,
        verb: Verb,
        headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, ServerTrouble> {
        let Sends::Kept(bearer) = &self.sends else {
            return self.send(verb, headers, body).await;
        };
        if matches!(verb, Verb::Delete) {
            let token = bearer.current_token().await;
            let sent = token.map_or_else(|| headers.clone(), |token| with(&headers, &token));
            return self.send(verb, sent, body).await;
        }
        let Some(token) = bearer.token().await.map_err(|trouble| self.note(trouble))? else {
            return match bearer.missing_token() {
                Some(trouble) => Err(self.note(trouble)),
                None => self.send(verb, headers, body).await,
            };
        };
        let first = self.send(verb, with(&headers, &token), body.clone()).await?;
        if first.status != 401 {
            return Ok(first);
        }
        drop(first);
        let other = bearer
            .replace_token(&token)
            .await
            .map_err(|trouble| self.note(trouble))?;
        self.send(verb, with(&headers, &other), body).await
    }

    async fn send(
        &self,
        verb: Verb,
        headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, ServerTrouble> {
        let asked = Asked {
            verb,
            url: &self.url,
            headers,
            body,
            // The caller has a shorter timeout, which progress extends.
            patience: LONGEST_CALL,
        };
        let came = self.transport.ask(asked).await;
        came.map_err(|error| self.note(self.failed(&error)))
    }

    pub(super) async fn whole(&self, incoming: &mut Incoming) -> Result<Vec<u8>, ServerTrouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next(incoming).await? {
            if body.len() + bytes.len() > MOST_MESSAGE {
                return Err(self.note(too_long()));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(self.without_secrets(&body))
    }

    pub(super) async fn next(&self, incoming: &mut Incoming) -> Result<Option<Vec<u8>>, ServerTrouble> {
        incoming.next().await.map_err(|error| self.note(self.failed(&error)))
    }

    fn failed(&self, error: &ProviderError) -> ServerTrouble {
        let text = error.to_string();
        ServerTrouble::Http {
            words: self.words(text.trim_end_matches('.')),
        }
    }

    pub(super) fn without_secrets(&self, bytes: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => without(text, &self.secrets()).into_owned().into_bytes(),
            // The body is no message, so nobody sees it.
            Err(_) => bytes.to_vec(),
        }
    }

    fn secrets(&self) -> Vec<String> {
        let mut secrets: Vec<String> = self.transport.secrets().map(str::to_owned).collect();
        if let Sends::Kept(bearer) = &self.sends {
            secrets.extend(bearer.sent());
        }
        secrets
    }

    fn words(&self, told: &str) -> String {
        words(&without(told, &self.secrets()))
    }

    fn unknown(&self) -> WhyUnauthorized {
        match &self.sends {
            Sends::Nothing => WhyUnauthorized::Nothing,
            Sends::Configured => WhyUnauthorized::TokenRefused,
            Sends::Kept(bearer) if bearer.sent().is_empty() => bearer.missing_credential(),
            Sends::Kept(_) => WhyUnauthorized::NotTaken,
        }
    }

    fn unauthorized(&self, why: WhyUnauthorized) -> ServerTrouble {
        ServerTrouble::Unauthorized {
            server: self.name.clone(),
            why,
        }
    }

    fn narrow(&self, scope: String) -> ServerTrouble {
        let server = self.name.clone();
        match &self.sends {
            Sends::Kept(bearer) if bearer.is_machine() => ServerTrouble::NarrowAlone { server, scope },
            Sends::Kept(_) | Sends::Configured | Sends::Nothing => ServerTrouble::Narrow { server, scope },
        }
    }

    /// Returns the error and the beginning of the body.
    pub(super) async fn refusal(&self, incoming: &mut Incoming) -> (ServerTrouble, Vec<u8>) {
        let status = incoming.status;
        if let Some(to) = incoming.location.as_deref().filter(|_| (300..400).contains(&status)) {
            let to = self.words(&public_address(to));
            return (ServerTrouble::Redirects { to }, Vec::new());
        }
        let challenge = incoming.header("www-authenticate").unwrap_or_default();
        let is_narrow = challenge.contains("insufficient_scope") && matches!(self.sends, Sends::Kept(_));
        let scope = self.words(&parameter(challenge, "scope").unwrap_or_default());
        let mut body = Vec::new();
        let reads = async {
            while body.len() < MOST_WORDS
                && let Ok(Some(bytes)) = incoming.next().await
            {
                body.extend_from_slice(&bytes);
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), reads).await;
        body.truncate(MOST_WORDS);
        let body = self.without_secrets(&body);
        let trouble = match status {
            401 => self.unauthorized(self.unknown()),
            403 if is_narrow => self.narrow(scope),
            _ => ServerTrouble::Status {
                status,
                words: self.words(&said(&body)),
            },
        };
        (trouble, body)
    }
}

fn with(headers: &[(String, String)], token: &str) -> Vec<(String, String)> {
    let own = ("authorization".to_owned(), format!("Bearer {token}"));
    headers.iter().cloned().chain([own]).collect()
}

pub(super) fn too_long() -> ServerTrouble {
    ServerTrouble::TooLong {
        most: MOST_MESSAGE as u64,
    }
}

/// Returns the message in a body, or its first line unless it is HTML.
fn said(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if let Ok(json) = serde_json::from_str::<serde_json::Value>(&text) {
        let found = ["/error/message", "/error_description", "/message", "/detail", "/error"];
        let found = found.iter().find_map(|at| json.pointer(at)?.as_str());
        return found.unwrap_or_default().to_owned();
    }
    let first = text.trim_start().lines().next().unwrap_or_default();
    if first.starts_with('<') {
        String::new()
    } else {
        first.to_owned()
    }
}

#[cfg(test)]
mod tests;
