//! The OAuth client: configured, or registered dynamically.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::authorization_server::Authority;
use super::http::Asks;
use benchdog_domain::sign_in::SignInTrouble;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Client {
    pub(super) id: String,
    /// Some servers assign a secret although none was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    #[serde(default)]
    shown: Shown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shown {
    #[default]
    InForm,
    InHeader,
}

impl Client {
    pub(super) fn configured(id: &str, secret: Option<&str>, at: &Authority) -> Self {
        Self {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            shown: if at.takes_forms { Shown::InForm } else { Shown::InHeader },
        }
    }

    /// Uses header authentication, the default (RFC 6749, 2.3.1).
    pub(super) fn plain(id: &str, secret: Option<&str>) -> Self {
        Self {
            id: id.to_owned(),
            secret: secret.map(str::to_owned),
            shown: Shown::InHeader,
        }
    }

    pub(super) async fn register(asks: &Asks<'_>, at: &Authority, back: &str) -> Result<Self, SignInTrouble> {
        let Some(register) = &at.register else {
            return Err(SignInTrouble::NoRegistration);
        };
        let mut wanted = json!({
            "client_name": "Benchdog",
            "redirect_uris": [back],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        });
        if !at.scopes.is_empty() {
            wanted["scope"] = json!(at.scopes.join(" "));
        }
        let came = asks.post(register, &wanted).await?;
        let id = came.text("client_id").filter(|id| came.is_good() && !id.is_empty());
        let Some(id) = id else {
            let words = came.refusal();
            return Err(SignInTrouble::NotRegistered { words });
        };
        let method = came.text("token_endpoint_auth_method");
        Ok(Self {
            id: id.to_owned(),
            secret: came.text("client_secret").map(str::to_owned),
            shown: if method == Some("client_secret_basic") {
                Shown::InHeader
            } else {
                Shown::InForm
            },
        })
    }

    pub(super) fn secret(&self) -> Option<&str> {
        self.secret.as_deref()
    }

    pub(super) fn named(&self) -> (Vec<(&str, &str)>, Option<String>) {
        match (&self.secret, self.shown) {
            (Some(secret), Shown::InHeader) => {
                let both = super::url::query(&[("", &self.id), ("", secret)]);
                let both = both.trim_start_matches('=').replacen("&=", ":", 1);
                (Vec::new(), Some(BASE64_STANDARD.encode(both)))
            }
            (Some(secret), Shown::InForm) => (vec![("client_id", &self.id), ("client_secret", secret)], None),
            (None, _) => (vec![("client_id", &self.id)], None),
        }
    }
}
