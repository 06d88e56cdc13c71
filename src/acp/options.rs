//! Modes and configuration options of a session: agents, models, and thinking level.

use agent_client_protocol_schema::v1::{
    AvailableCommand, AvailableCommandInput, SessionConfigOption, SessionConfigOptionCategory,
    SessionConfigSelectOption, SessionMode, SessionModeState, UnstructuredCommandInput,
};

use benchdog_domain::agent::{AgentName, AgentOffer, ModelOffer, ModelRef, Thinking};
use benchdog_domain::skill::SkillOffer;
use benchdog_lang::{Word, word};

pub(crate) const MODE: &str = "mode";
pub(crate) const MODEL: &str = "model";
pub(crate) const THINKING: &str = "thinking";

pub(crate) const COMPACT: &str = "compact";

const UNSET: &str = "default";

/// Maximum number of models in the list, because a server may offer thousands.
const MOST_MODELS: usize = 200;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Options {
    pub(crate) agents: Vec<AgentOffer>,
    pub(crate) agent: AgentName,
    pub(crate) models: Vec<ModelOffer>,
    pub(crate) model: Option<ModelRef>,
    pub(crate) thinking: Option<Thinking>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    Agent(AgentName),
    Model(String),
    Thinking(Option<Thinking>),
}

impl Options {
    pub(crate) fn modes(&self) -> SessionModeState {
        let modes = self.agents.iter().map(|offer| {
            let about = Some(offer.description.clone()).filter(|about| !about.is_empty());
            SessionMode::new(offer.agent.0.clone(), offer.agent.0.clone()).description(about)
        });
        SessionModeState::new(self.agent.0.clone(), modes.collect())
    }

    pub(crate) fn list(&self) -> Vec<SessionConfigOption> {
        let agents = self.agents.iter().map(|offer| {
            let about = Some(offer.description.clone()).filter(|about| !about.is_empty());
            SessionConfigSelectOption::new(offer.agent.0.clone(), offer.agent.0.clone()).description(about)
        });
        let mut list = vec![select(
            MODE,
            Word::AcpOptionMode,
            self.agent.0.clone(),
            agents.collect(),
            SessionConfigOptionCategory::Mode,
        )];
        if let Some(model) = &self.model {
            let mut names: Vec<String> = self
                .models
                .iter()
                .map(|offer| offer.model.to_string())
                .take(MOST_MODELS)
                .collect();
            let current = model.to_string();
            if !names.contains(&current) {
                names.insert(0, current.clone());
            }
            let values = names
                .into_iter()
                .map(|name| SessionConfigSelectOption::new(name.clone(), name));
            list.push(select(
                MODEL,
                Word::AcpOptionModel,
                current,
                values.collect(),
                SessionConfigOptionCategory::Model,
            ));
        }
        let unset = SessionConfigSelectOption::new(UNSET, word(Word::AcpThinkingUnset));
        let levels = Thinking::ALL.map(|level| SessionConfigSelectOption::new(level.word(), level.word()));
        let current = self.thinking.map_or(UNSET, Thinking::word);
        let values = std::iter::once(unset).chain(levels).collect();
        list.push(select(
            THINKING,
            Word::AcpOptionThinking,
            current.to_owned(),
            values,
            SessionConfigOptionCategory::ThoughtLevel,
        ));
        list
    }

    /// Returns the change that a client requested. `None` if the option or the value does not exist.
    pub(crate) fn change(&self, option: &str, value: &str) -> Option<Change> {
        match option {
            MODE => {
                let known = self.agents.iter().find(|offer| offer.agent.0 == value)?;
                Some(Change::Agent(known.agent.clone()))
            }
            MODEL => {
                let is_current = self.model.as_ref().is_some_and(|model| model.to_string() == value);
                let is_known = is_current || self.models.iter().any(|offer| offer.model.to_string() == value);
                is_known.then(|| Change::Model(value.to_owned()))
            }
            THINKING if value == UNSET => Some(Change::Thinking(None)),
            THINKING => Thinking::of(value).map(|level| Change::Thinking(Some(level))),
            _ => None,
        }
    }

    pub(crate) fn has(&self, change: &Change) -> bool {
        match change {
            Change::Agent(agent) => self.agent == *agent,
            Change::Model(model) => self.model.as_ref().is_some_and(|current| current.to_string() == *model),
            Change::Thinking(level) => self.thinking == *level,
        }
    }
}

fn select(
    id: &'static str,
    name: Word,
    current: String,
    values: Vec<SessionConfigSelectOption>,
    category: SessionConfigOptionCategory,
) -> SessionConfigOption {
    SessionConfigOption::select(id, word(name), current, values).category(category)
}

pub(crate) fn commands(skills: &[SkillOffer]) -> Vec<AvailableCommand> {
    let own = [AvailableCommand::new(COMPACT, word(Word::AcpCompact))];
    let invoked = skills
        .iter()
        .filter(|skill| benchdog_app::commands::invokes(skill))
        .map(|skill| {
            let command = AvailableCommand::new(skill.name.clone(), skill.description.clone());
            match skill.hint.as_str() {
                "" => command,
                hint => command.input(AvailableCommandInput::Unstructured(UnstructuredCommandInput::new(hint))),
            }
        });
    own.into_iter().chain(invoked).collect()
}
