//! The skills of one session: those its rules let anybody know of, and which of them it has loaded.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::Seat;
use crate::context::skills::Skills;
use crate::domain::entry::{Body, Entry};
use crate::domain::history::History;
use crate::domain::mention::MentionKind;
use crate::domain::permission::{Action, Subject};
use crate::domain::skill::SkillOffer;
use crate::domain::tool::{CallStatus, Success, ToolFacts};
use crate::orchestrator::engine::Engine;
use crate::protocol::Answer;
use crate::security::policy::{Grants, Policy};
use crate::tools::Registry;

pub(super) struct Instructed {
    pub(super) skills: Arc<Skills>,
    /// Shared with the tool that loads them.
    pub(super) loaded: Arc<Mutex<BTreeSet<String>>>,
    known_tools: Arc<[ToolFacts]>,
}

impl Instructed {
    /// Also the tools of the session: where there are no skills, none loads them.
    pub(super) fn of(engine: &Engine, policy: &Policy, history: &History) -> (Self, Registry) {
        let tools = &engine.setup.tools;
        let rules = tools.skill_rules();
        let is_denied = |name: &str| {
            let subject = [Subject::Named(name.to_owned())];
            let judged = rules
                .as_ref()
                .map(|rules| policy.judge(&Grants::default(), rules, &subject));
            judged.is_none_or(|verdict| verdict.action == Action::Deny)
        };
        let skills = engine.skills.only(|name| !is_denied(name));
        let tools_of_session = if skills.is_empty() {
            tools.without_skills()
        } else {
            tools.clone()
        };
        let instructed = Self {
            skills: Arc::new(skills),
            loaded: Arc::default(),
            known_tools: tools.facts(),
        };
        history.entries().iter().for_each(|entry| instructed.logged(entry));
        (instructed, tools_of_session)
    }

    /// What an entry of the log brought into the session.
    pub(super) fn logged(&self, entry: &Entry) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        match &entry.body {
            Body::User { mentions, .. } => {
                let skills = mentions.iter().filter(|mention| mention.kind == MentionKind::Skill);
                loaded.extend(skills.map(|skill| skill.path.clone()));
            }
            Body::ToolResult {
                tool,
                title,
                status: CallStatus::Ok,
                ..
            } if !title.is_empty() && ToolFacts::success_of(&self.known_tools, tool) == Success::Instructed => {
                loaded.insert(title.clone());
            }
            _ => {}
        }
    }

    pub(super) fn listed(&self) -> Vec<SkillOffer> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        self.skills.listed(&loaded)
    }
}

impl Seat {
    pub(in crate::orchestrator) async fn list_skills(&self, engine: &Engine) {
        engine.answer(self.id, Answer::Skills(self.instructed.listed())).await;
    }
}
