//! Texts that the user is writing for requests. They are saved like the unsent prompt. If a request disappears without
//! a decision, the texts for the request are added to the prompt history.

use super::{Approvals, RequestView, Step, Waiting};
use crate::diff_view::DiffView;
use crate::panes::prompt::SAVE_AFTER_MS;
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_domain::review::Review;

#[derive(Default)]
pub(crate) struct Texts {
    saved: String,
    save_at: Option<Time>,
    homeless: Vec<String>,
}

impl Approvals {
    pub(crate) fn goes_undecided(&mut self, call: &CallId) {
        let gone = self.waiting.iter().find(|waiting| waiting.request.call == *call);
        let texts = gone.map(Waiting::texts).unwrap_or_default();
        self.rescue(texts);
    }

    pub(super) fn rescue(&mut self, texts: Vec<String>) {
        self.texts.homeless.extend(texts);
    }

    pub(crate) fn take_homeless(&mut self) -> Vec<String> {
        std::mem::take(&mut self.texts.homeless)
    }

    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.saved.is_empty()
    }

    pub(crate) fn touched(&mut self, now: Time) {
        if !self.waiting.is_empty() || self.has_texts() {
            self.texts.save_at.get_or_insert(Time(now.0 + SAVE_AFTER_MS));
        }
    }

    pub(crate) fn save_at(&self) -> Option<Time> {
        self.texts.save_at
    }

    /// Returns all texts if they have changed since the last save and the save delay has elapsed.
    pub(crate) fn texts_due(&mut self, now: Time) -> Option<String> {
        self.texts.save_at.take_if(|at| *at <= now)?;
        let both = self.waiting.iter().chain(self.ahead.all());
        let texts = both.flat_map(Waiting::texts).collect::<Vec<_>>().join("\n\n");
        (texts != self.texts.saved).then(|| {
            self.texts.saved.clone_from(&texts);
            texts
        })
    }
}

impl Waiting {
    pub(super) fn texts(&self) -> Vec<String> {
        let steps = std::iter::once(&self.step).chain(self.put_by.iter().rev());
        let steps = steps.filter_map(|step| match step {
            Step::Reason(buffer) | Step::Comment { buffer, .. } => Some(buffer.expanded()),
            Step::Edit(editor) => Some(editor.new_lines()),
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => None,
        });
        let diff = self.diff().into_iter().flat_map(DiffView::texts);
        let answers = match (&self.view, &self.request.review) {
            (RequestView::Question(view), Review::Question(question)) => view.own_texts(question),
            _ => Vec::new(),
        };
        let texts = diff.chain(steps).chain(answers);
        texts.filter(|text| !text.trim().is_empty()).collect()
    }
}
