//! The agent and model of a custom command. They apply to one turn, and then the previous ones are restored.

use std::sync::Arc;

use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use crate::seat::agent::policy_of;
use crate::seat::prompt::custom_command::{Called, unreadable};
use benchdog_agent::Profile;
use benchdog_base::id::TurnId;
use benchdog_config::resolve_model;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::mention::Unreadable;
use benchdog_domain::notice::Notice;
use benchdog_domain::skill::BrokenSkill;
use benchdog_protocol::Answer;

pub(in crate::seat) struct Lent {
    turn: TurnId,
    pub(in crate::seat) agent: Arc<Profile>,
    pub(in crate::seat) model: Option<ModelRef>,
}

impl Seat {
    /// Switches to the agent and model that a custom command sets for the next turn. Returns an answer for the front
    /// end as an error if the prompt must not be sent.
    pub(in crate::seat) async fn lend(
        &mut self,
        engine: &mut Engine,
        called: Option<&Result<Called, BrokenSkill>>,
        prompt: &str,
    ) -> Result<(), Answer> {
        let Some(Ok(Called { command, .. })) = called else {
            return Ok(());
        };
        let (agent, model) = (command.agent(), command.model());
        if agent.is_none() && model.is_none() {
            return Ok(());
        }
        let prompt = prompt.to_owned();
        if self.is_busy() {
            engine.notice(self.id, Notice::Busy).await;
            return Err(Answer::Unqueued { text: prompt });
        }
        let wrong = |why: String| Answer::Unread {
            prompt,
            mentions: vec![Unreadable {
                path: command.name.clone(),
                why: unreadable(command.broken(why)),
            }],
        };
        let agents = Arc::clone(&engine.at(self.folder()).agents);
        let profile = match agent.map(|name| (name, agents.chosen(name))) {
            None => None,
            Some((_, Ok(profile))) => Some(Arc::clone(profile)),
            Some((name, Err(_))) => return Err(wrong(format!("there is no agent `{name}` that can be chosen"))),
        };
        let model = match model.map(|name| resolve_model(name, &self.settings)) {
            None => None,
            Some(Ok(model)) => Some(model),
            Some(Err(error)) => return Err(wrong(error.to_string())),
        };
        let lent = Lent {
            turn: self.machine.next_turn(),
            agent: Arc::clone(&self.agent),
            model: self.model(),
        };
        self.feed(engine, Happened::Lending).await;
        if let Some(profile) = profile {
            self.employ(engine, profile).await;
        }
        if let Some(model) = model {
            self.choose_model(engine, model).await;
            self.warm_up(engine);
        }
        self.feed(engine, Happened::Lent).await;
        self.lent = Some(lent);
        Ok(())
    }

    /// Returns the inputs that restore the previous agent and model. Empty before the end of the command's turn.
    pub(in crate::seat) fn given_back(&mut self, engine: &Engine) -> Vec<Happened> {
        let under_way = self.machine.turn_under_way();
        let Some(lent) = self.lent.take_if(|lent| under_way != Some(lent.turn)) else {
            return Vec::new();
        };
        let mut told = Vec::new();
        if lent.agent.name != self.agent.name {
            self.session.agent = lent.agent.name.clone();
            self.agent = lent.agent;
            self.policy = policy_of(engine.at(self.folder()), &self.agent);
            told.push(Happened::AgentChosen {
                chosen: self.agent.briefed(),
                model: None,
            });
        }
        if let Some(model) = lent.model {
            self.session.model = Some(model.clone());
            told.push(Happened::ModelChosen { model });
        }
        told
    }
}
