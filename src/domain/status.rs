//! The status of a session: agent, model, usage, and confinement.

use super::agent::{AgentName, ModelRef, Sampling};
use super::budget::Price;
use super::confinement::{Level, Network};
use super::history::Totals;
use crate::base::id::SessionId;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Status {
    pub(crate) session: SessionId,
    pub(crate) workspace: String,
    pub(crate) agent: AgentName,
    /// `None` if no model is configured or found yet.
    pub(crate) asked: Option<Asked>,
    pub(crate) sampling: Sampling,
    /// The requested confinement. The effective one is reported separately.
    pub(crate) held: (Level, Network),
    pub(crate) totals: Totals,
    /// Prices of the models of `totals`, in the same order.
    pub(crate) prices: Vec<Option<Price>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) model: ModelRef,
    /// `None` if the provider is no longer configured, or a recording answers.
    pub(crate) endpoint: Option<EndpointFacts>,
    pub(crate) window: u64,
    pub(crate) window_from: WindowFrom,
    /// Maximum tokens of one answer.
    pub(crate) output: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndpointFacts {
    /// Without user info and query, which may contain a key.
    pub(crate) address: String,
    pub(crate) api: &'static str,
}

/// The source of the window size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowFrom {
    Configured,
    Server,
    Recalled,
    /// Derived from a request that the server refused.
    Refused,
    Assumed,
}

impl Status {
    /// Returns the cost of the session in US dollars. `None` if no used model has a price.
    pub(crate) fn cost(&self) -> Option<f64> {
        let models = self.totals.models.iter().zip(&self.prices);
        let known: Vec<f64> = models
            .filter_map(|(of, price)| Some(price.as_ref()?.of(of.usage)))
            .collect();
        (!known.is_empty()).then(|| known.iter().sum())
    }
}
