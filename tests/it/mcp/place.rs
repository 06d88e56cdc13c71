//! An MCP server with its authorization server: correct, or with one defect.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::http::speaks;
use super::web::{self, Asked, Said, Web};

/// The server's defect or special behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Odd {
    Nothing,
    /// Rejects every token.
    OtherAudience,
    NoRegistration,
    RefusesRegistration,
    NoProof,
    OtherIssuer,
    OtherResource,
    /// The token endpoint is at another, insecure address.
    Insecure,
    /// Announces no authorization server, like the first protocol revision.
    Old,
    /// Tokens expire at once.
    ShortLived,
    /// Issues a client secret, and requires it in the header.
    WithSecret,
    /// A tool call, a resource and a prompt require a wider scope.
    Narrow,
    /// The tool returns the received token.
    Repeats,
    /// Needs no person: accepts client credentials, or an identity at `/exchange`.
    Alone,
    /// Like `Alone`, with errors that contain the request.
    AloneEchoes,
    /// Identifies clients by the URL of their metadata.
    ReadsDescriptions,
    /// Errors of requests and refreshes contain the received secrets in escaped JSON.
    Echoes,
}

#[derive(Default)]
pub struct Given {
    codes: BTreeMap<String, Value>,
    pub access: Vec<String>,
    pub refresh: Option<String>,
    count: usize,
}

pub struct Place {
    pub web: Web,
    pub given: Arc<Mutex<Given>>,
}

impl Place {
    pub fn start(odd: Odd) -> Self {
        let given = Arc::new(Mutex::new(Given::default()));
        let shared = Arc::clone(&given);
        let web = Web::start(move |asked| Some(answer(odd, asked, &mut shared.lock().expect("nobody panics with it"))));
        Self { web, given }
    }

    pub fn revoke(&self) {
        let mut given = self.given.lock().expect("nobody panics with it");
        given.access.clear();
        given.refresh = None;
    }

    /// Lets access tokens expire, but not refresh tokens.
    pub fn expire(&self) {
        let mut given = self.given.lock().expect("nobody panics with it");
        given.access.clear();
    }

    /// Consents to the link. Returns the redirect URL.
    pub fn agrees(&self, link: &str) -> String {
        let asked = Asked::of_link(link);
        let wanted = |name: &str| asked.field(name).unwrap_or_default();
        assert_eq!(wanted("response_type"), "code");
        assert_eq!(wanted("code_challenge_method"), "S256");
        assert_eq!(wanted("resource"), self.web.at("/mcp"));
        let mut given = self.given.lock().expect("nobody panics with it");
        given.count += 1;
        let code = format!("code-{}", given.count);
        let about = json!({"challenge": wanted("code_challenge"), "back": wanted("redirect_uri"), "client": wanted("client_id")});
        given.codes.insert(code.clone(), about);
        format!(
            "{}?code={code}&state={}&iss={}",
            wanted("redirect_uri"),
            wanted("state"),
            self.web.at("").replace(':', "%3A")
        )
    }
}

fn answer(odd: Odd, asked: &Asked, given: &mut Given) -> Said {
    let own = format!("http://{}", asked.header("host").unwrap_or_default());
    let path = asked.path.split('?').next().unwrap_or_default();
    match path {
        "/mcp" => served(odd, asked, given, &own),
        "/.well-known/oauth-protected-resource/mcp" if odd != Odd::Old => {
            let resource = if odd == Odd::OtherResource {
                "https://other.example/mcp".to_owned()
            } else {
                format!("{own}/mcp")
            };
            web::json(&json!({"resource": resource, "authorization_servers": [own], "scopes_supported": ["tools"]}))
        }
        "/.well-known/oauth-authorization-server" if odd != Odd::Old => metadata(odd, &own),
        "/register" if odd == Odd::RefusesRegistration => web::status(
            403,
            &json!({"error": "access_denied", "error_description": "ask the kennel master"}),
        ),
        "/register" => {
            let back = &asked.json()["redirect_uris"];
            let mut told = json!({"client_id": "client-1", "redirect_uris": back});
            if odd == Odd::WithSecret {
                told["client_secret"] = json!("s3cret/of:client");
                told["token_endpoint_auth_method"] = json!("client_secret_basic");
            }
            web::status(201, &told)
        }
        "/token" | "/exchange" if odd == Odd::AloneEchoes => {
            let told = format!("not with {}", asked.body);
            web::status(400, &json!({"error": "invalid_client", "error_description": told}))
        }
        "/exchange" => web::json(&json!({
            "access_token": "w0rd-of-it",
            "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag",
            "token_type": "N_A",
        })),
        "/token" => token(odd, asked, given),
        "/revoke" => {
            given.access.clear();
            given.refresh = None;
            web::empty(200)
        }
        _ => web::empty(404),
    }
}

