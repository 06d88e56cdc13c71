//! Skills of one session: the skills that its rules allow, and the skills that were already loaded.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::{Engine, Folder};
use crate::seat::Seat;
use benchdog_context::skills::Skills;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::permission::{Action, Subject};
use benchdog_domain::skill::SkillOffer;
use benchdog_domain::tool::ToolFacts;
use benchdog_protocol::Answer;
use benchdog_security::policy::Grants;
use benchdog_tools::Registry;

pub(in crate::seat) struct Instructed {
    pub(in crate::seat) skills: Arc<Skills>,
    pub(in crate::seat) loaded: Arc<Mutex<BTreeSet<String>>>,
    known_tools: Arc<[ToolFacts]>,
}

impl Instructed {
    /// Returns the skills and the tools of a session. Without skills, the tool that loads skills is omitted.
    pub(in crate::seat) fn of(folder: &Folder, history: &History) -> (Self, Registry) {
        let tools = &folder.tools;
        let rules = tools.skill_rules();
        let is_denied = |name: &str| {
            let subject = [Subject::Named(name.to_owned())];
            let judged = rules
                .as_ref()
                .map(|rules| folder.policy.judge(&Grants::default(), rules, &subject));
            judged.is_none_or(|verdict| verdict.action == Action::Deny)
        };
        let skills = folder.skills.only(|name| !is_denied(name));
        let tools_of_session = if skills.is_empty() {
            tools.without_skills()
        } else {
            tools.clone()
        };
        let mut instructed = Self {
            skills: Arc::new(skills),
            loaded: Arc::default(),
            known_tools: tools.facts(),
        };
        instructed.loaded = Arc::new(Mutex::new(instructed.carried(history)));
        (instructed, tools_of_session)
    }

    pub(in crate::seat) fn logged(&self, entry: &Entry, history: &History) {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(entry.body, Body::Compaction(_) | Body::CompactionUndone { .. }) {
            *loaded = self.carried(history);
        } else {
            let skills = entry.body.skills(&self.known_tools);
            loaded.extend(skills.into_iter().map(str::to_owned));
        }
    }

    fn carried(&self, history: &History) -> BTreeSet<String> {
        let entries = history.carried().uncut();
        let skills = entries.flat_map(|entry| entry.body.skills(&self.known_tools));
        skills.map(str::to_owned).collect()
    }

    fn listed(&self, window: u64) -> Vec<SkillOffer> {
        let loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        self.skills.listed(&loaded, window)
    }
}

impl Seat {
    pub(in crate::seat) fn skills(&self, engine: &Engine) -> Vec<SkillOffer> {
        let listed = self
            .instructed
            .listed(engine.window(&self.settings, self.machine.model()));
        listed.into_iter().chain(self.served.prompts()).collect()
    }

    pub(crate) async fn list_skills(&self, engine: &Engine) {
        engine.answer(self.id, Answer::Skills(self.skills(engine))).await;
    }
}
