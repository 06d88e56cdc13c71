//! All agents, built-in and configured. Switching agents does not change messages that were already sent.

mod built_in;
mod profile;
#[cfg(test)]
mod tests;

pub use profile::{HandsOver, Profile};

use std::sync::Arc;

use benchdog_base::spelling::nearest;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{AgentName, Mode, PLAN, SUMMARY, TITLE, meant};

#[derive(Debug)]
pub struct Agents {
    /// The agents in switching order: first the built-in ones, then the configured ones sorted by name.
    all: Vec<Arc<Profile>>,
    /// The most restricted agent, which is used as a fallback.
    plan: Arc<Profile>,
    summary: Arc<Profile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotChosen {
    /// There is no agent with this name. `nearest` is the most similar existing name.
    Unknown { nearest: Option<String> },
    /// The agent can only be started by other agents.
    Subagent,
    /// The agent is reserved for internal jobs, such as summaries.
    Inner,
}

impl Agents {
    pub fn built_in() -> Self {
        Self::made(built_in::all())
    }

    /// Merges the configured agents into the built-in ones. Expects validated settings.
    pub fn of(settings: &Settings) -> Self {
        let mut all = built_in::all();
        let mut own = Vec::new();
        for written in settings.agents.iter().filter(|written| written.name != TITLE) {
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

    /// Returns the agent with this name, or the most restricted agent if a session cannot use that one.
    pub fn working(&self, name: &AgentName) -> Arc<Profile> {
        Arc::clone(
            self.find(&name.0)
                .filter(|profile| profile.is_worked_with() || profile.hands_over == HandsOver::Findings)
                .unwrap_or(&self.plan),
        )
    }

    /// Returns an agent by its name or an alternative name.
    pub fn find(&self, name: &str) -> Option<&Arc<Profile>> {
        self.all.iter().find(|profile| profile.name.0 == meant(name))
    }

    pub fn chosen(&self, name: &str) -> Result<&Arc<Profile>, NotChosen> {
        match self.find(name) {
            Some(profile) if profile.is_worked_with() => Ok(profile),
            Some(profile) if self.subagents().any(|known| known.name == profile.name) => Err(NotChosen::Subagent),
            Some(_) => Err(NotChosen::Inner),
            None => Err(NotChosen::Unknown {
                nearest: nearest(name, self.offered().map(|known| known.name.0.as_str())).map(str::to_owned),
            }),
        }
    }

    pub fn offered(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.all
            .iter()
            .filter(|profile| profile.is_worked_with() && !profile.hidden)
    }

    pub fn subagents(&self) -> impl Iterator<Item = &Arc<Profile>> {
        self.all
            .iter()
            .filter(|profile| profile.mode == Mode::Subagent && !profile.is_inner())
    }

    /// Returns name and description of the subagents that the description of the `task` tool does not mention.
    pub fn own_subagents(&self) -> Vec<(AgentName, String)> {
        let own = self.subagents().filter(|profile| !built_in::is_told(profile));
        own.map(|profile| (profile.name.clone(), profile.description.clone()))
            .collect()
    }

    pub fn summary(&self) -> &Profile {
        &self.summary
    }

    /// Returns the next agent in switching order. Skips agents that can only be selected by name.
    pub fn after(&self, name: &AgentName) -> Option<&Arc<Profile>> {
        let cycle = || self.offered().filter(|known| known.is_in_cycle);
        let mut behind = cycle().skip_while(|known| known.name != *name);
        behind.nth(1).or_else(|| cycle().next())
    }
}
