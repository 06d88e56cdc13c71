//! HTTP connection to one server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::definition::{Address, Definition};
use crate::diagnosis::words;
use crate::limits::{LONGEST_CALL, MOST_MESSAGE};
use crate::oauth::{Bearer, parameter};
use crate::secret_filter::filter_secrets;
use crate::stdio::{Faults, InboundFilter};
use benchdog_config::public_address;
use benchdog_config::settings::ServerAuth;
use benchdog_domain::server::{ServerName, ServerTrouble, WhyUnauthorized};
use benchdog_provider::failure::ProviderError;
use benchdog_provider::transport::{Endpoint, Incoming, Owner, Request, Transport, Verb};

const MOST_WORDS: usize = 64 << 10;

enum Credentials {
    None,
    Configured,
    Stored(Box<Bearer>),
}

pub(crate) struct HttpConnection {
    name: ServerName,
    url: String,
    transport: Transport,
    credentials: Credentials,
    pub faults: Arc<Faults>,
    inbound: Mutex<InboundFilter>,
    last_error: Mutex<Option<ServerTrouble>>,
    ended: watch::Sender<bool>,
}

impl HttpConnection {
    pub(super) fn new(definition: &Definition, address: &Address) -> Self {
        let has = |wanted: &str| {
            address
                .headers
                .iter()
                .any(|(name, _)| name.eq_ignore_ascii_case(wanted))
        };
        let credentials = if address.token.is_some() || has("authorization") {
            Credentials::Configured
        } else if address.auth == ServerAuth::None {
            Credentials::None
        } else {
            Credentials::Stored(Box::new(Bearer::new(&definition.name, address)))
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
            credentials,
            inbound: Mutex::new(InboundFilter::new(Arc::clone(&faults))),
            faults,
            last_error: Mutex::default(),
            ended: watch::Sender::new(false),
        }
    }

    pub(crate) async fn wait_for_end(&self) -> ServerTrouble {
        let mut ended = self.ended.subscribe();
        let _ = ended.wait_for(|ended| *ended).await;
        self.closed_error()
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.ended.borrow()
    }

    pub(crate) fn closed_error(&self) -> ServerTrouble {
        let last_error = self.last_error.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let garbage = || self.faults.garbage().map(|line| ServerTrouble::Garbage { line });
        last_error.or_else(garbage).unwrap_or(ServerTrouble::Unexpected)
    }

    pub(super) fn end(&self) {
        self.ended.send_replace(true);
    }

    pub(super) fn note(&self, trouble: ServerTrouble) -> ServerTrouble {
        if matches!(trouble, ServerTrouble::TooLong { .. }) {
            self.faults.note_too_long();
        }
        *self.last_error.lock().unwrap_or_else(PoisonError::into_inner) = Some(trouble.clone());
        if matches!(
            trouble,
            ServerTrouble::Unauthorized { .. } | ServerTrouble::NoToken { .. }
        ) {
            self.end();
        }
        trouble
    }

