//! The agents there are: what each may do beside what the configuration says, and what the model is told of it.

use std::sync::Arc;

use crate::base::spelling::nearest;
use crate::domain::agent::{ACCEPT_EDITS, AgentName, BUILD, Briefed, PLAN};
use crate::domain::permission::{Action, EDITS, Layer};
use crate::security::policy::LayerRules;

/// One agent. It changes what is allowed and never what is sent: tools and system prompt are those of every agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) name: AgentName,
    /// It changes nothing: what writes is denied, and commands run where nothing can be written.
    pub(crate) reads_only: bool,
    rules: Vec<(String, Vec<(String, Action)>)>,
    briefing: String,
}

impl Profile {
    /// Its rules, as a layer of the policy.
    pub(crate) fn layer(&self) -> LayerRules {
        LayerRules {
            layer: Layer::Agent,
            origin: self.name.0.clone(),
            rules: self.rules.clone(),
        }
    }

    pub(crate) fn briefed(&self) -> Briefed {
        Briefed {
            agent: self.name.clone(),
            briefing: self.briefing.clone(),
        }
    }
}

/// All agents.
#[derive(Debug)]
pub(crate) struct Agents {
    /// In the order in which one switches through them.
    all: Vec<Arc<Profile>>,
    /// The one that may do least.
    plan: Arc<Profile>,
}

impl Agents {
    pub(crate) fn built_in() -> Self {
        let build = Profile {
            name: AgentName(BUILD.to_owned()),
            reads_only: false,
            rules: Vec::new(),
            briefing: "Files can be changed again; the user sees each change first, unless a rule allows it."
                .to_owned(),
        };
        let plan = Arc::new(Profile {
            name: AgentName(PLAN.to_owned()),
            reads_only: true,
            rules: vec![(EDITS.to_owned(), vec![("*".to_owned(), Action::Deny)])],
            briefing: "Look, ask and plan, and change nothing: every tool that writes is refused, and commands run where nothing \
                       can be written. Hand the finished plan over with `plan_done`: numbered steps that name files and places."
                .to_owned(),
        });
        let accept_edits = Profile {
            name: AgentName(ACCEPT_EDITS.to_owned()),
            reads_only: false,
            rules: vec![(EDITS.to_owned(), vec![("*".to_owned(), Action::Allow)])],
            briefing: "Changes of files in the working folder are made without a question; commands are asked about as before."
                .to_owned(),
        };
        Self {
            all: vec![Arc::new(build), Arc::clone(&plan), Arc::new(accept_edits)],
            plan,
        }
    }

    /// Who works in a session that names this one. One that is not there any more is followed by the one that may do least.
    pub(crate) fn working(&self, name: &AgentName) -> Arc<Profile> {
        Arc::clone(self.find(&name.0).unwrap_or(&self.plan))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Profile>> {
        self.all.iter().find(|profile| profile.name.0 == name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &AgentName> {
        self.all.iter().map(|profile| &profile.name)
    }

    /// The one that was probably meant.
    pub(crate) fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.names().map(|known| known.0.as_str()))
    }

    /// The one after this, round and round.
    pub(crate) fn after(&self, name: &AgentName) -> Option<&Arc<Profile>> {
        let at = self.names().position(|known| known == name);
        self.all.get(at.map_or(0, |at| at + 1)).or(self.all.first())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_switches_through_all_of_them_and_comes_back() {
        let agents = Agents::built_in();
        let mut seen = vec![AgentName::default()];
        loop {
            let next = agents.after(seen.last().unwrap()).unwrap().name.clone();
            if next == seen[0] {
                break;
            }
            seen.push(next);
        }
        assert_eq!(
            seen.iter().map(|name| name.0.as_str()).collect::<Vec<_>>(),
            [BUILD, PLAN, ACCEPT_EDITS]
        );
        assert_eq!(agents.after(&AgentName("gone".to_owned())).unwrap().name.0, BUILD);
    }

    #[test]
    fn a_slip_finds_the_one_that_was_meant() {
        let agents = Agents::built_in();
        assert!(agents.find("plna").is_none());
        assert_eq!(agents.nearest("plna"), Some(PLAN));
        assert_eq!(agents.nearest("accept_edits"), Some(ACCEPT_EDITS));
    }

    #[test]
    fn an_agent_that_is_gone_is_followed_by_the_one_that_may_do_least() {
        let agents = Agents::built_in();
        assert_eq!(agents.working(&AgentName("gone".to_owned())).name.0, PLAN);
        assert_eq!(agents.working(&AgentName::default()).name.0, BUILD);
    }
}
