//! Discovers the authorization server of an MCP server from resource metadata and issuer metadata.

use super::challenge::parameter;
use super::http::{OAuthHttp, Response};
use super::url::{check_url, covers, split_origin};
use crate::diagnosis::words;
use benchdog_config::{public_address, server};
use benchdog_domain::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct AuthorizationServer {
    /// Empty if the server announces no issuer.
    pub(super) issuer: String,
    /// Empty if the server has no authorization endpoint.
    pub(super) authorization_endpoint: String,
    pub(super) token_endpoint: String,
    pub(super) registration_endpoint: Option<String>,
    pub(super) revocation_endpoint: Option<String>,
    /// Whether the redirect has the parameter `iss` (RFC 9207).
    pub(super) sends_issuer: bool,
    pub(super) supports_pkce: bool,
    pub(super) supports_client_metadata: bool,
    /// Whether the client secret is sent in the form instead of in the header.
    pub(super) secret_in_form: bool,
    pub(super) resource: String,
    pub(super) scopes: Vec<String>,
}

impl AuthorizationServer {
    /// `challenge` is the `WWW-Authenticate` header of the response to a request without a token.
    pub(super) async fn discover(http: &OAuthHttp<'_>, challenge: Option<&str>) -> Result<Self, SignInTrouble> {
        let requested = challenge.and_then(|challenge| parameter(challenge, "scope"));
        let requested: Vec<String> = requested
            .iter()
            .flat_map(|scope| scope.split(' '))
            .map(str::to_owned)
            .collect();
        let Some(resource) = fetch_resource_metadata(http, challenge).await? else {
            return Self::legacy(http, challenge.is_some(), requested).await;
        };
        let identifier = resource.text("resource").unwrap_or_default();
        if !covers(identifier, http.server) {
            let told = words(&public_address(identifier));
            return Err(SignInTrouble::OtherResource { told });
        }
        let issuers = resource.list("authorization_servers").unwrap_or_default();
        let issuer = issuers.first().ok_or(SignInTrouble::NotOffered)?;
        let metadata = fetch_issuer_metadata(http, issuer)
            .await?
            .ok_or(SignInTrouble::NotOffered)?;
        let scopes = if requested.is_empty() {
            resource.list("scopes_supported").unwrap_or_default()
        } else {
            requested
        };
        Self::from_metadata(http, &metadata, issuer, identifier, scopes)
    }

    /// Handles servers of protocol revision 2025-03-26. They have no resource metadata, and are their own issuer.
    async fn legacy(http: &OAuthHttp<'_>, is_challenged: bool, scopes: Vec<String>) -> Result<Self, SignInTrouble> {
        let (origin, _) = split_origin(http.server);
        // The user name, password and query of the URL may contain keys.
        let resource = public_address(http.server);
        if let Some(metadata) = fetch_issuer_metadata(http, origin).await? {
            // The issuer may also be a URL with a path on this origin.
            let issuer = metadata
                .text("issuer")
                .filter(|issuer| server(issuer) == server(origin));
            let issuer = issuer.unwrap_or(origin).to_owned();
            return Self::from_metadata(http, &metadata, &issuer, &resource, scopes);
        }
        if !is_challenged {
            return Err(SignInTrouble::NotOffered);
        }
        let endpoint = |path: &str| format!("{origin}{path}");
        check_url(origin, http.server)?;
        Ok(Self {
            authorization_endpoint: endpoint("/authorize"),
            token_endpoint: endpoint("/token"),
            registration_endpoint: Some(endpoint("/register")),
            supports_pkce: true,
            resource,
            scopes,
            ..Self::default()
        })
    }

    fn from_metadata(
        http: &OAuthHttp<'_>,
        metadata: &Response,
        issuer: &str,
        resource: &str,
        scopes: Vec<String>,
    ) -> Result<Self, SignInTrouble> {
        let named = metadata.text("issuer").unwrap_or_default();
        if named.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let told = words(&public_address(named));
            return Err(SignInTrouble::OtherIssuer { told });
        }
        let challenge_methods = metadata.list("code_challenge_methods_supported").unwrap_or_default();
        let endpoint = |name: &str| metadata.text(name).map(str::to_owned);
        let is_true = |name: &str| metadata.body.get(name) == Some(&true.into());
        let authority = Self {
            issuer: named.to_owned(),
            authorization_endpoint: endpoint("authorization_endpoint").unwrap_or_default(),
            token_endpoint: endpoint("token_endpoint").ok_or(SignInTrouble::NotOffered)?,
            registration_endpoint: endpoint("registration_endpoint"),
            revocation_endpoint: endpoint("revocation_endpoint"),
            sends_issuer: is_true("authorization_response_iss_parameter_supported"),
            supports_pkce: challenge_methods.iter().any(|method| method == "S256"),
            supports_client_metadata: is_true("client_id_metadata_document_supported"),
            secret_in_form: prefers_secret_in_form(metadata),
            resource: resource.to_owned(),
            scopes: add_offline_access(scopes, metadata),
        };
        check_url(&authority.token_endpoint, http.server)?;
        Ok(authority)
    }

    pub(super) fn check_interactive(&self, http: &OAuthHttp<'_>) -> Result<(), SignInTrouble> {
        if self.authorization_endpoint.is_empty() {
            return Err(SignInTrouble::NotOffered);
        }
        if !self.supports_pkce {
            return Err(SignInTrouble::NoProof);
        }
        check_url(&self.authorization_endpoint, http.server)
    }
}

fn prefers_secret_in_form(metadata: &Response) -> bool {
    let methods = metadata
        .list("token_endpoint_auth_methods_supported")
        .unwrap_or_default();
    let has = |wanted: &str| methods.iter().any(|method| method == wanted);
    has("client_secret_post") && !has("client_secret_basic")
}

/// Adds the scope `offline_access`, which requests a refresh token, if the server supports it.
fn add_offline_access(mut scopes: Vec<String>, metadata: &Response) -> Vec<String> {
    let offline = "offline_access".to_owned();
    let is_supported = metadata
        .list("scopes_supported")
        .is_some_and(|all| all.contains(&offline));
    if is_supported && !scopes.is_empty() && !scopes.contains(&offline) {
        scopes.push(offline);
    }
    scopes
}

async fn fetch_resource_metadata(
    http: &OAuthHttp<'_>,
    challenge: Option<&str>,
) -> Result<Option<Response>, SignInTrouble> {
    let (origin, path) = split_origin(http.server);
    let named = challenge.and_then(|challenge| parameter(challenge, "resource_metadata"));
    // Metadata on another host is not trusted.
    let named = named.filter(|named| server(named).is_some() && server(named) == server(http.server));
    let well_known = "/.well-known/oauth-protected-resource";
    let candidates = [format!("{origin}{well_known}{path}"), format!("{origin}{well_known}")];
    for address in named.into_iter().chain(candidates) {
        let response = http.get(&address).await?;
        if response.is_success() && response.text("resource").is_some() {
            return Ok(Some(response));
        }
    }
    Ok(None)
}

async fn fetch_issuer_metadata(http: &OAuthHttp<'_>, issuer: &str) -> Result<Option<Response>, SignInTrouble> {
    check_url(issuer, http.server)?;
    let (origin, path) = split_origin(issuer);
    let mut candidates = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        candidates.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    for address in candidates {
        let response = http.get(&address).await?;
        if response.is_success() && response.text("issuer").is_some() {
            return Ok(Some(response));
        }
    }
    Ok(None)
}
