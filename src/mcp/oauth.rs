//! OAuth 2.1 sign-in for servers over HTTP. Benchdog does not start a browser. The redirect port is open only during a
//! sign-in.
//!
//! A token is sent only to its server and its issuer. It is never logged or shown.

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

use self::authorization_server::AuthorizationServer;
use self::client::Client;
use self::http::OAuthHttp;
use self::redirect_listener::{Redirect, RedirectListener};
use self::token_store::TokenStore;
use self::tokens::TokenSet;
use self::url::{check_url, encode_query};
use super::definition::{Address, Definition, Place, SignInOwner};
use super::diagnosis::words;
use super::secret_filter::filter_secrets;
pub(super) use bearer::Bearer;
use benchdog_config::public_address;
use benchdog_config::settings::{NetworkSettings, ServerAuth};
use benchdog_domain::server::ServerName;
use benchdog_domain::sign_in::SignInTrouble;
pub(super) use challenge::parameter;
pub use tokens::is_token;

const TIMEOUT: Duration = Duration::from_secs(5 * 60);

impl Definition {
    fn sign_in_address(&self) -> Result<&Address, SignInTrouble> {
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

/// Signs in. `show` gets the link for the user's browser. The result arrives at a local port, or as a URL in `pasted`.
pub async fn sign_in(
    definition: &Definition,
    additional_scopes: &[String],
    show: impl FnOnce(&str) + Send,
    pasted: mpsc::Receiver<String>,
) -> Result<(), SignInTrouble> {
    let address = definition.sign_in_address()?;
    let name = &definition.name;
    if address.auth == ServerAuth::Token {
        return Err(SignInTrouble::ByToken);
    }
    if address.alone.is_some() {
        return Err(SignInTrouble::Alone);
    }
    // The authorization server's error would not mention the missing variable.
    if let Some(variable) = address.lacks_secret.clone() {
        return Err(SignInTrouble::Lacks { variable });
    }
    check_url(&address.url, &address.url)?;
    let http = OAuthHttp::for_server(&name.0, address);
    let challenge = request_challenge(&http).await?;
    let mut server = AuthorizationServer::discover(&http, challenge.as_deref()).await?;
    server.check_interactive(&http)?;
    if !address.scopes.is_empty() {
        server.scopes.clone_from(&address.scopes);
    }
    for scope in additional_scopes {
        if !server.scopes.contains(scope) {
            server.scopes.push(scope.clone());
        }
    }
    let listener = RedirectListener::open(address.callback_port).await?;
    let redirect_uri = listener.redirect_uri();
    let metadata_url = address.client_metadata_url.as_ref();
    let client = match (
        &address.client_id,
        metadata_url.filter(|_| server.supports_client_metadata),
    ) {
        (Some(id), _) => Client::new(id, address.client_secret.as_deref(), &server),
        (None, Some(url)) => Client::new(url, None, &server),
        (None, None) => Client::register(&http, &server, &redirect_uri).await?,
    };
    let (state, verifier) = (pkce::random_secret()?, pkce::random_secret()?);
    show(&authorization_url(&server, &client, &redirect_uri, &state, &verifier));
    let redirect = wait_for_redirect(&listener, &state, pasted).await?;
    drop(listener);
    let code = authorization_code(&server, redirect, &[&state, &verifier])?;
    let tokens = TokenSet::from_code(&http, &server, client, [&code, &verifier, &redirect_uri]).await?;
    write_tokens(name, address, Some(tokens)).await
}

pub async fn store_token(definition: &Definition, token: &str) -> Result<(), SignInTrouble> {
    let address = definition.sign_in_address()?;
    write_tokens(&definition.name, address, Some(TokenSet::manual(token))).await
}

pub(crate) async fn sign_out(definition: &Definition) -> Result<bool, SignInTrouble> {
    let Place::Address(address) = &definition.place else {
        return Err(SignInTrouble::NotThere);
    };
    remove_tokens(&address.purse, &address.whose, &definition.name.0, &address.network).await
}

/// Deletes and revokes the tokens for the server `name`. Returns whether there were tokens.
pub async fn remove_tokens(
    path: &Path,
    whose: &SignInOwner,
    name: &str,
    network: &NetworkSettings,
) -> Result<bool, SignInTrouble> {
    let store = TokenStore::new(path, whose, name);
    let lock = store.lock().await.map_err(store_error)?;
    let removed = store.remove_all().await.map_err(store_error)?;
    drop(lock);
    let revocations = removed.iter().map(async |(url, tokens)| {
        tokens.revoke(&OAuthHttp::new(name, url, network)).await;
    });
    join_all(revocations).await;
    Ok(!removed.is_empty())
}

pub async fn revoke_tokens(definition: &Definition) -> Result<(), SignInTrouble> {
    let address = definition.sign_in_address()?;
    let name = &definition.name;
    let store = TokenStore::new(&address.purse, &address.whose, &name.0);
    let tokens = store.read(&address.url).await.map_err(store_error)?;
    write_tokens(name, address, None).await?;
    if let Some(tokens) = tokens {
        tokens.revoke(&OAuthHttp::for_server(&name.0, address)).await;
    }
    Ok(())
}

async fn write_tokens(name: &ServerName, address: &Address, tokens: Option<TokenSet>) -> Result<(), SignInTrouble> {
    let store = TokenStore::new(&address.purse, &address.whose, &name.0);
    let lock = store.lock().await.map_err(store_error)?;
    let written = store.write(&address.url, tokens).await.map_err(store_error);
    drop(lock);
    written
}

#[expect(clippy::needless_pass_by_value, reason = "the argument of map_err")]
fn store_error(error: std::io::Error) -> SignInTrouble {
    SignInTrouble::NotKept {
        words: error.to_string(),
    }
}

/// Sends a request without a token. Returns the `WWW-Authenticate` header, or `None` if the server accepts the request.
async fn request_challenge(http: &OAuthHttp<'_>) -> Result<Option<String>, SignInTrouble> {
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "benchdog", "version": env!("CARGO_PKG_VERSION")},
    }});
    let response = http.post_json(http.server, &initialize).await?;
    Ok((response.status == 401).then(|| response.challenge.unwrap_or_default()))
}

