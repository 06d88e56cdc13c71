//! Access token for a server. Loaded on first use, and refreshed when it expired or was rejected.

use std::sync::{Mutex, PoisonError};

use super::http::OAuthHttp;
use super::machine_sign_in;
use super::token_store::TokenStore;
use super::tokens::{RefreshError, TokenSet};
use crate::definition::Address;
use crate::shutdown::ShutdownGuard;
use benchdog_config::settings::ServerAuth;
use benchdog_domain::server::{ServerName, ServerTrouble, WhyUnauthorized};
use benchdog_domain::sign_in::SignInTrouble;

pub(crate) struct Bearer {
    name: ServerName,
    address: Address,
    store: TokenStore,
    /// The outer `None` means not loaded yet. The inner `None` means that nobody has signed in.
    cached: tokio::sync::Mutex<Option<Option<TokenSet>>>,
    /// All access tokens sent so far. They are redacted in the server's messages.
    sent: Mutex<Vec<String>>,
}

impl Bearer {
    pub(crate) fn new(name: &ServerName, address: &Address) -> Self {
        Self {
            name: name.clone(),
            address: address.clone(),
            store: TokenStore::new(&address.purse, &address.whose, &name.0),
            cached: tokio::sync::Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// Returns a valid token. `None` if nobody has signed in.
    pub(crate) async fn token(&self) -> Result<Option<String>, ServerTrouble> {
        let mut cached = self.cached.lock().await;
        let tokens = match cached.take() {
            Some(tokens) => tokens,
            None => self.load().await?,
        };
        let tokens = match tokens {
            Some(old) if old.is_expired() && self.is_machine() => self.request_machine_token().await?,
            Some(old) if old.is_expired() => Some(self.refresh(&old).await?),
            None => self.request_machine_token().await?,
            tokens => tokens,
        };
        let token = tokens.as_ref().map(|tokens| tokens.access.clone());
        *cached = Some(tokens);
        self.note_sent(token.as_deref());
        Ok(token)
    }

    /// Returns the token without refreshing it. Used when the program exits.
    pub(crate) async fn current_token(&self) -> Option<String> {
        let cached = self.cached.lock().await;
        cached.as_ref()?.as_ref().map(|tokens| tokens.access.clone())
    }

    /// Returns a new token after the server refused `rejected`. Fails if the user must sign in again.
    pub(crate) async fn replace_token(&self, rejected: &str) -> Result<String, ServerTrouble> {
        let mut cached = self.cached.lock().await;
        if self.is_machine() {
            let other = match cached.take().flatten() {
                Some(tokens) if tokens.access != rejected => Some(tokens),
                _ => self.request_machine_token().await?,
            };
            let token = other.as_ref().map(|tokens| tokens.access.clone());
            *cached = Some(other);
            self.note_sent(token.as_deref());
            return token.ok_or_else(|| self.expired_error());
        }
        let stored = match cached.take().flatten() {
            Some(tokens) if tokens.access != rejected => Some(tokens),
            _ => self.load().await?,
        };
        let tokens = match stored {
            Some(other) if other.access != rejected && !other.is_expired() => other,
            Some(tokens) => self.refresh(&tokens).await?,
            None => return Err(self.expired_error()),
        };
        let token = tokens.access.clone();
        *cached = Some(Some(tokens));
        self.note_sent(Some(&token));
        Ok(token)
    }

    pub(crate) fn is_machine(&self) -> bool {
        self.address.alone.is_some()
    }

    async fn request_machine_token(&self) -> Result<Option<TokenSet>, ServerTrouble> {
        let Some(credentials) = &self.address.alone else {
            return Ok(None);
        };
        let tokens = machine_sign_in::request_token(&self.name.0, &self.address, credentials).await;
        tokens.map(Some).map_err(|why| ServerTrouble::Alone {
            server: self.name.clone(),
            why,
        })
    }

    pub(crate) fn missing_token(&self) -> Option<ServerTrouble> {
        Some(ServerTrouble::NoToken {
            server: self.name.clone(),
            variable: self.address.lacks_token.clone()?,
        })
    }

    pub(crate) fn missing_credential(&self) -> WhyUnauthorized {
        match self.address.auth {
            ServerAuth::Token => WhyUnauthorized::NoToken,
            ServerAuth::None | ServerAuth::OAuth | ServerAuth::ClientCredentials | ServerAuth::CrossApp => {
                WhyUnauthorized::NoSignIn
            }
        }
    }

    pub(crate) fn sent(&self) -> Vec<String> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note_sent(&self, token: Option<&str>) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = token
            && !sent.iter().any(|one| one == token)
        {
            sent.push(token.to_owned());
        }
    }

    async fn load(&self) -> Result<Option<TokenSet>, ServerTrouble> {
        if self.is_machine() {
            return Ok(None);
        }
        self.store
            .read(&self.address.url)
            .await
            .map_err(|error| store_error(&error))
    }

    /// Refreshes the token in a task, which continues if the caller is dropped. A refresh token works only once, so its
    /// result must not be lost.
    async fn refresh(&self, old: &TokenSet) -> Result<TokenSet, ServerTrouble> {
        let refresh = Refresh {
            name: self.name.clone(),
            address: self.address.clone(),
            store: self.store.clone(),
            old: old.clone(),
            _going: ShutdownGuard::begin(),
        };
        match tokio::spawn(async move { refresh.run().await }).await {
            Ok(Ok(refreshed)) => Ok(refreshed),
            Ok(Err(RefreshError::Ended)) => Err(self.expired_error()),
            Ok(Err(RefreshError::Failed(trouble))) => Err(trouble),
            Err(error) => Err(store_error(&std::io::Error::other(error.to_string()))),
        }
    }

    fn expired_error(&self) -> ServerTrouble {
        let why = match self.address.auth {
            ServerAuth::Token => WhyUnauthorized::TokenRefused,
            ServerAuth::None | ServerAuth::OAuth | ServerAuth::ClientCredentials | ServerAuth::CrossApp => {
                WhyUnauthorized::Over
            }
        };
        ServerTrouble::Unauthorized {
            server: self.name.clone(),
            why,
        }
    }
}

struct Refresh {
    name: ServerName,
    address: Address,
    store: TokenStore,
    old: TokenSet,
    _going: ShutdownGuard,
}

impl Refresh {
    /// Refreshes the token, unless another process already did. Returns the current tokens.
    async fn run(&self) -> Result<TokenSet, RefreshError<ServerTrouble>> {
        let failed = |error: std::io::Error| RefreshError::Failed(store_error(&error));
        let url = &self.address.url;
        let lock = self.store.lock().await.map_err(failed)?;
        let stored = match self.store.read(url).await.map_err(failed)? {
            Some(stored) if stored != self.old && !stored.is_expired() => return Ok(stored),
            Some(stored) => stored,
            None => return Err(RefreshError::Ended),
        };
        // If this write fails, the refresh token is still unused.
        self.store.write(url, Some(stored.clone())).await.map_err(failed)?;
        let refreshed = match stored
            .refresh(&OAuthHttp::for_server(&self.name.0, &self.address))
            .await
        {
            Ok(refreshed) => refreshed,
            Err(RefreshError::Ended) => {
                let _ = self.store.write(url, None).await;
                return Err(RefreshError::Ended);
            }
            Err(RefreshError::Failed(trouble)) => return Err(RefreshError::Failed(temporary_error(trouble))),
        };
        self.store.write(url, Some(refreshed.clone())).await.map_err(failed)?;
        drop(lock);
        Ok(refreshed)
    }
}

fn store_error(error: &std::io::Error) -> ServerTrouble {
    ServerTrouble::Tokens {
        words: error.to_string(),
    }
}

/// Converts an error that does not end the sign-in.
fn temporary_error(trouble: SignInTrouble) -> ServerTrouble {
    let words = match trouble {
        SignInTrouble::Http { words } | SignInTrouble::NoToken { words } => words,
        SignInTrouble::Unsafe { address } => address,
        SignInTrouble::Silent { seconds } => {
            return ServerTrouble::NoAnswer {
                seconds,
                said: String::new(),
            };
        }
        SignInTrouble::TooLong { most } => return ServerTrouble::TooLong { most },
        _ => String::new(),
    };
    ServerTrouble::NotRenewed { words }
}

#[cfg(test)]
mod tests;
