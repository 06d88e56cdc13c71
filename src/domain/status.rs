//! The status of a session: agent, model, usage and sandbox.

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
    /// Requested sandbox level and network access. The effective level and access are reported separately.
    pub held: (Level, Network),
    pub web: Option<WebTools>,
    pub totals: Totals,
    pub prices: Vec<Option<Price>>,
    pub privacy: Privacy,
}

/// Destinations of requests, and locations of stored data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Privacy {
    /// Name and address of each configured endpoint, without user info and query.
    pub endpoints: Vec<(String, String)>,
    pub servers: Vec<String>,
    /// Address of the telemetry collector, without user info and query.
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
    /// Facts about the endpoint. `None` if its provider is no longer configured, or if a recording answers.
    pub endpoint: Option<EndpointFacts>,
    pub window: u64,
    pub window_from: WindowFrom,
    pub output: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebTools {
    On(Vec<String>),
    /// Disabled by `network.offline`.
    Offline,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFacts {
    /// Address without user info and query, which may contain a key.
    pub address: String,
    pub api: &'static str,
}

/// Source of the window size. The last two variants are assumptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowFrom {
    Configured,
    Server,
    Recalled,
    Refused,
    /// Built-in table of model families. The server may use another window.
    Family,
    Assumed,
}

impl WindowFrom {
    pub fn is_guess(self) -> bool {
        matches!(self, Self::Family | Self::Assumed)
    }
}

impl Status {
    /// Returns the cost of the session in US dollars. `None` if no used model has a known price.
    pub fn cost(&self) -> Option<f64> {
        self.totals.cost(&self.prices)
    }
}
