//! Who works and on which model.

use serde::{Deserialize, Serialize};

/// The name of an agent profile; `build` is the one every session starts with.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct AgentName(pub(crate) String);

impl Default for AgentName {
    fn default() -> Self {
        Self("build".to_owned())
    }
}

/// A model of a configured provider. `id` is sent to the server verbatim and may contain slashes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ModelRef {
    pub(crate) provider: String,
    pub(crate) id: String,
}

impl ModelRef {
    /// What stands where no model is known yet. No provider has this name.
    pub(crate) fn none() -> Self {
        Self {
            provider: String::new(),
            id: String::new(),
        }
    }
}

impl std::fmt::Display for ModelRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.provider, self.id)
    }
}

/// One model a server offers, as a list or picker shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ModelOffer {
    pub(crate) model: ModelRef,
    /// The window in tokens, where the configuration or the server says it.
    pub(crate) context: Option<u64>,
}
