//! OAuth 2.1 sign-in for HTTP servers. No browser is started, and the callback port is open only during a sign-in.
//!
//! A token is sent only to its server and its issuer, and never logged or shown.

mod authorization_server;
mod bearer;
mod challenge;
mod client;
mod http;
mod jwt;
mod machine_sign_in;
mod pkce;
mod redirect_listener;
mod secret_source;
mod token_store;
mod tokens;
mod url;

use std::path::Path;
use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use tokio::sync::mpsc;

use self::authorization_server::Authority;
use self::client::Client;
use self::http::Asks;
use self::redirect_listener::{Back, Door};
use self::token_store::Purse;
use self::tokens::Granted;
use self::url::{checked, query};
use super::definition::{Address, Definition, Place, Whose};
use super::diagnosis::words;
use super::secret_filter::without;
pub(super) use bearer::Bearer;
use benchdog_config::public_address;
use benchdog_config::settings::{NetworkSettings, ServerAuth};
use benchdog_domain::server::ServerName;
use benchdog_domain::sign_in::SignInTrouble;
pub(super) use challenge::parameter;
pub use tokens::is_token;

const PATIENCE: Duration = Duration::from_secs(5 * 60);

impl Definition {
    fn signs_in(&self) -> Result<&Address, SignInTrouble> {
        let Place::Address(address) = &self.place else {
            return Err(SignInTrouble::NotThere);
        };
        match self.lacks.first() {
            Some(variable) => Err(SignInTrouble::Lacks {
                variable: variable.clone(),
            }),
            None if address.auth == ServerAuth::None => Err(SignInTrouble::NotThere),
            None => Ok(address),
        }
    }
}

/// `show` receives the link. The answer arrives at a local port, or as a URL in `pasted`.
pub async fn sign_in(
    definition: &Definition,
    wider: &[String],
    show: impl FnOnce(&str) + Send,
    pasted: mpsc::Receiver<String>,
) -> Result<(), SignInTrouble> {
    let address = definition.signs_in()?;
    let name = &definition.name;
    if address.auth == ServerAuth::Token {
        return Err(SignInTrouble::ByToken);
    }
    if address.alone.is_some() {
        return Err(SignInTrouble::Alone);
    }
    // The server's own error would name no variable.
    if let Some(variable) = address.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    checked(&address.url, &address.url)?;
    let asks = Asks::of(&name.0, address);
    let challenge = challenged(&asks).await?;
    let mut at = Authority::find(&asks, challenge.as_deref()).await?;
    at.is_for_people(&asks)?;
    if !address.scopes.is_empty() {
        at.scopes.clone_from(&address.scopes);
    }
    for scope in wider {
        if !at.scopes.contains(scope) {
            at.scopes.push(scope.clone());
        }
    }
    let door = Door::open(address.callback_port).await?;
    let back_to = door.address();
    let described = address.client_metadata_url.as_ref();
    let client = match (&address.client_id, described.filter(|_| at.reads_descriptions)) {
        (Some(id), _) => Client::configured(id, address.client_secret.as_deref(), &at),
        (None, Some(url)) => Client::configured(url, None, &at),
        (None, None) => Client::register(&asks, &at, &back_to).await?,
    };
    let (state, proof) = (pkce::secret()?, pkce::secret()?);
    show(&link(&at, &client, &back_to, &state, &proof));
    let back = back(&door, &state, pasted).await?;
    drop(door);
    let code = taken(&at, back, &[&state, &proof])?;
    let granted = Granted::for_code(&asks, &at, client, [&code, &proof, &back_to]).await?;
    keep(name, address, Some(granted)).await
}

pub async fn keep_token(definition: &Definition, token: &str) -> Result<(), SignInTrouble> {
    let address = definition.signs_in()?;
    keep(&definition.name, address, Some(Granted::written(token))).await
}

pub(crate) async fn sign_out(definition: &Definition) -> Result<bool, SignInTrouble> {
    let Place::Address(address) = &definition.place else {
        return Err(SignInTrouble::NotThere);
    };
    forget(&address.purse, &address.whose, &definition.name.0, &address.network).await
}

