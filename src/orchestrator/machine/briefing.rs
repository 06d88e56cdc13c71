//! Changes of the agent. Each change is logged. A note tells the model about a new agent.

use super::Machine;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::agent::{AgentName, Briefed, ModelRef};
use benchdog_domain::entry::Body;
use benchdog_domain::history::{History, LetGo};
use benchdog_domain::note::Note;

impl Machine {
    /// Changes the agent, and the model if the agent has one. Later calls are checked against the new agent's rules.
    pub(super) fn on_agent_chosen(&mut self, chosen: Briefed, model: Option<ModelRef>) {
        let agent = chosen.agent.clone();
        let before = std::mem::replace(&mut self.rules.agent, chosen);
        if before.agent == agent {
            return;
        }
        let until_then = self.lending.as_ref().map(|(agent, _)| agent.clone());
        let body = Body::Agent {
            agent: agent.clone(),
            until_then,
        };
        self.log(self.last_turn, body);
        if let Some(model) = model {
            self.on_model_chosen(model, Some(agent));
        }
        self.tell_agent();
    }

    /// Adds a note about the current agent to the next request, unless the last note to the model was about this agent.
    /// Replaces an unsent note about another agent.
    pub(super) fn tell_agent(&mut self) {
        let due = (Some(&self.rules.agent.agent) != self.told_agent.as_ref()).then(|| note(&self.rules.agent));
        let begun = self.turn.as_mut().filter(|turn| turn.id == self.last_turn);
        let notes = match begun {
            Some(turn) => &mut turn.notes,
            None => &mut self.pending_notes,
        };
        notes.retain(|note| note.of_agent().is_none());
        notes.extend(due);
    }

    pub(super) fn log_first_agent(&mut self, turn: TurnId) {
        let agent = self.rules.agent.agent.clone();
        if self.last_entry == EntryId(0) && agent != AgentName::default() {
            let until_then = None;
            self.log(turn, Body::Agent { agent, until_then });
            self.log_model_of_agent(turn, None);
        }
    }

    /// Logs the current model. Adds the agent's name if the agent sets the model. Without the name, a resumed session
    /// would treat the model as the session's own, and use it with agents that set no model.
    pub(super) fn log_model_of_agent(&mut self, turn: TurnId, before: Option<&ModelRef>) {
        let own = self.rules.agent.model.as_ref() == Some(&self.model);
        let model = self.model.clone();
        if before != Some(&model) && (own || before.is_some()) {
            let with = Some(self.rules.agent.agent.clone());
            let until_then = None;
            let body = Body::Model {
                model,
                with,
                until_then,
            };
            self.log(turn, body);
        }
    }

    pub(super) fn noted(&mut self, notes: &[Note]) {
        if let Some(told) = notes.iter().rev().find_map(Note::of_agent) {
            self.told_agent = Some(told.clone());
        }
    }

    /// Returns the note about the agent, which is repeated after a summary. `None` for the default agent.
    pub(super) fn standing_agent(&self) -> Option<String> {
        (self.rules.agent.agent != AgentName::default()).then(|| note(&self.rules.agent).text)
    }
}

/// Returns the agent in the last note to the model, or the default agent if there was no note. `None` if a note may
/// have existed that is no longer in memory.
pub(super) fn told(history: &History) -> Option<AgentName> {
    let mut bodies = history.entries().iter().rev().map(|entry| &entry.body);
    let told = bodies.find_map(|body| body.notes().iter().rev().find_map(Note::of_agent));
    match told {
        Some(told) => Some(told.clone()),
        None if history.agent().is_none() || history.gone() == LetGo::default() => Some(AgentName::default()),
        None => None,
    }
}

fn note(chosen: &Briefed) -> Note {
    let Briefed { agent, briefing, .. } = chosen;
    Note::agent(
        agent.clone(),
        format!("The user chose the agent `{agent}` for what comes next. {briefing}"),
    )
}
