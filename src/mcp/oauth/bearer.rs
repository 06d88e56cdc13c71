//! The token that requests to a server carry: read when it is first needed, renewed where it has ended or is not taken any more.

use std::sync::{Mutex, PoisonError};

use super::asks::Asks;
use super::granted::{Granted, NotRenewed};
use super::purse::Purse;
use crate::config::settings::ServerAuth;
use crate::domain::server::{ServerName, ServerTrouble, WhyUnauthorized};
use crate::domain::sign_in::SignInTrouble;
use crate::mcp::definition::Address;

pub(in crate::mcp) struct Bearer {
    name: ServerName,
    address: Address,
    purse: Purse,
    /// `None`: the file was not read yet.
    held: tokio::sync::Mutex<Option<Option<Granted>>>,
    /// Every token that was sent, to take it out of what comes back.
    sent: Mutex<Vec<String>>,
}

impl Bearer {
    pub(in crate::mcp) fn of(name: &ServerName, address: &Address) -> Self {
        Self {
            name: name.clone(),
            address: address.clone(),
            purse: Purse::of(&address.purse, &address.whose, &name.0),
            held: tokio::sync::Mutex::default(),
            sent: Mutex::default(),
        }
    }

    /// What to send now; `None`: nobody has signed in.
    pub(in crate::mcp) async fn token(&self) -> Result<Option<String>, ServerTrouble> {
        let mut held = self.held.lock().await;
        let granted = match held.take() {
            Some(granted) => granted,
            None => self.read().await?,
        };
        let granted = match granted {
            Some(old) if old.is_old() => Some(self.renewed(&old).await?),
            granted => granted,
        };
        let token = granted.as_ref().map(|granted| granted.access.clone());
        *held = Some(granted);
        self.note(token.as_deref());
        Ok(token)
    }

    /// The token as it is held, however old: on the way out nothing is renewed, because nobody would be there to keep it.
    pub(in crate::mcp) async fn as_it_is(&self) -> Option<String> {
        let held = self.held.lock().await;
        held.as_ref()?.as_ref().map(|granted| granted.access.clone())
    }

    /// What to send in the place of one that was not taken. Where there is nothing else the sign-in is over.
    pub(in crate::mcp) async fn instead_of(&self, refused: &str) -> Result<String, ServerTrouble> {
        let mut held = self.held.lock().await;
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

    /// What is wanted of the person where nothing was sent.
    pub(in crate::mcp) fn wants(&self) -> WhyUnauthorized {
        match self.address.auth {
            ServerAuth::Token => WhyUnauthorized::NoToken,
            ServerAuth::None | ServerAuth::OAuth => WhyUnauthorized::NoSignIn,
        }
    }

    pub(in crate::mcp) fn sent(&self) -> Vec<String> {
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
        self.purse.read(&self.address.url).await.map_err(|error| unkept(&error))
    }

    /// Another one in its place, unless another process has got one meanwhile.
    async fn renewed(&self, old: &Granted) -> Result<Granted, ServerTrouble> {
        let held = self.purse.hold().await.map_err(|error| unkept(&error))?;
        let kept = match self.read().await? {
            Some(kept) if kept != *old && !kept.is_old() => return Ok(kept),
            Some(kept) => kept,
            None => return Err(self.over()),
        };
        let renewed = match kept.renewed(&Asks::of(&self.name.0, &self.address)).await {
            Ok(renewed) => renewed,
            Err(NotRenewed::Over) => {
                let _ = self.purse.keep(&self.address.url, None).await;
                return Err(self.over());
            }
            Err(NotRenewed::Not(trouble)) => return Err(in_passing(trouble)),
        };
        let kept = self.purse.keep(&self.address.url, Some(renewed.clone())).await;
        drop(held);
        kept.map_err(|error| unkept(&error))?;
        Ok(renewed)
    }

    fn over(&self) -> ServerTrouble {
        let why = match self.address.auth {
            ServerAuth::Token => WhyUnauthorized::TokenRefused,
            ServerAuth::None | ServerAuth::OAuth => WhyUnauthorized::Over,
        };
        ServerTrouble::Unauthorized {
            server: self.name.clone(),
            why,
        }
    }
}

fn unkept(error: &std::io::Error) -> ServerTrouble {
    ServerTrouble::Tokens {
        words: error.to_string(),
    }
}

/// The sign-in stands, and nothing can be had of it now.
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
