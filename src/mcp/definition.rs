//! What a server is started or reached with.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::id::BlobId;
use crate::config::is_secret_name;
use crate::config::settings::{NetworkSettings, ServerAuth};
use crate::domain::pin::Pinned;
use crate::domain::server::ServerName;
use crate::security::redact::Redactor;
use crate::security::secrets::is_secret_variable;

/// One server, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: ServerName,
    pub(crate) place: Place,
    /// Variables of the person that it was to get and that are not set.
    pub(crate) lacks: Vec<String>,
    /// Files of the folder that are compared before each start.
    pub(crate) pinned: Vec<Pinned>,
    /// Takes secrets out of what it writes beside its answers.
    pub(crate) redactor: Redactor,
    /// How long it may take to start and to list what it offers.
    pub(crate) start: Duration,
    /// How long it may take to answer or to report progress.
    pub(crate) timeout: Duration,
    /// The folder it works for, which it is told as its root.
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Program(Program),
    Address(Box<Address>),
}

/// A program that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// Where it is started.
    pub(crate) cwd: PathBuf,
    /// What the configuration sets; it wins over `variables`.
    pub(crate) environment: Vec<(String, String)>,
    /// Ours, without what servers do not get.
    pub(crate) variables: Inherited,
    /// Our own executable, which starts children.
    pub(crate) launcher: PathBuf,
}

/// Variables that servers inherit. Which of them hold a secret is found out when the first server is started: that takes milliseconds, and a
/// bench that has configured servers begins no later for it.
#[derive(Clone)]
pub(crate) struct Inherited(Arc<LazyLock<Variables, Find>>);

type Variables = Vec<(String, String)>;
type Find = Box<dyn FnOnce() -> Variables + Send>;

impl Inherited {
    pub(crate) fn of(find: impl FnOnce() -> Variables + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(find))))
    }
}

impl PartialEq for Inherited {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self.0 == **other.0
    }
}

impl Eq for Inherited {}

impl fmt::Debug for Inherited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variables")
    }
}

/// An address that is asked.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) url: String,
    /// Sent with each request.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) auth: ServerAuth,
    /// Of a variable of the person.
    pub(crate) token: Option<String>,
    /// The variables that may hold it, where none of them is set.
    pub(crate) lacks_token: Option<String>,
    /// As whom one signs in; `None`: as somebody who is written down for it.
    pub(crate) client_id: Option<String>,
    /// Of a variable of the person.
    pub(crate) client_secret: Option<String>,
    /// The variables that may hold that, where none of them is set.
    pub(crate) lacks_secret: Option<String>,
    /// What is asked for; nothing: what the server names.
    pub(crate) scopes: Vec<String>,
    /// The port one comes back to; 0: any.
    pub(crate) callback_port: u16,
    /// What describes us where clients are known by the address of their description.
    pub(crate) client_metadata_url: Option<String>,
    /// What is signed in with where no person does; `None`: a person does.
    pub(crate) alone: Option<Alone>,
    /// The file of tokens.
    pub(crate) purse: PathBuf,
    /// Whose those of this server are in it.
    pub(crate) whose: Whose,
    pub(crate) network: NetworkSettings,
}

/// What is signed in with, beside the client and its secret, where no person does.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Alone {
    /// The private key of the client.
    pub(crate) key: Option<Hidden>,
    pub(crate) identity: Option<Identity>,
}

/// Who the person is where they work, and who exchanges that.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) url: String,
    pub(crate) client_id: String,
    /// Of a variable of the person.
    pub(crate) client_secret: Option<String>,
    /// The variables that may hold that, where none of them is set.
    pub(crate) lacks_secret: Option<String>,
    pub(crate) token: Hidden,
}

/// A secret that the configuration only names.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// Of a variable of the person.
    Value(String),
    /// None of these variables is set.
    Lacks(String),
    /// What this file holds when it is needed.
    File(PathBuf),
}

/// Whose a sign-in is. One at a server of the person's counts for no server that a folder or a file of one run calls by the same name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Whose {
    #[default]
    Person,
    /// A trusted folder's, by its canonical path.
    Folder(PathBuf),
    /// Of `--mcp FILE`, in that folder.
    Run(PathBuf),
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address")
    }
}

impl Definition {
    /// What its list of tools is kept under: where it is, the folder, and the names of what is set for it, never a value.
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

    /// What the configuration gives it under names of secrets.
    pub(crate) fn secrets(&self) -> Vec<String> {
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
                let alone = one.alone.iter().flat_map(Alone::secrets);
                long.map(str::to_owned).chain(own).chain(alone).collect()
            }
        }
    }
}

impl Alone {
    /// What it holds of the person's variables.
    fn secrets(&self) -> Vec<String> {
        let identity = self.identity.iter();
        let tokens = identity.clone().map(|one| &one.token);
        let held = self.key.iter().chain(tokens).filter_map(|one| match one {
            Hidden::Value(value) => Some(value),
            Hidden::Lacks(_) | Hidden::File(_) => None,
        });
        held.chain(identity.filter_map(|one| one.client_secret.as_ref()))
            .cloned()
            .collect()
    }
}

/// A word of a header that is shorter occurs in ordinary words.
const SHORTEST: usize = 6;

impl Program {
    /// Its whole environment.
    pub(super) fn whole_environment(&self) -> Vec<(String, String)> {
        let is_set = |name: &String| self.environment.iter().any(|(set, _)| set == name);
        let inherited = self.variables.0.iter().filter(|(name, _)| !is_set(name));
        let whole = inherited.chain(&self.environment).map(|(name, value)| match &**name {
            // Of the folder of the session, for all servers.
            "PWD" if !is_set(name) => (name.clone(), self.cwd.to_string_lossy().into_owned()),
            _ => (name.clone(), value.clone()),
        });
        whole.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn what_servers_inherit_is_found_out_once_and_not_before_one_is_started() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&asked);
        let inherited = Inherited::of(move || {
            counts.fetch_add(1, Ordering::Relaxed);
            vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]
        });
        let program = |environment: &[(&str, &str)]| Program {
            program: "x".to_owned(),
            arguments: Vec::new(),
            cwd: PathBuf::new(),
            environment: (environment.iter())
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            variables: inherited.clone(),
            launcher: PathBuf::new(),
        };
        let (one, other) = (program(&[]), program(&[("B", "3")]));
        assert!(one == one.clone() && one != other, "{one:?}");
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        let whole = other.whole_environment();
        let shown: Vec<(&str, &str)> = whole.iter().map(|(name, value)| (&**name, &**value)).collect();
        assert_eq!(shown, [("A", "1"), ("B", "3")]);
        assert_eq!(one.whole_environment().len(), 2);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let alike = Inherited::of(|| vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "2".to_owned())]);
        assert!(alike == inherited, "what a second reading finds is no other server");
    }
}
