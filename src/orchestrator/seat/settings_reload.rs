//! Applies a reloaded configuration to an open session.

use std::sync::Arc;

use super::calls::checks::Checks;
use super::prompt::nested_rules::Near;
use super::prompt::prefix::{Parts, lay_out, recall};
use super::prompt::skills::Instructed;
use super::servers::{Served, Switches};
use super::{Seat, agent, confined, scratch};
use crate::engine::Engine;
use crate::input::Happened;
use crate::machine::Machine;
use benchdog_base::clock::Time;
use benchdog_domain::agent::ModelRef;

impl Seat {
    /// Applies the whole configuration to a session that has no messages yet.
    pub(crate) async fn begin_anew(&mut self, engine: &mut Engine) {
        self.settings = Arc::clone(&engine.at(self.of).settings);
        self.begin_hooks_anew();
        self.agent = engine.at(self.of).agents.working(&self.session.agent);
        self.session.agent = self.agent.name.clone();
        self.policy = agent::policy_of(engine.at(self.of), &self.agent);
        self.own_model = engine.model_in(self.of).or_else(|| self.own_model.take());
        if let Some(model) = engine.first_model(&self.agent, self.own_model.clone()) {
            self.has_model = true;
            self.session.model = Some(model);
        }
        let model = self.session.model.clone().unwrap_or_else(ModelRef::none);
        let rules = confined::rules(&self.settings, engine.at(self.of), &self.agent);
        let rules = scratch::told(rules, self.scratch.as_deref());
        (self.machine, _) = Machine::resumed(rules, model, self.log.history(), &[], Time::now());
        self.checks = Checks::new(self.log.history());
        self.near = Near::of(Arc::clone(&engine.at(self.of).nearer), self.log.history());
        (self.instructed, self.tools) = Instructed::of(engine.at(self.of), self.log.history());
        self.served = Served::of(engine.at(self.of).servers.clone(), Switches::of(&self.settings));
        self.lay_out_anew(engine);
        self.warm_up(engine);
        self.announce(engine).await;
    }

    /// Adapts the rules to a context window that has become known. Does nothing after the first request, because sent
    /// messages must not change.
    pub(crate) fn lay_out_anew(&mut self, engine: &Engine) {
        if !self.has_asked {
            let mut laid = lay_out(
                engine,
                &Parts {
                    folder: engine.at(self.of),
                    settings: &self.settings,
                    model: self.machine.model(),
                    meta: &self.session,
                    tools: &self.tools,
                    skills: &self.instructed.skills,
                },
            );
            let model = self.machine.model();
            recall(self.log.history(), model, &mut laid.assembly, &mut laid.estimator);
            (self.assembly, self.estimator, self.untold) = (laid.assembly, laid.estimator, laid.untold);
            (self.facts, self.tools) = (laid.tools.facts(), laid.tools);
        }
    }

    /// Applies the settings that may change in a running session: the model server that the person chose, hooks, and
    /// the check after changes.
    pub(crate) async fn take_settings(&mut self, engine: &mut Engine) {
        self.settings = Arc::clone(&engine.at(self.of).settings);
        let hooks = self.settings.hooks.clone();
        self.take_hooks(engine, &hooks).await;
        let check = self.settings.validation.switched();
        self.feed(engine, Happened::CheckSwitched(check)).await;
    }
}
