//! The limits and switches of a session's turns.

use std::sync::Arc;

use super::hooks::Hooked;
use crate::domain::agent::{AgentName, Briefed, Completion, ModelRef};
use crate::domain::budget::Price;
use crate::domain::confinement::{Level, Network};
use crate::domain::history::Totals;
use crate::domain::tool::{EffectClass, Success, ToolFacts};

#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) agent: Briefed,
    /// Maximum requests per turn, unless the agent sets it.
    pub(crate) max_steps: u32,
    /// The person's limit, which overrides the agent's.
    pub(crate) insisted_steps: Option<u32>,
    /// Whether to ask or to end the turn at a pause.
    pub(crate) at_pause: AtPause,
    pub(crate) max_tokens: Option<u64>,
    /// Maximum cost of the session in USD.
    pub(crate) max_cost: Option<f64>,
    /// Models without a price cost nothing.
    pub(crate) prices: Vec<(ModelRef, Price)>,
    pub(crate) validate: bool,
    pub(crate) validation_rounds: u32,
    /// Whether turns with changes get a todo list if the model creates none.
    pub(crate) opens_list: bool,
    /// Models to try when a provider fails.
    pub(crate) fallback: Vec<ModelRef>,
    pub(crate) held: (Level, Network),
    pub(crate) scratch: Option<String>,
    /// Custom subagents with their purposes.
    pub(crate) subagents: Vec<(AgentName, String)>,
    /// Percentages at which the fill level is reported.
    pub(crate) warn: Vec<u64>,
    /// Models whose answers need evidence.
    pub(crate) proving: Vec<ModelRef>,
    pub(crate) hooks: Hooked,
    pub(crate) tools: Arc<[ToolFacts]>,
}

impl Rules {
    pub(super) fn steps(&self) -> u32 {
        self.insisted_steps.or(self.agent.steps).unwrap_or(self.max_steps)
    }

    pub(super) fn delegates(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect == EffectClass::Delegates)
    }

    /// Whether answers need evidence. Only if the session has the tool for it.
    pub(super) fn wants_proof(&self, model: &ModelRef) -> bool {
        let wanted = self.agent.completion == Completion::Evidence || self.proving.contains(model);
        wanted && self.tools.iter().any(|tool| tool.success == Success::Answered)
    }

    pub(super) fn price(&self, model: &ModelRef) -> Option<Price> {
        let (_, price) = self.prices.iter().find(|(of, _)| of == model)?;
        Some(*price)
    }

    pub(in crate::orchestrator) fn cost_of(&self, totals: &Totals) -> f64 {
        let models = totals.models.iter();
        models.filter_map(|of| Some(self.price(&of.model)?.of(of.usage))).sum()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtPause {
    Ask,
    End,
}
