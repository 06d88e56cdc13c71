//! The OAuth client. Its id is configured, or comes from dynamic registration.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::authorization_server::AuthorizationServer;
use super::http::OAuthHttp;
use benchdog_domain::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Client {
    pub(super) id: String,
    /// Some servers assign a secret even if the registration requested none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    #[serde(default, rename = "shown")]
    secret_placement: SecretPlacement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SecretPlacement {
    #[default]
    InForm,
    InHeader,
}

impl Client {
    pub(super) fn new(id: &str, secret: Option<&str>, server: &AuthorizationServer) -> Self {
        Self {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            secret_placement: if server.secret_in_form {
                SecretPlacement::InForm
            } else {
                SecretPlacement::InHeader
            },
        }
    }

    /// Creates a client that sends its secret in the header, the default of RFC 6749, 2.3.1.
    pub(super) fn with_header_secret(id: &str, secret: Option<&str>) -> Self {
        Self {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            secret_placement: SecretPlacement::InHeader,
        }
    }

    pub(super) async fn register(
        http: &OAuthHttp<'_>,
        server: &AuthorizationServer,
        redirect_uri: &str,
    ) -> Result<Self, SignInTrouble> {
        let Some(endpoint) = &server.registration_endpoint else {
            return Err(SignInTrouble::NoRegistration);
        };
        let mut registration = json!({
            "client_name": "Benchdog",
            "redirect_uris": [redirect_uri],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        });
        if !server.scopes.is_empty() {
            registration["scope"] = json!(server.scopes.join(" "));
        }
        let response = http.post_json(endpoint, &registration).await?;
        let id = response
            .text("client_id")
            .filter(|id| response.is_success() && !id.is_empty());
        let Some(id) = id else {
            let words = response.error_text();
            return Err(SignInTrouble::NotRegistered { words });
        };
        let method = response.text("token_endpoint_auth_method");
        Ok(Self {
            id: id.to_owned(),
            secret: response.text("client_secret").map(str::to_owned),
            secret_placement: if method == Some("client_secret_basic") {
                SecretPlacement::InHeader
            } else {
                SecretPlacement::InForm
            },
        })
    }

    pub(super) fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    /// Returns the client's authentication: form fields, and credentials for a header.
    pub(super) fn authentication(&self) -> (Vec<(&str, &str)>, Option<String>) {
        match (&self.secret, self.secret_placement) {
            (Some(secret), SecretPlacement::InHeader) => {
                let credentials = super::url::encode_query(&[("", &self.id), ("", secret)]);
                let credentials = credentials.trim_start_matches('=').replacen("&=", ":", 1);
                (Vec::new(), Some(BASE64_STANDARD.encode(credentials)))
            }
            (Some(secret), SecretPlacement::InForm) => (vec![("client_id", &self.id), ("client_secret", secret)], None),
            (None, _) => (vec![("client_id", &self.id)], None),
        }
    }
}
