//! Who works in a session, and what that changes: what is allowed, and how far commands are held in.

use std::sync::Arc;

use super::Seat;
use crate::agent::Profile;
use crate::domain::agent::{AgentName, AgentOffer};
use crate::domain::notice::Notice;
use crate::orchestrator::engine::Engine;
use crate::orchestrator::input::Happened;
use crate::protocol::Answer;
use crate::security::policy::Policy;

/// What may be done while this one works.
pub(super) fn policy_of(engine: &Engine, profile: &Profile) -> Policy {
    engine.setup.policy.with(profile.layer())
}

impl Seat {
    pub(in crate::orchestrator) fn agent(&self) -> &AgentName {
        &self.agent.name
    }

    /// From here on this one works: calls that have not begun are judged anew.
    async fn employ(&mut self, engine: &mut Engine, profile: Arc<Profile>) {
        if profile.name == self.agent.name {
            return;
        }
        self.session.agent = profile.name.clone();
        self.agent = profile;
        self.policy = policy_of(engine, &self.agent);
        let chosen = self.agent.briefed();
        self.feed(engine, Happened::AgentChosen { chosen }).await;
        self.judge_anew(engine).await;
        self.describe(engine).await;
    }

    pub(in crate::orchestrator) async fn choose_agent(&mut self, engine: &mut Engine, name: &AgentName) {
        let agents = Arc::clone(&engine.setup.agents);
        match agents.find(&name.0) {
            Some(profile) => self.employ(engine, Arc::clone(profile)).await,
            None => {
                let nearest = agents.nearest(&name.0).map(str::to_owned);
                let agent = name.clone();
                engine.notice(self.id, Notice::NoAgent { agent, nearest }).await;
            }
        }
    }

    pub(in crate::orchestrator) async fn next_agent(&mut self, engine: &mut Engine) {
        let agents = Arc::clone(&engine.setup.agents);
        if let Some(next) = agents.after(&self.agent.name) {
            self.employ(engine, Arc::clone(next)).await;
        }
    }

    pub(in crate::orchestrator) async fn list_agents(&self, engine: &Engine) {
        let offers = engine.setup.agents.names().map(|agent| AgentOffer {
            agent: agent.clone(),
            current: *agent == self.agent.name,
        });
        engine.answer(self.id, Answer::Agents(offers.collect())).await;
    }

    async fn judge_anew(&mut self, engine: &mut Engine) {
        let calls: Vec<_> = self.prepared.keys().cloned().collect();
        for call in calls {
            let Some(prepared) = self.prepared.remove(&call) else {
                continue;
            };
            let verdict = self.verdict(engine, &prepared).await;
            self.prepared.insert(call.clone(), prepared);
            self.feed(engine, Happened::Judged { call, verdict }).await;
        }
    }
}
