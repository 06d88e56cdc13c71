//! Limits of a turn, combined from the front end, the command line and the configuration.

use super::engine::tools_of;
use crate::cli::Bounds;
use benchdog_config::resolve_model;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::Briefed;
use benchdog_domain::confinement::{Level, Network};
use benchdog_orchestrator::machine::{AtPause, Hooked, Rules};
use benchdog_tools::Registry;

const WORKBENCH_STEPS: u32 = 100;

const RUN_STEPS: u32 = 50;

const VALIDATION_ROUNDS: u32 = 3;

#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    max_steps: u32,
    /// Step limit from the command line. Overrides the configuration.
    insisted_steps: Option<u32>,
    at_pause: AtPause,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
}

impl Limits {
    pub(super) fn of_workbench() -> Self {
        Self {
            max_steps: WORKBENCH_STEPS,
            insisted_steps: None,
            at_pause: AtPause::Ask,
            max_tokens: None,
            max_cost: None,
        }
    }

    pub(super) fn of_run(bounds: &Bounds) -> Self {
        Self {
            max_steps: RUN_STEPS,
            insisted_steps: bounds.max_steps,
            at_pause: AtPause::End,
            max_tokens: bounds.max_tokens,
            max_cost: bounds.max_cost,
        }
    }

    pub(super) fn rules(self, settings: &Settings, tools: &Registry) -> Rules {
        Rules {
            hooks: Hooked::default(),
            agent: Briefed::default(),
            max_steps: settings.limits.steps.unwrap_or(self.max_steps),
            insisted_steps: self.insisted_steps,
            at_pause: self.at_pause,
            max_tokens: self.max_tokens.or(settings.limits.tokens),
            max_cost: self.max_cost.or(settings.limits.cost),
            prices: settings.prices(),
            validate: settings.validation.auto,
            validation_rounds: settings.limits.checks.unwrap_or(VALIDATION_ROUNDS),
            opens_list: settings.opens_list,
            fallback: (settings.fallback.iter())
                .filter(|_| settings.insisted.server.is_none())
                .filter_map(|model| resolve_model(model, settings).ok())
                .collect(),
            held: (Level::Off, Network::Inherit),
            scratch: None,
            subagents: Vec::new(),
            warn: settings.compaction.warn.clone(),
            proving: settings.proving(),
            tools: tools_of(settings, tools).facts(),
        }
    }
}
