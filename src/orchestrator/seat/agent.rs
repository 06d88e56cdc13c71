//! The agent of a session, with its permissions and sandbox.

use std::sync::Arc;

use super::Seat;
use crate::engine::{Engine, Folder};
use crate::input::Happened;
use benchdog_agent::{NotChosen, Profile};
use benchdog_domain::agent::{AgentName, AgentOffer, BUILD};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Because, Layer, Rule, ToolRules, Verdict};
use benchdog_protocol::Answer;
use benchdog_security::policy::Policy;
use benchdog_tools::Prepared;

pub(super) fn policy_of(folder: &Folder, profile: &Profile) -> Policy {
    folder.policy.with(profile.layers())
}

impl Seat {
    pub(crate) fn agent(&self) -> &AgentName {
        &self.agent.name
    }

    pub(super) async fn employ(&mut self, engine: &mut Engine, profile: Arc<Profile>) {
        if let Some(lent) = &mut self.lent {
            // The person has chosen this agent, so it stays the agent after the turn of the custom command.
            lent.agent = Arc::clone(&profile);
        }
        if profile.name == self.agent.name {
            return;
        }
        self.session.agent = profile.name.clone();
        self.agent = profile;
        self.policy = policy_of(engine.at(self.folder()), &self.agent);
        let chosen = self.agent.briefed();
        let own = self.own_model.clone().or_else(|| engine.model_in(self.folder()));
        let model = chosen.model.clone().or(own);
        let had_model = self.has_model;
        self.has_model |= model.is_some();
        self.feed(engine, Happened::AgentChosen { chosen, model }).await;
        if !had_model {
            self.warm_up(engine);
        }
        self.judge_anew(engine).await;
        self.describe(engine).await;
    }

    pub(crate) async fn take_policy(&mut self, engine: &mut Engine) {
        if self.above.is_some() {
            // A subagent instead takes over the parent's permissions before its next call.
            return;
        }
        let named = self.agent.name.clone();
        let profile = engine.at(self.folder()).agents.working(&named);
        if profile.name != named {
            let instead = profile.name.clone();
            engine
                .notice(self.id, Notice::AgentGone { agent: named, instead })
                .await;
            return self.employ(engine, profile).await;
        }
        self.agent = profile;
        self.policy = policy_of(engine.at(self.folder()), &self.agent);
        let chosen = self.agent.briefed();
        self.feed(engine, Happened::AgentChosen { chosen, model: None }).await;
        let subagents = engine.at(self.folder()).agents.own_subagents();
        self.feed(engine, Happened::Subagents { subagents }).await;
        self.judge_anew(engine).await;
    }

    pub(super) fn kept_out(&self, engine: &Engine, tool: &ToolRules) -> Option<Rule> {
        let of_run = engine.setup.may_use.keeps_out(tool, "--tools");
        let of_all = of_run.or_else(|| self.tools.switched_off(&tool.name));
        let of_all = of_all.or_else(|| self.served.kept_off(&tool.name));
        of_all.or_else(|| self.agents().find_map(|agent| agent.keeps_out(tool)))
    }

    /// Returns the permission rules of a call's tool, as registered in the session. For an unregistered tool, returns
    /// the rules that the prepared call contains.
    pub(super) fn rules_as_known(&self, prepared: &Prepared) -> ToolRules {
        let known = self.tools.rules().into_iter();
        let rules = known.into_iter().find(|rules| rules.name == prepared.tool);
        rules.unwrap_or_else(|| prepared.rules())
    }

    /// Denies a call whose tool is not in `--tools`, is switched off, or is not allowed for the agent.
    pub(super) fn judge_tool(&self, engine: &Engine, prepared: &Prepared, judged: Verdict) -> Verdict {
        match self.kept_out(engine, &self.rules_as_known(prepared)) {
            Some(rule) => Verdict {
                action: Action::Deny,
                because: Because::Rule(rule),
                layer: Layer::Agent,
                scopes: Vec::new(),
                ..judged
            },
            None => judged,
        }
    }

    pub(crate) async fn choose_agent(&mut self, engine: &mut Engine, name: &AgentName) {
        let agents = Arc::clone(&engine.at(self.folder()).agents);
        let agent = name.clone();
        let notice = match agents.chosen(&name.0) {
            Ok(profile) => return self.employ(engine, Arc::clone(profile)).await,
            Err(NotChosen::Unknown { nearest }) => Notice::NoAgent { agent, nearest },
            Err(NotChosen::Subagent) => Notice::Subagent { agent },
            Err(NotChosen::Inner) => Notice::InnerAgent { agent },
        };
        engine.notice(self.id, notice).await;
    }

    pub(crate) async fn next_agent(&mut self, engine: &mut Engine) {
        let agents = Arc::clone(&engine.at(self.folder()).agents);
        if let Some(next) = agents.after(&self.agent.name) {
            self.employ(engine, Arc::clone(next)).await;
        }
    }

    pub(crate) async fn list_agents(&self, engine: &Engine) {
        let offers = engine.at(self.folder()).agents.offered().map(|agent| AgentOffer {
            agent: agent.name.clone(),
            description: agent.description.clone(),
            current: agent.name == self.agent.name,
        });
        engine.answer(self.id, Answer::Agents(offers.collect())).await;
    }

    pub(crate) fn plan(&self) -> Option<String> {
        self.machine.plan().map(|plan| plan.text.clone())
    }

    /// Accepts the model's plan. The changes that follow still need approval.
    pub(crate) async fn accept_plan(&mut self, engine: &mut Engine) {
        self.feed(engine, Happened::PlanAccepted).await;
        self.choose_agent(engine, &AgentName(BUILD.to_owned())).await;
    }

    pub(crate) async fn judge_anew(&mut self, engine: &mut Engine) {
        for call in self.calls.all_prepared() {
            let Some(prepared) = self.calls.take(&call, |slot| slot.prepared.take()) else {
                continue;
            };
            let verdict = self.verdict(engine, &prepared).await;
            self.calls.slot(&call).prepared = Some(prepared);
            self.feed(engine, Happened::Judged { call, verdict }).await;
        }
    }
}
