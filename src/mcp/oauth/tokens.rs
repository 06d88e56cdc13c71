//! Access and refresh tokens.

use serde::{Deserialize, Serialize};

use super::authorization_server::AuthorizationServer;
use super::client::Client;
use super::http::{OAuthHttp, Response};
use benchdog_base::clock::Time;
use benchdog_domain::sign_in::SignInTrouble;

/// Time in milliseconds between the refresh of a token and the token's expiry. Limited to a tenth of the token's
/// lifetime.
const EXPIRY_MARGIN_MS: i64 = 30_000;

/// Maximum lifetime in seconds. A longer lifetime in a response is shortened.
const MOST_SECONDS: i64 = 366 * 24 * 3600;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TokenSet {
    pub(super) access: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh: Option<String>,
    /// In milliseconds since 1970. The margin before the expiry is already subtracted.
    #[serde(default, rename = "until", skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    /// `None` for a token that the user entered.
    #[serde(default, rename = "from", skip_serializing_if = "Option::is_none")]
    issuer: Option<Issuer>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Issuer {
    #[serde(rename = "token")]
    token_endpoint: String,
    #[serde(default, rename = "revoke", skip_serializing_if = "Option::is_none")]
    revocation_endpoint: Option<String>,
    client: Client,
    resource: String,
}

pub(super) enum RefreshError<T> {
    /// The user must sign in again.
    Ended,
    Failed(T),
}

impl std::fmt::Debug for TokenSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a token")
    }
}

impl TokenSet {
    pub(super) fn manual(token: &str) -> Self {
        Self {
            access: token.to_owned(),
            refresh: None,
            expires_at: None,
            issuer: None,
        }
    }

    pub(super) async fn from_code(
        http: &OAuthHttp<'_>,
        server: &AuthorizationServer,
        client: Client,
        [code, verifier, redirect_uri]: [&str; 3],
    ) -> Result<Self, SignInTrouble> {
        let issuer = Issuer {
            token_endpoint: server.token_endpoint.clone(),
            revocation_endpoint: server.revocation_endpoint.clone(),
            client,
            resource: server.resource.clone(),
        };
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", verifier),
            ("redirect_uri", redirect_uri),
            ("resource", &issuer.resource),
        ];
        let response = http.post_form(&issuer.token_endpoint, &form, &issuer.client).await?;
        Self::from_response(&response, Some(issuer))
    }

    /// Parses the tokens in a response. Without `issuer`, the tokens cannot be refreshed.
    pub(super) fn from_response(response: &Response, issuer: Option<Issuer>) -> Result<Self, SignInTrouble> {
        if !response.is_success() {
            let words = response.error_text();
            return Err(SignInTrouble::NoToken { words });
        }
        Self::parse(response, issuer, None)
    }

    fn parse(response: &Response, issuer: Option<Issuer>, old_refresh: Option<&str>) -> Result<Self, SignInTrouble> {
        let invalid = |words: &str| SignInTrouble::NoToken {
            words: words.to_owned(),
        };
        let access = response.text("access_token").filter(|token| is_token(token));
        let kind = response.text("token_type").unwrap_or("bearer");
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err(invalid("token_type"));
        }
        let lifetime = response.body.get("expires_in").and_then(|value| {
            let text = value.as_str().and_then(|text| text.parse().ok());
            value.as_i64().or(text)
        });
        let expires_at = |seconds: i64| {
            let lifetime = seconds.clamp(0, MOST_SECONDS) * 1000;
            Time::now().0 + lifetime - EXPIRY_MARGIN_MS.min(lifetime / 10)
        };
        Ok(Self {
            access: access.ok_or_else(|| invalid("access_token"))?.to_owned(),
            refresh: response.text("refresh_token").or(old_refresh).map(str::to_owned),
            expires_at: lifetime.map(expires_at),
            issuer,
        })
    }

    pub(super) fn is_expired(&self) -> bool {
        self.expires_at.is_some_and(|expires_at| Time::now().0 >= expires_at)
    }

    pub(super) async fn refresh(&self, http: &OAuthHttp<'_>) -> Result<Self, RefreshError<SignInTrouble>> {
        let (Some(refresh), Some(issuer)) = (&self.refresh, &self.issuer) else {
            return Err(RefreshError::Ended);
        };
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
            ("resource", &issuer.resource),
        ];
        let response = http.post_form(&issuer.token_endpoint, &form, &issuer.client).await;
        let response = response.map_err(RefreshError::Failed)?;
        if response.is_success() {
            return Self::parse(&response, Some(issuer.clone()), Some(refresh)).map_err(RefreshError::Failed);
        }
        match response.text("error") {
            // The grant expired or was revoked (RFC 6749, 5.2). Other error codes do not end the sign-in.
            Some("invalid_grant") => Err(RefreshError::Ended),
            _ => Err(RefreshError::Failed(SignInTrouble::Http {
                words: response.error_text(),
            })),
        }
    }

    /// Revokes the tokens if the issuer supports revocation. Ignores errors.
    pub(super) async fn revoke(&self, http: &OAuthHttp<'_>) {
        let Some(issuer) = &self.issuer else { return };
        let Some(endpoint) = &issuer.revocation_endpoint else {
            return;
        };
        let (token, kind) = match &self.refresh {
            Some(refresh) => (refresh, "refresh_token"),
            None => (&self.access, "access_token"),
        };
        let form = [("token", token.as_str()), ("token_type_hint", kind)];
        let _ = http.post_form(endpoint, &form, &issuer.client).await;
    }
}

pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic())
}