fn authorization_url(
    server: &AuthorizationServer,
    client: &Client,
    redirect_uri: &str,
    state: &str,
    verifier: &str,
) -> String {
    let (challenge, scope) = (pkce::challenge(verifier), server.scopes.join(" "));
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", client.id.as_str()),
        ("redirect_uri", redirect_uri),
        ("state", state),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("resource", &server.resource),
    ];
    if !scope.is_empty() {
        pairs.push(("scope", &scope));
    }
    // Refresh tokens need the user's consent (OpenID Connect Core 1.0, 11).
    if server.scopes.iter().any(|scope| scope == "offline_access") {
        pairs.push(("prompt", "consent"));
    }
    let separator = if server.authorization_endpoint.contains('?') {
        '&'
    } else {
        '?'
    };
    format!("{}{separator}{}", server.authorization_endpoint, encode_query(&pairs))
}

async fn wait_for_redirect(
    listener: &RedirectListener,
    state: &str,
    mut pasted: mpsc::Receiver<String>,
) -> Result<Redirect, SignInTrouble> {
    let from_input = async {
        while let Some(address) = pasted.recv().await {
            if let Some(redirect) = redirect_listener::parse_redirect(address.trim(), state) {
                return redirect;
            }
        }
        std::future::pending().await
    };
    let redirect = async {
        tokio::select! {
            redirect = listener.wait(state) => redirect,
            redirect = from_input => redirect,
        }
    };
    let late = SignInTrouble::Late {
        minutes: TIMEOUT.as_secs() / 60,
    };
    tokio::time::timeout(TIMEOUT, redirect).await.map_err(|_| late)
}

fn authorization_code(
    server: &AuthorizationServer,
    redirect: Redirect,
    secrets: &[&str],
) -> Result<String, SignInTrouble> {
    let words = |told: &str| words(&filter_secrets(told, secrets));
    let is_right_issuer = match &redirect.issuer {
        Some(told) => *told == server.issuer || server.issuer.is_empty(),
        None => !server.sends_issuer,
    };
    if !is_right_issuer {
        let told = words(&public_address(&redirect.issuer.unwrap_or_default()));
        return Err(SignInTrouble::OtherIssuer { told });
    }
    redirect
        .code
        .map_err(|told| SignInTrouble::Denied { words: words(&told) })
}

#[cfg(test)]
mod tests;
