//! Discovers the authorization server from the metadata of the resource and of the issuer.

use super::challenge::parameter;
use super::http::{Asks, Came};
use super::url::{checked, covers, parts};
use crate::diagnosis::words;
use benchdog_config::{public_address, server};
use benchdog_domain::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Authority {
    /// Empty if not announced.
    pub(super) issuer: String,
    /// Empty if there is none.
    pub(super) authorize: String,
    pub(super) token: String,
    pub(super) register: Option<String>,
    pub(super) revoke: Option<String>,
    /// Whether the callback contains `iss`.
    pub(super) names_itself: bool,
    pub(super) proves: bool,
    pub(super) reads_descriptions: bool,
    /// Whether the form, rather than the header, carries the client secret.
    pub(super) takes_forms: bool,
    pub(super) resource: String,
    pub(super) scopes: Vec<String>,
}

impl Authority {
    /// `challenge` is the server's answer to a request without a token.
    pub(super) async fn find(asks: &Asks<'_>, challenge: Option<&str>) -> Result<Self, SignInTrouble> {
        let wanted = challenge.and_then(|told| parameter(told, "scope"));
        let wanted: Vec<String> = wanted
            .iter()
            .flat_map(|scope| scope.split(' '))
            .map(str::to_owned)
            .collect();
        let Some(resource) = resource(asks, challenge).await? else {
            return Self::of_old(asks, challenge.is_some(), wanted).await;
        };
        let named = resource.text("resource").unwrap_or_default();
        if !covers(named, asks.server) {
            let told = words(&public_address(named));
            return Err(SignInTrouble::OtherResource { told });
        }
        let issuers = resource.texts("authorization_servers").unwrap_or_default();
        let issuer = issuers.first().ok_or(SignInTrouble::NotOffered)?;
        let told = metadata(asks, issuer).await?.ok_or(SignInTrouble::NotOffered)?;
        let scopes = if wanted.is_empty() {
            resource.texts("scopes_supported").unwrap_or_default()
        } else {
            wanted
        };
        Self::of(asks, &told, issuer, named, scopes)
    }

    /// Handles servers of the first revision, without resource metadata: their own origin is the issuer.
    async fn of_old(asks: &Asks<'_>, wants: bool, scopes: Vec<String>) -> Result<Self, SignInTrouble> {
        let (origin, _) = parts(asks.server);
        // Omits user info and query, which may contain keys.
        let itself = public_address(asks.server);
        if let Some(told) = metadata(asks, origin).await? {
            // The issuer may be a path of this origin.
            let named = told.text("issuer").filter(|named| server(named) == server(origin));
            let named = named.unwrap_or(origin).to_owned();
            return Self::of(asks, &told, &named, &itself, scopes);
        }
        if !wants {
            return Err(SignInTrouble::NotOffered);
        }
        let at = |path: &str| format!("{origin}{path}");
        checked(origin, asks.server)?;
        Ok(Self {
            authorize: at("/authorize"),
            token: at("/token"),
            register: Some(at("/register")),
            proves: true,
            resource: itself,
            scopes,
            ..Self::default()
        })
    }

    fn of(
        asks: &Asks<'_>,
        told: &Came,
        issuer: &str,
        resource: &str,
        scopes: Vec<String>,
    ) -> Result<Self, SignInTrouble> {
        let named = told.text("issuer").unwrap_or_default();
        if named.trim_end_matches('/') != issuer.trim_end_matches('/') {
            let told = words(&public_address(named));
            return Err(SignInTrouble::OtherIssuer { told });
        }
        let proofs = told.texts("code_challenge_methods_supported").unwrap_or_default();
        let at = |name: &str| told.text(name).map(str::to_owned);
        let is_so = |name: &str| told.body.get(name) == Some(&true.into());
        let authority = Self {
            issuer: named.to_owned(),
            authorize: at("authorization_endpoint").unwrap_or_default(),
            token: at("token_endpoint").ok_or(SignInTrouble::NotOffered)?,
            register: at("registration_endpoint"),
            revoke: at("revocation_endpoint"),
            names_itself: is_so("authorization_response_iss_parameter_supported"),
            proves: proofs.iter().any(|method| method == "S256"),
            reads_descriptions: is_so("client_id_metadata_document_supported"),
            takes_forms: takes_forms(told),
            resource: resource.to_owned(),
            scopes: with_offline(scopes, told),
        };
        checked(&authority.token, asks.server)?;
        Ok(authority)
    }

    pub(super) fn is_for_people(&self, asks: &Asks<'_>) -> Result<(), SignInTrouble> {
        if self.authorize.is_empty() {
            return Err(SignInTrouble::NotOffered);
        }
        if !self.proves {
            return Err(SignInTrouble::NoProof);
        }
        checked(&self.authorize, asks.server)
    }
}

fn takes_forms(told: &Came) -> bool {
    let ways = told.texts("token_endpoint_auth_methods_supported").unwrap_or_default();
    let has = |wanted: &str| ways.iter().any(|way| way == wanted);
    has("client_secret_post") && !has("client_secret_basic")
}

/// Adds `offline_access` if supported, for a refresh token.
fn with_offline(mut scopes: Vec<String>, told: &Came) -> Vec<String> {
    let offline = "offline_access".to_owned();
    let knows = told.texts("scopes_supported").is_some_and(|all| all.contains(&offline));
    if knows && !scopes.is_empty() && !scopes.contains(&offline) {
        scopes.push(offline);
    }
    scopes
}

async fn resource(asks: &Asks<'_>, challenge: Option<&str>) -> Result<Option<Came>, SignInTrouble> {
    let (origin, path) = parts(asks.server);
    let named = challenge.and_then(|told| parameter(told, "resource_metadata"));
    // Metadata on another host would not be authentic.
    let named = named.filter(|named| server(named).is_some() && server(named) == server(asks.server));
    let known = "/.well-known/oauth-protected-resource";
    let custom = [format!("{origin}{known}{path}"), format!("{origin}{known}")];
    for address in named.into_iter().chain(custom) {
        let came = asks.get(&address).await?;
        if came.is_good() && came.text("resource").is_some() {
            return Ok(Some(came));
        }
    }
    Ok(None)
}

async fn metadata(asks: &Asks<'_>, issuer: &str) -> Result<Option<Came>, SignInTrouble> {
    checked(issuer, asks.server)?;
    let (origin, path) = parts(issuer);
    let mut custom = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        custom.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    for address in custom {
        let came = asks.get(&address).await?;
        if came.is_good() && came.text("issuer").is_some() {
            return Ok(Some(came));
        }
    }
    Ok(None)
}