    pub(super) fn inbound(&self) -> MutexGuard<'_, InboundFilter> {
        self.inbound.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request with the configured headers. If the access token is rejected, refreshes it and retries once.
    pub(super) async fn request(
        &self,
        verb: Verb,
        headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, ServerTrouble> {
        let Credentials::Stored(bearer) = &self.credentials else {
            return self.send(verb, headers, body).await;
        };
        if matches!(verb, Verb::Delete) {
            let token = bearer.current_token().await;
            let sent = token.map_or_else(|| headers.clone(), |token| with_token(&headers, &token));
            return self.send(verb, sent, body).await;
        }
        let Some(token) = bearer.token().await.map_err(|trouble| self.note(trouble))? else {
            return match bearer.missing_token() {
                Some(trouble) => Err(self.note(trouble)),
                None => self.send(verb, headers, body).await,
            };
        };
        let first = self.send(verb, with_token(&headers, &token), body.clone()).await?;
        if first.status != 401 {
            return Ok(first);
        }
        drop(first);
        let other = bearer
            .replace_token(&token)
            .await
            .map_err(|trouble| self.note(trouble))?;
        self.send(verb, with_token(&headers, &other), body).await
    }

    async fn send(
        &self,
        verb: Verb,
        headers: Vec<(String, String)>,
        body: Option<Vec<u8>>,
    ) -> Result<Incoming, ServerTrouble> {
        let asked = Request {
            verb,
            url: &self.url,
            headers,
            body,
            // The caller has a shorter time limit. Progress messages extend that limit up to this maximum.
            patience: LONGEST_CALL,
        };
        let response = self.transport.ask(asked).await;
        response.map_err(|error| self.note(self.http_error(&error)))
    }

    pub(super) async fn read_body(&self, incoming: &mut Incoming) -> Result<Vec<u8>, ServerTrouble> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next(incoming).await? {
            if body.len() + bytes.len() > MOST_MESSAGE {
                return Err(self.note(too_long()));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(self.filter_secrets_in(&body))
    }

    pub(super) async fn next(&self, incoming: &mut Incoming) -> Result<Option<Vec<u8>>, ServerTrouble> {
        incoming
            .next()
            .await
            .map_err(|error| self.note(self.http_error(&error)))
    }

    fn http_error(&self, error: &ProviderError) -> ServerTrouble {
        let text = error.to_string();
        ServerTrouble::Http {
            words: self.words(text.trim_end_matches('.')),
        }
    }

    pub(super) fn filter_secrets_in(&self, bytes: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => filter_secrets(text, &self.secrets()).into_owned().into_bytes(),
            // A body that is not UTF-8 is not a protocol message, so it is never shown.
            Err(_) => bytes.to_vec(),
        }
    }

    fn secrets(&self) -> Vec<String> {
        let mut secrets: Vec<String> = self.transport.secrets().map(str::to_owned).collect();
        if let Credentials::Stored(bearer) = &self.credentials {
            secrets.extend(bearer.sent());
        }
        secrets
    }

    fn words(&self, told: &str) -> String {
        words(&filter_secrets(told, &self.secrets()))
    }

    fn unauthorized_reason(&self) -> WhyUnauthorized {
        match &self.credentials {
            Credentials::None => WhyUnauthorized::Nothing,
            Credentials::Configured => WhyUnauthorized::TokenRefused,
            Credentials::Stored(bearer) if bearer.sent().is_empty() => bearer.missing_credential(),
            Credentials::Stored(_) => WhyUnauthorized::NotTaken,
        }
    }

    fn unauthorized(&self, why: WhyUnauthorized) -> ServerTrouble {
        ServerTrouble::Unauthorized {
            server: self.name.clone(),
            why,
        }
    }

    fn scope_error(&self, scope: String) -> ServerTrouble {
        let server = self.name.clone();
        match &self.credentials {
            Credentials::Stored(bearer) if bearer.is_machine() => ServerTrouble::NarrowAlone { server, scope },
            Credentials::Stored(_) | Credentials::Configured | Credentials::None => {
                ServerTrouble::Narrow { server, scope }
            }
        }
    }

    /// Returns the error in a response, and the beginning of its body.
    pub(super) async fn read_error(&self, incoming: &mut Incoming) -> (ServerTrouble, Vec<u8>) {
        let status = incoming.status;
        if let Some(to) = incoming.location.as_deref().filter(|_| (300..400).contains(&status)) {
            let to = self.words(&public_address(to));
            return (ServerTrouble::Redirects { to }, Vec::new());
        }
        let challenge = incoming.header("www-authenticate").unwrap_or_default();
        let is_narrow = challenge.contains("insufficient_scope") && matches!(self.credentials, Credentials::Stored(_));
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
        let body = self.filter_secrets_in(&body);
        let trouble = match status {
            401 => self.unauthorized(self.unauthorized_reason()),
            403 if is_narrow => self.scope_error(scope),
            _ => ServerTrouble::Status {
                status,
                words: self.words(&error_message(&body)),
            },
        };
        (trouble, body)
    }
}

fn with_token(headers: &[(String, String)], token: &str) -> Vec<(String, String)> {
    let own = ("authorization".to_owned(), format!("Bearer {token}"));
    headers.iter().cloned().chain([own]).collect()
}

pub(super) fn too_long() -> ServerTrouble {
    ServerTrouble::TooLong {
        most: MOST_MESSAGE as u64,
    }
}

/// Returns the message in a JSON error body. For other bodies, returns the first line, or nothing if it is HTML.
fn error_message(body: &[u8]) -> String {
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
