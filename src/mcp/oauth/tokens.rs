//! Access and refresh tokens.

use serde::{Deserialize, Serialize};

use super::authorization_server::Authority;
use super::client::Client;
use super::http::{Asks, Came};
use benchdog_base::clock::Time;
use benchdog_domain::sign_in::SignInTrouble;

/// Milliseconds before the expiry when a token is renewed. A shorter life is renewed after nine tenths.
const BEFORE_ITS_END_MS: i64 = 30_000;

/// A longer life counts as no expiry.
const MOST_SECONDS: i64 = 366 * 24 * 3600;

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Granted {
    pub(super) access: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<i64>,
    /// Issuer for refreshes. `None` for a token that a person entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<From>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct From {
    token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revoke: Option<String>,
    client: Client,
    resource: String,
}

pub(super) enum NotRenewed {
    Over,
    Not(SignInTrouble),
}

impl std::fmt::Debug for Granted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a token")
    }
}

impl Granted {
    pub(super) fn written(token: &str) -> Self {
        Self {
            access: token.to_owned(),
            refresh: None,
            until: None,
            from: None,
        }
    }

    pub(super) async fn for_code(
        asks: &Asks<'_>,
        at: &Authority,
        client: Client,
        [code, proof, back]: [&str; 3],
    ) -> Result<Self, SignInTrouble> {
        let from = From {
            token: at.token.clone(),
            revoke: at.revoke.clone(),
            client,
            resource: at.resource.clone(),
        };
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", proof),
            ("redirect_uri", back),
            ("resource", &from.resource),
        ];
        let came = asks.form(&from.token, &form, &from.client).await?;
        Self::given(&came, Some(from))
    }

    /// `from` is `None` if the token cannot be refreshed.
    pub(super) fn given(came: &Came, from: Option<From>) -> Result<Self, SignInTrouble> {
        if !came.is_good() {
            let words = came.refusal();
            return Err(SignInTrouble::NoToken { words });
        }
        Self::read(came, from, None)
    }

    fn read(came: &Came, from: Option<From>, before: Option<&str>) -> Result<Self, SignInTrouble> {
        let odd = |words: &str| SignInTrouble::NoToken {
            words: words.to_owned(),
        };
        let access = came.text("access_token").filter(|token| is_token(token));
        let kind = came.text("token_type").unwrap_or("bearer");
        if !kind.eq_ignore_ascii_case("bearer") {
            return Err(odd("token_type"));
        }
        let lasts = came.body.get("expires_in").and_then(|told| {
            let text = told.as_str().and_then(|text| text.parse().ok());
            told.as_i64().or(text)
        });
        let until = |seconds: i64| {
            let lasts = seconds.clamp(0, MOST_SECONDS) * 1000;
            Time::now().0 + lasts - BEFORE_ITS_END_MS.min(lasts / 10)
        };
        Ok(Self {
            access: access.ok_or_else(|| odd("access_token"))?.to_owned(),
            refresh: came.text("refresh_token").or(before).map(str::to_owned),
            until: lasts.map(until),
            from,
        })
    }

    pub(super) fn is_old(&self) -> bool {
        self.until.is_some_and(|until| Time::now().0 >= until)
    }

    pub(super) async fn renewed(&self, asks: &Asks<'_>) -> Result<Self, NotRenewed> {
        let (Some(refresh), Some(from)) = (&self.refresh, &self.from) else {
            return Err(NotRenewed::Over);
        };
        let form = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
            ("resource", &from.resource),
        ];
        let came = asks.form(&from.token, &form, &from.client).await;
        let came = came.map_err(NotRenewed::Not)?;
        if came.is_good() {
            return Self::read(&came, Some(from.clone()), Some(refresh)).map_err(NotRenewed::Not);
        }
        match came.text("error") {
            // The grant has expired or was revoked (RFC 6749, 5.2). Other codes concern client, request or server.
            Some("invalid_grant") => Err(NotRenewed::Over),
            _ => Err(NotRenewed::Not(SignInTrouble::Http { words: came.refusal() })),
        }
    }

    pub(super) async fn revoke(&self, asks: &Asks<'_>) {
        let Some((from, revoke)) = self.from.as_ref().and_then(|from| Some((from, from.revoke.as_ref()?))) else {
            return;
        };
        let (token, kind) = match &self.refresh {
            Some(refresh) => (refresh, "refresh_token"),
            None => (&self.access, "access_token"),
        };
        let form = [("token", token.as_str()), ("token_type_hint", kind)];
        let _ = asks.form(revoke, &form, &from.client).await;
    }
}

pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic())
}
