//! What bounds the turns of a session.

use std::sync::Arc;

use super::hooks::Hooked;
use crate::domain::agent::{AgentName, Briefed, Completion, ModelRef};
use crate::domain::budget::Price;
use crate::domain::confinement::{Level, Network};
use crate::domain::history::Totals;
use crate::domain::tool::{EffectClass, Success, ToolFacts};

/// What the machine is told once: limits and switches.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Who works.
    pub(crate) agent: Briefed,
    /// Requests a turn may make where the agent says nothing of it.
    pub(crate) max_steps: u32,
    /// The person's own word of it, whatever the agent says.
    pub(crate) insisted_steps: Option<u32>,
    /// At the step limit, in a loop, after refusals in a row: ask whether to go on, or end the turn.
    pub(crate) at_pause: AtPause,
    /// Tokens the session may use before the turn ends with `limit`.
    pub(crate) max_tokens: Option<u64>,
    /// The price of the session in USD before the turn ends with `limit`.
    pub(crate) max_cost: Option<f64>,
    /// A model that is not named costs nothing.
    pub(crate) prices: Vec<(ModelRef, Price)>,
    pub(crate) validate: bool,
    /// How often the check may run in one turn before `validation_failed`.
    pub(crate) validation_rounds: u32,
    /// A turn that changes something gets a list before, where the model keeps none.
    pub(crate) opens_list: bool,
    /// Models that are asked in their order when an endpoint fails.
    pub(crate) fallback: Vec<ModelRef>,
    /// How far commands are held in, for the model to know.
    pub(crate) held: (Level, Network),
    /// The folder for what is not to stay, where there is one.
    pub(crate) scratch: Option<String>,
    /// The agents of the person's own that may be given work, and what each is for.
    pub(crate) subagents: Vec<(AgentName, String)>,
    /// The percentages of the room for requests at which it is said how full it is.
    pub(crate) warn: Vec<u64>,
    /// Models whose answers name the places that show what they say.
    pub(crate) proving: Vec<ModelRef>,
    /// Which hooks there are.
    pub(crate) hooks: Hooked,
    /// What the rows of the tools say of them.
    pub(crate) tools: Arc<[ToolFacts]>,
}

impl Rules {
    /// Requests a turn may make.
    pub(super) fn steps(&self) -> u32 {
        self.insisted_steps.or(self.agent.steps).unwrap_or(self.max_steps)
    }

    /// Whether work can be given to other agents.
    pub(super) fn delegates(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect == EffectClass::Delegates)
    }

    /// Whether an answer has to be handed over with places. Only a session whose tools can do that asks for it.
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
