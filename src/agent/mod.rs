//! The agents there are: those that are always there, and those that a person wrote. Each is data: what may be done beside what the
//! configuration says, what the model is told of it, and with which model it works. None changes what was sent.

mod built_in;
mod profile;
#[cfg(test)]
mod tests;

pub(crate) use profile::{HandsOver, Profile};

use std::sync::Arc;

use crate::base::spelling::nearest;
use crate::config::settings::Settings;
use crate::domain::agent::{AgentName, Mode, PLAN, SUMMARY, meant};

/// All agents.
#[derive(Debug)]
pub(crate) struct Agents {
    /// In the order in which one switches through them: the built-in ones first, then the others by name.
    all: Vec<Arc<Profile>>,
    /// The one that may do least.
    plan: Arc<Profile>,
    /// Who writes what a compaction carries.
    summary: Arc<Profile>,
}

/// Why a person cannot work with an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotChosen {
    /// There is none of this name; the one that was probably meant.
    Unknown { nearest: Option<String> },
    /// Another agent gives it work.
    Subagent,
    /// It writes summaries.
    Inner,
}

impl Agents {
    #[cfg(test)]
    pub(crate) fn built_in() -> Self {
        Self::made(built_in::all())
    }

    /// With what is written of them; the settings were checked.
    pub(crate) fn of(settings: &Settings) -> Self {
        let mut all = built_in::all();
        let mut own = Vec::new();
        for written in &settings.agents {
            match all.iter_mut().find(|profile| profile.name.0 == written.name) {
                Some(profile) => profile.take(written, settings),
                None => {
                    let mut profile = Profile::named(&written.name);
                    profile.take(written, settings);
                    own.push(profile);
                }
            }
        }
        own.sort_by(|a, b| a.name.0.cmp(&b.name.0));
        all.extend(own);
        Self::made(all)
    }

    fn made(all: Vec<Profile>) -> Self {
        let all: Vec<Arc<Profile>> = all.into_iter().map(Arc::new).collect();
        let always = |name: &str| {
            let found = all.iter().find(|profile| profile.name.0 == name).or(all.first());
            found.map_or_else(|| Arc::new(Profile::named(name)), Arc::clone)
        };
        Self {
            plan: always(PLAN),
            summary: always(SUMMARY),
            all,
        }
    }

    /// Who works in a session that names this one. One that is not there any more is followed by the one that may do least.
    pub(crate) fn working(&self, name: &AgentName) -> Arc<Profile> {
        Arc::clone(
            self.find(&name.0)
                .filter(|profile| profile.is_worked_with() || profile.hands_over == HandsOver::Findings)
                .unwrap_or(&self.plan),
        )
    }

    /// Any agent, by its own name or another that is known for it.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Profile>> {
        self.all.iter().find(|profile| profile.name.0 == meant(name))
    }

    /// The one that a person asks for.
    pub(crate) fn chosen(&self, name: &str) -> Result<&Arc<Profile>, NotChosen> {
        match self.find(name) {
            Some(profile) if profile.is_worked_with() => Ok(profile),
            Some(profile) if self.subagents().any(|known| known.name == profile.name) => Err(NotChosen::Subagent),
            Some(_) => Err(NotChosen::Inner),
            None => Err(NotChosen::Unknown {
                nearest: nearest(name, self.offered().map(|known| known.name.0.as_str())).map(str::to_owned),
            }),
        }
    }

    /// Those a person is offered, in their order.
    pub(crate) fn offered(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.all
            .iter()
            .filter(|profile| profile.is_worked_with() && !profile.hidden)
    }

    /// Those that another agent may give work.
    pub(crate) fn subagents(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.all
            .iter()
            .filter(|profile| profile.mode == Mode::Subagent && !profile.is_inner())
    }

    /// Of those the ones that no model knows by itself, with what they are for.
    pub(crate) fn own_subagents(&self) -> Vec<(AgentName, String)> {
        let own = self.subagents().filter(|profile| !built_in::is_told(profile));
        own.map(|profile| (profile.name.clone(), profile.description.clone()))
            .collect()
    }

    /// Who writes what a compaction carries.
    pub(crate) fn summary(&self) -> &Profile {
        &self.summary
    }

    /// The one after this, round and round.
    pub(crate) fn after(&self, name: &AgentName) -> Option<&Arc<Profile>> {
        let mut behind = self.offered().skip_while(|known| known.name != *name);
        behind.nth(1).or_else(|| self.offered().next())
    }
}
