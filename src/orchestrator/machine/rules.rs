//! Limits and switches for the turns of a session.

use std::sync::Arc;

use super::hooks::Hooked;
use benchdog_domain::agent::{AgentName, Briefed, Completion, ModelRef};
use benchdog_domain::budget::Price;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::history::Totals;
use benchdog_domain::tool::{EffectClass, Success, ToolFacts};

#[derive(Debug, Clone)]
pub struct Rules {
    pub agent: Briefed,
    pub max_steps: u32,
    /// The step limit that the person set. It overrides the agent's limit.
    pub insisted_steps: Option<u32>,
    pub at_pause: AtPause,
    pub max_tokens: Option<u64>,
    pub max_cost: Option<f64>,
    /// Prices of models. A model without a price costs nothing.
    pub prices: Vec<(ModelRef, Price)>,
    pub validate: bool,
    pub validation_rounds: u32,
    /// Whether turns with changes get a todo list if the model does not create one.
    pub opens_list: bool,
    pub fallback: Vec<ModelRef>,
    pub held: (Level, Network),
    pub scratch: Option<String>,
    pub subagents: Vec<(AgentName, String)>,
    pub warn: Vec<u64>,
    pub proving: Vec<ModelRef>,
    pub hooks: Hooked,
    pub tools: Arc<[ToolFacts]>,
}

impl Rules {
    pub(super) fn steps(&self) -> u32 {
        self.insisted_steps.or(self.agent.steps).unwrap_or(self.max_steps)
    }

    pub(super) fn delegates(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect == EffectClass::Delegates)
    }

    /// Whether answers of the model must cite evidence. They can do so only if the session has the tool for evidence.
    pub(super) fn wants_proof(&self, model: &ModelRef) -> bool {
        let wanted = self.agent.completion == Completion::Evidence || self.proving.contains(model);
        wanted && self.tools.iter().any(|tool| tool.success == Success::Answered)
    }

    pub(super) fn price(&self, model: &ModelRef) -> Option<Price> {
        let (_, price) = self.prices.iter().find(|(of, _)| of == model)?;
        Some(*price)
    }

    pub(crate) fn cost_of(&self, totals: &Totals) -> f64 {
        let models = totals.models.iter();
        models.filter_map(|of| Some(self.price(&of.model)?.of(of.usage))).sum()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtPause {
    Ask,
    End,
}
