//! Configuration of an MCP server: everything that is needed to start or contact it.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use benchdog_base::id::BlobId;
use benchdog_config::is_secret_name;
use benchdog_config::settings::{NetworkSettings, ServerAuth};
use benchdog_domain::pin::Pinned;
use benchdog_domain::server::ServerName;
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_variable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: ServerName,
    pub place: Place,
    pub lacks: Vec<String>,
    /// Trusted files of the folder. Before each start, the current content is compared with the trusted content.
    pub pinned: Vec<Pinned>,
    pub redactor: Redactor,
    pub start: Duration,
    /// Timeout for an answer, or for the next progress message.
    pub timeout: Duration,
    /// The workspace, which the server gets as its root.
    pub folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Program(Program),
    Address(Box<Address>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub program: String,
    pub arguments: Vec<String>,
    pub cwd: PathBuf,
    /// Overrides `variables`.
    pub environment: Vec<(String, String)>,
    pub variables: InheritedVariables,
    pub launcher: PathBuf,
}

/// Inherited environment variables without secrets. Computed on the first use, because that takes milliseconds.
#[derive(Clone)]
pub struct InheritedVariables(Arc<LazyLock<Variables, Find>>);

type Variables = Vec<(String, String)>;
type Find = Box<dyn FnOnce() -> Variables + Send>;

impl InheritedVariables {
    pub fn of(find: impl FnOnce() -> Variables + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(find))))
    }
}

impl PartialEq for InheritedVariables {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self.0 == **other.0
    }
}

impl Eq for InheritedVariables {}

impl fmt::Debug for InheritedVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variables")
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub auth: ServerAuth,
    pub token: Option<String>,
    /// Names of environment variables that can contain the token, if none of them is set.
    pub lacks_token: Option<String>,
    /// Client id for the sign-in. Without a client id, a client is registered.
    pub client_id: Option<String>,
    pub client_secret: Option<String>,
    /// Names of environment variables that can contain the client secret, if none of them is set.
    pub lacks_secret: Option<String>,
    /// Scopes to request. If empty, the scopes that the server announces are requested.
    pub scopes: Vec<String>,
    /// Local port of the redirect URL. 0 means any free port.
    pub callback_port: u16,
    pub client_metadata_url: Option<String>,
    /// Credentials for a sign-in without the user.
    pub alone: Option<MachineCredentials>,
    pub purse: PathBuf,
    pub whose: SignInOwner,
    pub network: NetworkSettings,
}

#[derive(Clone, PartialEq, Eq)]
pub struct MachineCredentials {
    pub key: Option<SecretSource>,
    pub identity: Option<Identity>,
}

/// A workload identity, and the endpoint that exchanges it for a token.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    pub url: String,
    pub client_id: String,
    pub client_secret: Option<String>,
    /// Names of environment variables that can contain the client secret, if none of them is set.
    pub lacks_secret: Option<String>,
    pub token: SecretSource,
}

#[derive(Clone, PartialEq, Eq)]
pub enum SecretSource {
    Value(String),
    Lacks(String),
    File(PathBuf),
}

/// Configuration source that a sign-in belongs to. A sign-in from the user's configuration is never used for a server
/// of the same name in a project or `--mcp`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignInOwner {
    #[default]
    Person,
    /// A trusted folder, identified by its canonical path.
    Folder(PathBuf),
    /// A file from `--mcp FILE`, for a run in this folder.
    Run(PathBuf),
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address")
    }
}

impl Definition {
    /// Returns a cache key of the program or URL, the folder, and the variables or headers. Only names of variables and
    /// headers are included, no values.
    pub(super) fn key(&self) -> String {
        let names =
            |pairs: &[(String, String)]| -> Value { pairs.iter().map(|(name, _)| json!(name.as_str())).collect() };
        let folder = self.folder.to_string_lossy();
        let version = env!("CARGO_PKG_VERSION");
        let all = match &self.place {
            Place::Program(one) => {
                let cwd = one.cwd.to_string_lossy();
                json!([
                    one.program,
                    one.arguments,
                    folder,
                    cwd,
                    names(&one.environment),
                    version
                ])
            }
            Place::Address(one) => json!([one.url, folder, names(&one.headers), version]),
        };
        BlobId::of(all.to_string().as_bytes()).0
    }

    pub fn secrets(&self) -> Vec<String> {
        match &self.place {
            Place::Program(one) => {
                let secret = one.environment.iter().filter(|(name, _)| is_secret_variable(name));
                secret.map(|(_, value)| value.clone()).collect()
            }
            Place::Address(one) => {
                let secret = one.headers.iter().filter(|(name, _)| is_secret_name(name));
                let words = secret.flat_map(|(_, value)| value.split([' ', ';', ',', '=']));
                let long = words.filter(|word| word.len() >= SHORTEST && !word.eq_ignore_ascii_case("bearer"));
                let own = one.token.iter().chain(&one.client_secret).cloned();
                let alone = one.alone.iter().flat_map(MachineCredentials::secrets);
                long.map(str::to_owned).chain(own).chain(alone).collect()
            }
        }
    }
}

impl MachineCredentials {
    fn secrets(&self) -> Vec<String> {
        let identity = self.identity.iter();
        let tokens = identity.clone().map(|one| &one.token);
        let held = self.key.iter().chain(tokens).filter_map(|one| match one {
            SecretSource::Value(value) => Some(value),
            SecretSource::Lacks(_) | SecretSource::File(_) => None,
        });
        held.chain(identity.filter_map(|one| one.client_secret.as_ref()))
            .cloned()
            .collect()
    }
}

/// Minimum length of a word in a header that is redacted. A shorter word could occur in ordinary text.
const SHORTEST: usize = 6;

impl Program {
    pub(super) fn whole_environment(&self) -> Vec<(String, String)> {
        let is_set = |name: &String| self.environment.iter().any(|(set, _)| set == name);
        let inherited = self.variables.0.iter().filter(|(name, _)| !is_set(name));
        let whole = inherited.chain(&self.environment).map(|(name, value)| match &**name {
            "PWD" if !is_set(name) => (name.clone(), self.cwd.to_string_lossy().into_owned()),
            _ => (name.clone(), value.clone()),
        });
        whole.collect()
    }
}

#[cfg(test)]
mod tests;
