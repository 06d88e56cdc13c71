//! The status of a session: agent, model, usage, and confinement.

use super::agent::{AgentName, ModelRef, Sampling};
use super::budget::Price;
use super::confinement::{Level, Network};
use super::history::Totals;
use benchdog_base::id::SessionId;

#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub session: SessionId,
    pub workspace: String,
    pub agent: AgentName,
    pub asked: Option<Asked>,
    pub sampling: Sampling,
    /// The requested confinement. The effective one is reported separately.
    pub held: (Level, Network),
    /// The configured web tools. `None` if there are none.
    pub web: Option<WebTools>,
    pub totals: Totals,
    pub prices: Vec<Option<Price>>,
    pub privacy: Privacy,
}

/// Destinations of requests, and places of stored data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Privacy {
    /// The name and the address of each configured endpoint, without user info and query.
    pub endpoints: Vec<(String, String)>,
    /// Enabled MCP servers.
    pub servers: Vec<String>,
    /// The address of the collector of telemetry, without user info and query.
    pub telemetry: Option<String>,
    pub is_offline: bool,
    pub config: String,
    pub data: String,
    pub logs: String,
    pub cache: String,
    pub keys: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub model: ModelRef,
    /// `None` if the provider is no longer configured, or a recording answers.
    pub endpoint: Option<EndpointFacts>,
    pub window: u64,
    pub window_from: WindowFrom,
    pub output: u64,
}

/// The state of the configured web tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebTools {
    /// By name.
    On(Vec<String>),
    /// `network.offline` is on.
    Offline,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFacts {
    /// Without user info and query, which may contain a key.
    pub address: String,
    pub api: &'static str,
}

/// The source of the window size. The last two are guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowFrom {
    Configured,
    Server,
    Recalled,
    Refused,
    /// A table of model families. The server may run with another window.
    Family,
    Assumed,
}

impl WindowFrom {
    pub fn is_guess(self) -> bool {
        matches!(self, Self::Family | Self::Assumed)
    }
}

impl Status {
    /// Returns the cost of the session in US dollars. `None` if no used model has a price.
    pub fn cost(&self) -> Option<f64> {
        self.totals.cost(&self.prices)
    }
}