/// Deletes and revokes the tokens of a name. Returns whether there were any.
pub async fn forget(path: &Path, whose: &Whose, name: &str, network: &NetworkSettings) -> Result<bool, SignInTrouble> {
    let purse = Purse::of(path, whose, name);
    let held = purse.hold().await.map_err(not_kept)?;
    let forgotten = purse.empty().await.map_err(not_kept)?;
    drop(held);
    let revoked = forgotten.iter().map(async |(url, granted)| {
        granted.revoke(&Asks::at(name, url, network)).await;
    });
    join_all(revoked).await;
    Ok(!forgotten.is_empty())
}

pub async fn take_back(definition: &Definition) -> Result<(), SignInTrouble> {
    let address = definition.signs_in()?;
    let name = &definition.name;
    let purse = Purse::of(&address.purse, &address.whose, &name.0);
    let granted = purse.read(&address.url).await.map_err(not_kept)?;
    keep(name, address, None).await?;
    if let Some(granted) = granted {
        granted.revoke(&Asks::of(&name.0, address)).await;
    }
    Ok(())
}

async fn keep(name: &ServerName, address: &Address, granted: Option<Granted>) -> Result<(), SignInTrouble> {
    let purse = Purse::of(&address.purse, &address.whose, &name.0);
    let held = purse.hold().await.map_err(not_kept)?;
    let kept = purse.keep(&address.url, granted).await.map_err(not_kept);
    drop(held);
    kept
}

#[expect(clippy::needless_pass_by_value, reason = "it is the error of a call")]
fn not_kept(error: std::io::Error) -> SignInTrouble {
    SignInTrouble::NotKept {
        words: error.to_string(),
    }
}

async fn challenged(asks: &Asks<'_>) -> Result<Option<String>, SignInTrouble> {
    let greeting = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchdog", "version": env!("CARGO_PKG_VERSION")},
    }});
    let came = asks.post(asks.server, &greeting).await?;
    Ok((came.status == 401).then(|| came.challenge.unwrap_or_default()))
}

fn link(at: &Authority, client: &Client, back_to: &str, state: &str, proof: &str) -> String {
    let (challenge, scope) = (pkce::challenge(proof), at.scopes.join(" "));
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", client.id.as_str()),
        ("redirect_uri", back_to),
        ("state", state),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("resource", &at.resource),
    ];
    if !scope.is_empty() {
        pairs.push(("scope", &scope));
    }
    // Refresh tokens require consent (OpenID Connect Core 1.0, 11).
    if at.scopes.iter().any(|scope| scope == "offline_access") {
        pairs.push(("prompt", "consent"));
    }
    let joint = if at.authorize.contains('?') { '&' } else { '?' };
    format!("{}{joint}{}", at.authorize, query(&pairs))
}

async fn back(door: &Door, state: &str, mut pasted: mpsc::Receiver<String>) -> Result<Back, SignInTrouble> {
    let by_hand = async {
        while let Some(address) = pasted.recv().await {
            if let Some(back) = redirect_listener::back(address.trim(), state) {
                return back;
            }
        }
        std::future::pending().await
    };
    let came = async {
        tokio::select! {
            back = door.came(state) => back,
            back = by_hand => back,
        }
    };
    let late = SignInTrouble::Late {
        minutes: PATIENCE.as_secs() / 60,
    };
    tokio::time::timeout(PATIENCE, came).await.map_err(|_| late)
}

fn taken(at: &Authority, back: Back, secrets: &[&str]) -> Result<String, SignInTrouble> {
    let words = |told: &str| words(&without(told, secrets));
    let is_of_it = match &back.issuer {
        Some(told) => *told == at.issuer || at.issuer.is_empty(),
        None => !at.names_itself,
    };
    if !is_of_it {
        let told = words(&public_address(&back.issuer.unwrap_or_default()));
        return Err(SignInTrouble::OtherIssuer { told });
    }
    back.answer
        .map_err(|told| SignInTrouble::Denied { words: words(&told) })
}

#[cfg(test)]
mod tests;
