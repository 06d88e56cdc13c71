//! Sign-in without a person: client credentials (RFC 6749, 4.4), or an exchanged workload identity (RFC 8693, RFC 7523).
//!
//! Tokens stay in memory.

use super::authorization_server::Authority;
use super::client::Client;
use super::http::Asks;
use super::tokens::Granted;
use super::url::checked;
use super::{challenged, jwt};
use crate::definition::{Address, Alone, Identity};
use benchdog_domain::sign_in::SignInTrouble;

const BY_JWT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const AS_JWT: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const IDENTITY: &str = "urn:ietf:params:oauth:token-type:id_token";
const WORD: &str = "urn:ietf:params:oauth:token-type:id-jag";

/// Scope for refresh tokens, which are not used here.
const LASTING: &str = "offline_access";

pub(super) async fn granted(name: &str, address: &Address, with: &Alone) -> Result<Granted, SignInTrouble> {
    if let Some(variable) = address.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    // Reports missing credentials before any request.
    let key = match &with.key {
        Some(key) => Some(key.read().await?),
        None => None,
    };
    checked(&address.url, &address.url)?;
    let asks = Asks::of(name, address);
    let challenge = challenged(&asks).await?;
    let mut at = Authority::find(&asks, challenge.as_deref()).await?;
    if address.scopes.is_empty() {
        at.scopes.retain(|scope| scope != LASTING);
    } else {
        at.scopes.clone_from(&address.scopes);
    }
    let id = address.client_id.as_deref().unwrap_or_default();
    let client = Client::configured(id, address.client_secret.as_deref(), &at);
    let scope = at.scopes.join(" ");
    let word = match &with.identity {
        Some(identity) => Some(exchanged(name, address, identity, &at).await?),
        None => None,
    };
    let mut form = match &word {
        Some(word) => vec![("grant_type", BY_JWT), ("assertion", word.as_str())],
        None => vec![("grant_type", "client_credentials"), ("resource", at.resource.as_str())],
    };
    if !scope.is_empty() {
        form.push(("scope", &scope));
    }
    let audience = if at.issuer.is_empty() { &at.token } else { &at.issuer };
    let signed = key.map(|key| jwt::signed(&key, id, audience)).transpose()?;
    if let Some(signed) = &signed {
        form.extend([("client_assertion_type", AS_JWT), ("client_assertion", signed.as_str())]);
    }
    let came = asks.form(&at.token, &form, &client).await?;
    Granted::given(&came, None)
}

async fn exchanged(
    name: &str,
    address: &Address,
    identity: &Identity,
    at: &Authority,
) -> Result<String, SignInTrouble> {
    if at.issuer.is_empty() {
        return Err(SignInTrouble::NotOffered);
    }
    if let Some(variable) = identity.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    let token = identity.token.read().await?;
    checked(&identity.url, &identity.url)?;
    // A configured URL may be in a private network.
    let asks = Asks::at(name, &identity.url, &address.network);
    let client = Client::plain(&identity.client_id, identity.client_secret.as_deref());
    let scope = at.scopes.join(" ");
    let mut form = vec![
        ("grant_type", EXCHANGE),
        ("requested_token_type", WORD),
        ("subject_token", token.as_str()),
        ("subject_token_type", IDENTITY),
        ("audience", &at.issuer),
        ("resource", &at.resource),
    ];
    if !scope.is_empty() {
        form.push(("scope", &scope));
    }
    let came = asks.form(&identity.url, &form, &client).await?;
    let odd = |words: &str| SignInTrouble::NotExchanged {
        words: words.to_owned(),
    };
    if !came.is_good() {
        return Err(odd(&came.refusal()));
    }
    if came.text("issued_token_type") != Some(WORD) {
        return Err(odd("issued_token_type"));
    }
    let word = came.text("access_token").filter(|word| super::is_token(word));
    word.map(str::to_owned).ok_or_else(|| odd("access_token"))
}
