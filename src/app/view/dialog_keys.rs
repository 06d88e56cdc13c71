//! The row of key hints at the bottom of a dialog.

use super::status::bar::BETWEEN;
use crate::dialogs::Dialog;
use crate::dialogs::compaction::CompactionPreview;
use crate::dialogs::jobs::JobsDialog;
use crate::state::State;
use benchdog_base::text::width;
use benchdog_keys::Action;
use benchdog_keys::action::{CompactionAction, JobsAction};
use benchdog_lang as lang;

pub struct KeyRow {
    pub text: String,
    actions: Vec<Action>,
}

impl KeyRow {
    pub(crate) fn of(state: &State) -> Option<Self> {
        match state.screen.dialog.as_ref()? {
            Dialog::Jobs(shown) => Some(Self::of_jobs(state, shown)),
            Dialog::Compaction(shown) => Some(Self::of_compaction(state, shown)),
            Dialog::Palette(_)
            | Dialog::Picker(_)
            | Dialog::Help(_)
            | Dialog::Viewer(_)
            | Dialog::Sheet(_)
            | Dialog::Setup(_) => None,
        }
    }

    pub fn of_jobs(state: &State, shown: &JobsDialog) -> Self {
        let actions = [JobsAction::End, JobsAction::Copy].map(Action::Jobs);
        let [end, copy] = actions.map(|action| state.keymap.hint(action));
        match shown.ends {
            Some(job) => Self {
                text: lang::message::job_ends(&job.to_string(), &end),
                actions: vec![Action::Jobs(JobsAction::End)],
            },
            None => Self {
                text: lang::message::jobs_keys(&copy, &end),
                actions: actions.to_vec(),
            },
        }
    }

    pub fn of_compaction(state: &State, shown: &CompactionPreview) -> Self {
        let actions = [
            CompactionAction::Take,
            CompactionAction::Edit,
            CompactionAction::Discard,
        ]
        .map(Action::Compaction);
        let [take, edit, discard] = actions.map(|action| state.keymap.hint(action));
        match shown.preview.unfit {
            Some(_) => Self {
                text: lang::message::compaction_keys_unfit(&edit, &discard),
                actions: actions.into_iter().skip(1).collect(),
            },
            None => Self {
                text: lang::message::compaction_keys(&edit, &discard, &take),
                actions: actions.to_vec(),
            },
        }
    }

    pub(crate) fn action_at(&self, column: u16) -> Option<Action> {
        let mut from = 0;
        for (piece, action) in self.text.split(BETWEEN).zip(&self.actions) {
            let end = from + width(piece);
            if (from..end).contains(&usize::from(column)) {
                return Some(*action);
            }
            from = end + width(BETWEEN);
        }
        None
    }
}