fn served(odd: Odd, asked: &Asked, given: &Given, own: &str) -> Said {
    let told = asked
        .header("authorization")
        .and_then(|told| told.strip_prefix("Bearer "));
    let counts = told.is_some_and(|token| given.access.iter().any(|one| one == token));
    if counts && odd == Odd::Narrow && matches!(asked.says().as_str(), "tools/call" | "resources/read" | "prompts/get")
    {
        return web::empty(403).with(
            "www-authenticate",
            "Bearer error=\"insufficient_scope\", scope=\"tools dogs\"",
        );
    }
    if counts && odd == Odd::Echoes && asked.says() == "tools/call" {
        return echoes(asked, told.unwrap_or_default());
    }
    if counts && odd == Odd::Repeats && asked.says() == "tools/call" {
        let content = json!([{"type": "text", "text": format!("you sent {}", told.unwrap_or_default())}]);
        return web::json(&json!({"jsonrpc": "2.0", "id": asked.json()["id"], "result": {"content": content}}));
    }
    if counts && odd != Odd::OtherAudience {
        return speaks(asked);
    }
    let named = match odd {
        Odd::Old => String::new(),
        _ => format!(" resource_metadata=\"{own}/.well-known/oauth-protected-resource/mcp\""),
    };
    web::status(
        401,
        &json!({"error": "invalid_token", "error_description": format!("no such token: {}", told.unwrap_or("none"))}),
    )
    .with("www-authenticate", &format!("Bearer{named}"))
}

/// Rejects a request with the token in the error: as a scope, as a redirect, or in the body.
fn echoes(asked: &Asked, token: &str) -> Said {
    match asked.json()["params"]["arguments"]["text"].as_str() {
        Some("scope") => web::empty(403).with(
            "www-authenticate",
            &format!("Bearer error=\"insufficient_scope\", scope=\"tools {token}\""),
        ),
        Some("place") => web::empty(307).with("location", &format!("https://x.example/{token}/y")),
        _ => escaped(&json!({"error": {"message": format!("no such token: {token}")}})),
    }
}

fn escaped(told: &Value) -> Said {
    let mut said = web::status(500, told);
    said.body = told.to_string().replace('/', "\\/").into_bytes();
    said
}

fn metadata(odd: Odd, own: &str) -> Said {
    let issuer = if odd == Odd::OtherIssuer {
        "https://evil.example"
    } else {
        own
    };
    let token = if odd == Odd::Insecure {
        "http://auth.example/token".to_owned()
    } else {
        format!("{own}/token")
    };
    let mut told = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{own}/authorize?kennel=1"),
        "token_endpoint": token,
        "registration_endpoint": format!("{own}/register"),
        "revocation_endpoint": format!("{own}/revoke"),
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    });
    match odd {
        Odd::NoProof => told["code_challenge_methods_supported"] = json!(["plain"]),
        Odd::Alone | Odd::AloneEchoes => {
            told["authorization_endpoint"] = Value::Null;
            told["code_challenge_methods_supported"] = Value::Null;
        }
        Odd::ReadsDescriptions => told["client_id_metadata_document_supported"] = json!(true),
        Odd::NoRegistration => told["registration_endpoint"] = Value::Null,
        _ => {}
    }
    web::json(&told)
}

fn token(odd: Odd, asked: &Asked, given: &mut Given) -> Said {
    let field = |name: &str| asked.field(name).unwrap_or_default();
    if odd == Odd::Echoes && field("grant_type") == "refresh_token" {
        let told = format!("no such token: {}", field("refresh_token"));
        return escaped(&json!({"error": "server_error", "error_description": told}));
    }
    let refused = |why: &str| web::status(400, &json!({"error": "invalid_grant", "error_description": why}));
    if odd == Odd::WithSecret && asked.header("authorization") != Some("Basic Y2xpZW50LTE6czNjcmV0JTJGb2YlM0FjbGllbnQ=")
    {
        return web::status(401, &json!({"error": "invalid_client"}));
    }
    match field("grant_type").as_str() {
        "authorization_code" => {
            let Some(about) = given.codes.remove(&field("code")) else {
                return refused("that code is not known");
            };
            let shown = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier").as_bytes()));
            if about["challenge"] != json!(shown) || about["back"] != json!(field("redirect_uri")) {
                return refused("that is not who asked");
            }
        }
        "client_credentials" | "urn:ietf:params:oauth:grant-type:jwt-bearer"
            if matches!(odd, Odd::Alone | Odd::Narrow) => {}
        "refresh_token" if Some(field("refresh_token")) == given.refresh => {}
        _ => return refused("it was taken back"),
    }
    given.count += 1;
    let (access, refresh) = (
        format!("acc3ss-{}/a", given.count),
        format!("r3fresh-{}/r", given.count),
    );
    given.access.push(access.clone());
    given.refresh = Some(refresh.clone());
    let lasts = if odd == Odd::ShortLived { 0 } else { 3600 };
    web::json(&json!({"access_token": access, "token_type": "bearer", "expires_in": lasts, "refresh_token": refresh}))
}
