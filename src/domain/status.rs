//! Where a session stands: who works, where requests go, what they took, what holds commands in.

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
    /// `None`: none is configured or found yet.
    pub(crate) asked: Option<Asked>,
    pub(crate) sampling: Sampling,
    /// What is wanted for commands; what of it can be had is told by itself.
    pub(crate) held: (Level, Network),
    pub(crate) totals: Totals,
    /// The prices of the models of `totals`, in their order.
    pub(crate) prices: Vec<Option<Price>>,
}

/// The model that requests go to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    pub(crate) model: ModelRef,
    /// `None`: its provider is not configured any more, or a recording answers.
    pub(crate) endpoint: Option<EndpointFacts>,
    pub(crate) window: u64,
    pub(crate) window_from: WindowFrom,
    /// The most tokens of one answer.
    pub(crate) output: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndpointFacts {
    /// Without user part and query, which may hold a key.
    pub(crate) address: String,
    pub(crate) api: &'static str,
}

/// Who says how large a window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowFrom {
    Configured,
    Server,
    /// What was known of it when the session was used last.
    Recalled,
    /// The server refused a request that more would have room for.
    Refused,
    /// Nobody.
    Assumed,
}

impl Status {
    /// What the session cost in US dollars; `None`: no model that answered has a price.
    pub(crate) fn cost(&self) -> Option<f64> {
        let models = self.totals.models.iter().zip(&self.prices);
        let known: Vec<f64> = models
            .filter_map(|(of, price)| Some(price.as_ref()?.of(of.usage)))
            .collect();
        (!known.is_empty()).then(|| known.iter().sum())
    }
}
