//! Texts that the person wrote for requests and did not send. They are saved like the draft of the prompt. The texts of a request that
//! goes without a decision become earlier prompts.

use super::{Approvals, RequestView, Step, Waiting};
use crate::app::diff_view::DiffView;
use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::domain::review::Review;

/// Texts are saved this long after a change, at the latest.
const SAVE_WITHIN_MS: i64 = 500;

#[derive(Default)]
pub(crate) struct Texts {
    /// The texts as they were saved last.
    saved: String,
    save_at: Option<Time>,
    /// Texts whose request is gone.
    homeless: Vec<String>,
}

impl Approvals {
    /// The request is gone without a decision of the person.
    pub(crate) fn goes_undecided(&mut self, call: &CallId) {
        let gone = self.waiting.iter().find(|waiting| waiting.request.call == *call);
        let texts = gone.map(Waiting::texts).unwrap_or_default();
        self.rescue(texts);
    }

    pub(super) fn rescue(&mut self, texts: Vec<String>) {
        self.texts.homeless.extend(texts);
    }

    /// Texts whose request is gone, each once.
    pub(crate) fn take_homeless(&mut self) -> Vec<String> {
        std::mem::take(&mut self.texts.homeless)
    }

    /// Whether any text is saved.
    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.saved.is_empty()
    }

    /// A key or a message may have changed a text.
    pub(crate) fn touched(&mut self, now: Time) {
        if !self.waiting.is_empty() || self.has_texts() {
            self.texts.save_at.get_or_insert(Time(now.0 + SAVE_WITHIN_MS));
        }
    }

    pub(crate) fn save_at(&self) -> Option<Time> {
        self.texts.save_at
    }

    /// All texts together, where they differ from what was saved last and it is time.
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
    /// The texts that the person wrote for it, sent or not.
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
