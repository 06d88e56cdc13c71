//! The plan of a session. The exact text of the plan is logged, and is repeated after each summary.

use super::Machine;
use crate::effect::Effect;
use benchdog_domain::entry::Body;
use benchdog_domain::plan::Plan;
use benchdog_protocol::{Answer, PlanFile};

impl Machine {
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    pub(super) fn set_plan(&mut self, plan: Plan) {
        self.log(self.last_turn, Body::Plan(plan.clone()));
        self.plan = Some(plan);
    }

    pub(super) fn on_plan_accepted(&mut self) {
        let Some(plan) = self.plan.as_ref().filter(|plan| !plan.accepted) else {
            return;
        };
        let plan = Plan {
            text: plan.text.clone(),
            accepted: true,
        };
        let steps = plan.steps();
        self.set_plan(plan);
        if let Some(steps) = steps {
            self.set_todo(steps);
        }
    }

    pub(super) fn on_plan_edited(&mut self, text: String) {
        let Some(plan) = self.plan.as_ref().filter(|plan| plan.text != text) else {
            return;
        };
        let accepted = plan.accepted;
        let note = format!("The user edited the plan. It now reads:\n{text}");
        self.pending_notes.push(note.into());
        self.set_plan(Plan { text, accepted });
    }

    pub(super) fn on_plan_opened(&mut self, path: String, text: String) {
        let note = format!("The user took up the plan of `{path}`. It reads:\n{text}");
        self.pending_notes.push(note.into());
        let accepted = false;
        self.set_plan(Plan { text, accepted });
        let opened = Answer::Plan(PlanFile::Opened(Ok(path)));
        self.out.push(Effect::Answer(opened));
    }

    pub(super) fn standing_plan(&self) -> Option<String> {
        let plan = self.plan.as_ref().filter(|plan| plan.accepted)?;
        Some(format!(
            "The plan that the user accepted, word for word:\n{}",
            plan.text
        ))
    }
}
