//! Configured MCP servers with an HTTP address, and their authentication.

use super::super::layers::Layers;
use super::super::read::{text, texts, whole};
use super::super::settings::{IdentitySettings, SecretPlace, ServerAddress, ServerAuth};
use super::is_said;

pub(super) const KEYS: [&str; 15] = [
    "headers",
    "auth",
    "token_env",
    "client_id",
    "client_secret_env",
    "client_metadata_url",
    "client_key_env",
    "client_key_file",
    "scopes",
    "callback_port",
    "identity_url",
    "identity_client_id",
    "identity_client_secret_env",
    "identity_token_env",
    "identity_token_file",
];

/// Values of `auth`, and the keys that apply to each.
const WAYS: [(&str, ServerAuth, &[&str]); 5] = [
    ("none", ServerAuth::None, &[]),
    ("token", ServerAuth::Token, &["token_env"]),
    (
        "oauth",
        ServerAuth::OAuth,
        &[
            "client_id",
            "client_secret_env",
            "client_metadata_url",
            "scopes",
            "callback_port",
        ],
    ),
    (
        "client_credentials",
        ServerAuth::ClientCredentials,
        &[
            "client_id",
            "client_secret_env",
            "client_key_env",
            "client_key_file",
            "scopes",
        ],
    ),
    (
        "cross_app",
        ServerAuth::CrossApp,
        &[
            "client_id",
            "client_secret_env",
            "client_key_env",
            "client_key_file",
            "scopes",
            "identity_url",
            "identity_client_id",
            "identity_client_secret_env",
            "identity_token_env",
            "identity_token_file",
        ],
    ),
];

const EITHER: [&[&str]; 3] = [
    &["client_id", "client_metadata_url"],
    &["client_secret_env", "client_key_env", "client_key_file"],
    &["identity_token_env", "identity_token_file"],
];

const WITH: [(&str, &str); 1] = [("client_secret_env", "client_id")];

pub(super) fn read(layers: &Layers, name: &str, url: String) -> Result<ServerAddress, String> {
    let at = |key: &'static str| ["mcp", name, key];
    let token_env = texts(layers, &at("token_env"));
    let said = text(layers, &at("auth"));
    let usual = if token_env.is_empty() { "oauth" } else { "token" };
    let said = said.as_deref().unwrap_or(usual);
    let ways = WAYS.iter().find(|(written, ..)| *written == said);
    let (said, auth, keys) = *ways.ok_or_else(|| format!("`mcp.{name}.auth` is no `{said}`"))?;
    fits(layers, name, said, keys)?;
    let filled = |key: &'static str| text(layers, &at(key)).filter(|text| !text.trim().is_empty());
    let identity = match auth {
        ServerAuth::CrossApp => Some(IdentitySettings {
            url: filled("identity_url").ok_or_else(|| needs(name, said, "identity_url"))?,
            client_id: filled("identity_client_id").ok_or_else(|| needs(name, said, "identity_client_id"))?,
            client_secret_env: texts(layers, &at("identity_client_secret_env")),
            token: secret(layers, name, ["identity_token_env", "identity_token_file"])?
                .ok_or_else(|| needs(name, said, "identity_token_env` or `identity_token_file"))?,
        }),
        ServerAuth::None | ServerAuth::Token | ServerAuth::OAuth | ServerAuth::ClientCredentials => None,
    };
    let address = ServerAddress {
        url,
        headers: layers.pairs(&["mcp", name, "headers"]),
        auth,
        token_env,
        client_id: filled("client_id"),
        client_secret_env: texts(layers, &at("client_secret_env")),
        scopes: texts(layers, &at("scopes")),
        callback_port: whole(layers, &at("callback_port"))
            .and_then(|port| u16::try_from(port).ok())
            .unwrap_or(0),
        client_metadata_url: filled("client_metadata_url"),
        client_key: secret(layers, name, ["client_key_env", "client_key_file"])?,
        identity,
    };
    let is_alone = matches!(auth, ServerAuth::ClientCredentials | ServerAuth::CrossApp);
    if is_alone && address.client_id.is_none() {
        return Err(needs(name, said, "client_id"));
    }
    let signs = |(header, _): &&(String, String)| header.eq_ignore_ascii_case("authorization");
    if is_alone && let Some((header, _)) = address.headers.iter().find(signs) {
        return Err(format!(
            "`mcp.{name}.auth` has no effect as `{said}` beside the header `{header}`; remove one of them"
        ));
    }
    if auth == ServerAuth::ClientCredentials && address.client_secret_env.is_empty() && address.client_key.is_none() {
        let either = "client_secret_env`, `client_key_env` or `client_key_file";
        return Err(needs(name, said, either));
    }
    Ok(address)
}

fn fits(layers: &Layers, name: &str, said: &str, keys: &[&str]) -> Result<(), String> {
    let is_said = |key: &&str| is_said(layers, name, key);
    let without = |key: &&str| !matches!(*key, "headers" | "auth") && !keys.contains(key);
    if let Some(key) = KEYS.iter().find(|key| without(key) && is_said(key)) {
        return Err(format!("`mcp.{name}.{key}` has no effect where `auth` is `{said}`"));
    }
    for several in EITHER {
        let mut said = several.iter().filter(|key| is_said(key));
        if let (Some(first), Some(second)) = (said.next(), said.next()) {
            return Err(format!(
                "`mcp.{name}.{second}` has no effect beside `{first}`; remove one of them"
            ));
        }
    }
    match WITH.iter().find(|(key, other)| is_said(key) && !is_said(other)) {
        Some((key, other)) => Err(format!("`mcp.{name}.{key}` has no effect without `{other}`")),
        None => Ok(()),
    }
}

fn needs(name: &str, said: &str, key: &str) -> String {
    format!("`mcp.{name}.auth` is `{said}`, which needs `{key}` beside it")
}

fn secret(layers: &Layers, name: &str, [env, file]: [&'static str; 2]) -> Result<Option<SecretPlace>, String> {
    let variables = texts(layers, &["mcp", name, env]);
    let path = text(layers, &["mcp", name, file]).filter(|path| !path.trim().is_empty());
    match path {
        Some(path) if path.starts_with('/') || path.starts_with("~/") => Ok(Some(SecretPlace::File(path))),
        Some(path) => Err(format!(
            "`mcp.{name}.{file}` begins with `/` or `~/`, which `{path}` does not; write its whole path"
        )),
        None => Ok(Some(variables)
            .filter(|all| !all.is_empty())
            .map(SecretPlace::Variables)),
    }
}

impl ServerAddress {
    pub(crate) fn variables(&self) -> Vec<String> {
        let identity = self.identity.iter();
        let places = self.client_key.iter().chain(identity.clone().map(|one| &one.token));
        let in_places = places.flat_map(|place| match place {
            SecretPlace::Variables(all) => all.as_slice(),
            SecretPlace::File(_) => &[],
        });
        let lists = [&self.token_env, &self.client_secret_env].into_iter();
        let lists = lists.chain(identity.map(|one| &one.client_secret_env)).flatten();
        lists.chain(in_places).cloned().collect()
    }
}
