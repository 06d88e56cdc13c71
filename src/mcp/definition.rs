//! What a server is started with.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use crate::base::id::BlobId;
use crate::domain::server::ServerName;

/// One server, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: ServerName,
    pub(crate) program: String,
    pub(crate) arguments: Vec<String>,
    /// What the configuration sets; it wins over `variables`.
    pub(crate) environment: Vec<(String, String)>,
    /// Variables of the person that it was to get and that are not set.
    pub(crate) lacks: Vec<String>,
    /// Ours, without what servers do not get.
    pub(crate) variables: Vec<(String, String)>,
    /// How long it may take to start, to list its tools, and to answer or to report progress.
    pub(crate) timeout: Duration,
    /// Where it is started; also what it is told as its root.
    pub(crate) folder: PathBuf,
    /// Our own executable, which starts children.
    pub(crate) launcher: PathBuf,
}

impl Definition {
    /// What its list of tools is kept under: program, arguments, folder, and the names of what is set for it, never a value.
    pub(super) fn key(&self) -> String {
        let names: Vec<&str> = self.environment.iter().map(|(name, _)| name.as_str()).collect();
        let all = json!([
            self.program,
            self.arguments,
            self.folder.to_string_lossy(),
            names,
            env!("CARGO_PKG_VERSION")
        ]);
        BlobId::of(all.to_string().as_bytes()).0
    }

    /// Its whole environment.
    pub(super) fn whole_environment(&self) -> Vec<(String, String)> {
        let is_set = |name: &String| self.environment.iter().any(|(set, _)| set == name);
        let inherited = self.variables.iter().filter(|(name, _)| !is_set(name));
        inherited.chain(&self.environment).cloned().collect()
    }
}
