//! Sign-in without the user: with client credentials (RFC 6749, 4.4) or a workload identity (RFC 8693, RFC 7523).
//! Tokens are never written to disk.

use super::authorization_server::AuthorizationServer;
use super::client::Client;
use super::http::OAuthHttp;
use super::tokens::TokenSet;
use super::url::check_url;
use super::{jwt, request_challenge};
use crate::definition::{Address, Identity, MachineCredentials};
use benchdog_domain::sign_in::SignInTrouble;

const GRANT_JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_JWT: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const GRANT_TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const TYPE_ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
const TYPE_ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";

/// Scope that requests a refresh token. It is removed, because this sign-in does not use refresh tokens.
const OFFLINE_ACCESS: &str = "offline_access";

pub(super) async fn request_token(
    name: &str,
    address: &Address,
    credentials: &MachineCredentials,
) -> Result<TokenSet, SignInTrouble> {
    if let Some(variable) = address.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    // Read the key first, so that a missing key is reported before any request.
    let key = match &credentials.key {
        Some(key) => Some(key.read().await?),
        None => None,
    };
    check_url(&address.url, &address.url)?;
    let http = OAuthHttp::for_server(name, address);
    let challenge = request_challenge(&http).await?;
    let mut server = AuthorizationServer::discover(&http, challenge.as_deref()).await?;
    if address.scopes.is_empty() {
        server.scopes.retain(|scope| scope != OFFLINE_ACCESS);
    } else {
        server.scopes.clone_from(&address.scopes);
    }
    let id = address.client_id.as_deref().unwrap_or_default();
    let client = Client::new(id, address.client_secret.as_deref(), &server);
    let scope = server.scopes.join(" ");
    let identity_assertion = match &credentials.identity {
        Some(identity) => Some(exchange_identity(name, address, identity, &server).await?),
        None => None,
    };
    let mut form = match &identity_assertion {
        Some(identity_assertion) => vec![
            ("grant_type", GRANT_JWT_BEARER),
            ("assertion", identity_assertion.as_str()),
        ],
        None => vec![
            ("grant_type", "client_credentials"),
            ("resource", server.resource.as_str()),
        ],
    };
    if !scope.is_empty() {
        form.push(("scope", &scope));
    }
    let audience = if server.issuer.is_empty() {
        &server.token_endpoint
    } else {
        &server.issuer
    };
    let assertion = key.map(|key| jwt::sign(&key, id, audience)).transpose()?;
    if let Some(assertion) = &assertion {
        form.extend([
            ("client_assertion_type", ASSERTION_JWT),
            ("client_assertion", assertion.as_str()),
        ]);
    }
    let response = http.post_form(&server.token_endpoint, &form, &client).await?;
    TokenSet::from_response(&response, None)
}

async fn exchange_identity(
    name: &str,
    address: &Address,
    identity: &Identity,
    server: &AuthorizationServer,
) -> Result<String, SignInTrouble> {
    if server.issuer.is_empty() {
        return Err(SignInTrouble::NotOffered);
    }
    if let Some(variable) = identity.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    let token = identity.token.read().await?;
    check_url(&identity.url, &identity.url)?;
    // The user configured the URL, so it may be in a private network.
    let http = OAuthHttp::new(name, &identity.url, &address.network);
    let client = Client::with_header_secret(&identity.client_id, identity.client_secret.as_deref());
    let scope = server.scopes.join(" ");
    let mut form = vec![
        ("grant_type", GRANT_TOKEN_EXCHANGE),
        ("requested_token_type", TYPE_ID_JAG),
        ("subject_token", token.as_str()),
        ("subject_token_type", TYPE_ID_TOKEN),
        ("audience", &server.issuer),
        ("resource", &server.resource),
    ];
    if !scope.is_empty() {
        form.push(("scope", &scope));
    }
    let response = http.post_form(&identity.url, &form, &client).await?;
    let invalid = |words: &str| SignInTrouble::NotExchanged {
        words: words.to_owned(),
    };
    if !response.is_success() {
        return Err(invalid(&response.error_text()));
    }
    if response.text("issued_token_type") != Some(TYPE_ID_JAG) {
        return Err(invalid("issued_token_type"));
    }
    let token = response.text("access_token").filter(|token| super::is_token(token));
    token.map(str::to_owned).ok_or_else(|| invalid("access_token"))
}
