//! Access token of a server: loaded on first use, and refreshed after expiry or rejection.

use std::sync::{Mutex, PoisonError};

use super::http::Asks;
use super::machine_sign_in;
use super::token_store::Purse;
use super::tokens::{Granted, NotRenewed};
use crate::definition::Address;
use crate::shutdown::Going;
use benchdog_config::settings::ServerAuth;
use benchdog_domain::server::{ServerName, ServerTrouble, WhyUnauthorized};
use benchdog_domain::sign_in::SignInTrouble;

pub(crate) struct Bearer {
    name: ServerName,
    address: Address,
    purse: Purse,
    /// `None` until the file was read.
    held: tokio::sync::Mutex<Option<Option<Granted>>>,
    /// All tokens sent, for redaction.
    sent: Mutex<Vec<String>>,
}

impl Bearer {
    pub(crate) fn of(name: &ServerName, address: &Address) -> Self {
        Self {
            name: name.clone(),
            address: address.clone(),
            purse: Purse::of(&address.purse, &address.whose, &name.0),
            held: tokio::sync::Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// Returns `None` if nobody has signed in.
    pub(crate) async fn token(&self) -> Result<Option<String>, ServerTrouble> {
        let mut held = self.held.lock().await;
        let granted = match held.take() {
            Some(granted) => granted,
            None => self.read().await?,
        };
        let granted = match granted {
            Some(old) if old.is_old() && self.is_alone() => self.gained().await?,
            Some(old) if old.is_old() => Some(self.renewed(&old).await?),
            None => self.gained().await?,
            granted => granted,
        };
        let token = granted.as_ref().map(|granted| granted.access.clone());
        *held = Some(granted);
        self.note(token.as_deref());
        Ok(token)
    }

    /// Returns the current token without a refresh, for use at exit.
    pub(crate) async fn as_it_is(&self) -> Option<String> {
        let held = self.held.lock().await;
        held.as_ref()?.as_ref().map(|granted| granted.access.clone())
    }

    /// Returns a token to replace a rejected one. Otherwise the sign-in has ended.
    pub(crate) async fn instead_of(&self, refused: &str) -> Result<String, ServerTrouble> {
        let mut held = self.held.lock().await;
        if self.is_alone() {
            let other = match held.take().flatten() {
                Some(granted) if granted.access != refused => Some(granted),
                _ => self.gained().await?,
            };
            let token = other.as_ref().map(|granted| granted.access.clone());
            *held = Some(other);
            self.note(token.as_deref());
            return token.ok_or_else(|| self.over());
        }
        let kept = match held.take().flatten() {
            Some(granted) if granted.access != refused => Some(granted),
            _ => self.read().await?,
        };
        let granted = match kept {
            Some(other) if other.access != refused && !other.is_old() => other,
            Some(granted) => self.renewed(&granted).await?,
            None => return Err(self.over()),
        };
        let token = granted.access.clone();
        *held = Some(Some(granted));
        self.note(Some(&token));
        Ok(token)
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.address.alone.is_some()
    }

    async fn gained(&self) -> Result<Option<Granted>, ServerTrouble> {
        let Some(one) = &self.address.alone else {
            return Ok(None);
        };
        let granted = machine_sign_in::granted(&self.name.0, &self.address, one).await;
        granted.map(Some).map_err(|why| ServerTrouble::Alone {
            server: self.name.clone(),
            why,
        })
    }

    pub(crate) fn lacks(&self) -> Option<ServerTrouble> {
        Some(ServerTrouble::NoToken {
            server: self.name.clone(),
            variable: self.address.lacks_token.clone()?,
        })
    }

    /// Returns the action that the person must take if no token was sent.
    pub(crate) fn wants(&self) -> WhyUnauthorized {
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

    fn note(&self, token: Option<&str>) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = token
            && !sent.iter().any(|one| one == token)
        {
            sent.push(token.to_owned());
        }
    }

    async fn read(&self) -> Result<Option<Granted>, ServerTrouble> {
        if self.is_alone() {
            return Ok(None);
        }
        self.purse.read(&self.address.url).await.map_err(|error| unkept(&error))
    }

    /// Completes the refresh even if nobody waits, because it uses up the refresh token.
    async fn renewed(&self, old: &Granted) -> Result<Granted, ServerTrouble> {
        let renewal = Renewal {
            name: self.name.clone(),
            address: self.address.clone(),
            purse: self.purse.clone(),
            old: old.clone(),
            _going: Going::begin(),
        };
        match tokio::spawn(async move { renewal.done().await }).await {
            Ok(Ok(renewed)) => Ok(renewed),
            Ok(Err(NotDone::Over)) => Err(self.over()),
            Ok(Err(NotDone::Not(trouble))) => Err(trouble),
            Err(error) => Err(unkept(&std::io::Error::other(error.to_string()))),
        }
    }

    fn over(&self) -> ServerTrouble {
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

struct Renewal {
    name: ServerName,
    address: Address,
    purse: Purse,
    old: Granted,
    _going: Going,
}

enum NotDone {
    Over,
    Not(ServerTrouble),
}

impl Renewal {
    /// Refreshes unless another process already did.
    async fn done(&self) -> Result<Granted, NotDone> {
        let wrong = |error: std::io::Error| NotDone::Not(unkept(&error));
        let url = &self.address.url;
        let held = self.purse.hold().await.map_err(wrong)?;
        let kept = match self.purse.read(url).await.map_err(wrong)? {
            Some(kept) if kept != self.old && !kept.is_old() => return Ok(kept),
            Some(kept) => kept,
            None => return Err(NotDone::Over),
        };
        // Check that the file is writable before the refresh token is used up.
        self.purse.keep(url, Some(kept.clone())).await.map_err(wrong)?;
        let renewed = match kept.renewed(&Asks::of(&self.name.0, &self.address)).await {
            Ok(renewed) => renewed,
            Err(NotRenewed::Over) => {
                let _ = self.purse.keep(url, None).await;
                return Err(NotDone::Over);
            }
            Err(NotRenewed::Not(trouble)) => return Err(NotDone::Not(in_passing(trouble))),
        };
        self.purse.keep(url, Some(renewed.clone())).await.map_err(wrong)?;
        drop(held);
        Ok(renewed)
    }
}

fn unkept(error: &std::io::Error) -> ServerTrouble {
    ServerTrouble::Tokens {
        words: error.to_string(),
    }
}

/// Reports a temporary error. The sign-in is still valid.
fn in_passing(trouble: SignInTrouble) -> ServerTrouble {
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
