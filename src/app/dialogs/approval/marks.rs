//! What the person made of requests that wait, as it is kept and comes back: marks, comments and texts, and never a decision.

use std::sync::Arc;

use super::print::print;
use super::{Approvals, RequestView, Step, Waiting};
use crate::app::dialogs::editor::Editor;
use crate::app::diff_view::file::{line_of, marked_line};
use crate::app::diff_view::{DiffFile, DiffView};
use crate::app::panes::prompt::buffer::Buffer;
use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::domain::marked::{Marked, MarkedAnswers, Writing};
use crate::domain::review::Review;

/// They are kept when the person pauses this long …
const KEPT_AFTER_MS: i64 = 200;
/// … and this long after the first change at the latest.
const KEPT_WITHIN_MS: i64 = 1_000;

/// Of requests that went undecided, the newest.
const MOST_FOUND: usize = 8;

#[derive(Default)]
pub(crate) struct Marks {
    /// Of requests that are not here: what was found, and what went undecided.
    found: Vec<Marked>,
    /// As it was kept last.
    kept: Arc<[Marked]>,
    /// When it is looked at again, and since when it may be another.
    due: Option<(Time, Time)>,
    /// Some came back, which is not said yet.
    came_back: bool,
    /// Those of calls that are asked about again and would do something else by now.
    outdated: Vec<Marked>,
    /// Some of what did not fit last is of a request that waits.
    is_asked_anew: bool,
}

impl Marks {
    /// Texts for which there is no place any more.
    pub(super) fn outdated(&mut self, marked: Option<Marked>) {
        self.outdated.extend(marked);
    }
}

impl Approvals {
    /// What was kept of an earlier run.
    pub(crate) fn found(&mut self, marks: Vec<Marked>) {
        self.marks.kept = marks.clone().into();
        self.marks.found = marks;
        self.recall();
    }

    /// Another session is here.
    pub(crate) fn forget_marks(&mut self) {
        self.marks = Marks::default();
    }

    /// A request goes without a decision of the person: what they made of it stays for when the same is proposed again.
    pub(crate) fn goes_undecided(&mut self, call: &CallId) {
        let gone = self.waiting.iter().find(|waiting| waiting.request.call == *call);
        let marked = gone.and_then(Waiting::marked);
        self.found_again(marked);
    }

    /// One that was only looked at is not what it was.
    pub(super) fn keep_marks(&mut self, gone: &Waiting) {
        self.found_again(gone.marked());
    }

    fn found_again(&mut self, marked: Option<Marked>) {
        if let Some(marked) = marked {
            self.marks.found.retain(|found| found.of != marked.of);
            self.marks.found.push(marked);
            let more = self.marks.found.len().saturating_sub(MOST_FOUND);
            self.marks.found.drain(..more);
        }
    }

    /// What was made of the one in front before comes back, where it is the same.
    pub(super) fn recall(&mut self) {
        if self.marks.found.is_empty() {
            return;
        }
        // What is only looked at has its marks, and says nothing yet of those that do not fit it.
        let is_asked = !self.looks_ahead();
        let Some(shown) = self.on_screen() else { return };
        let both = self.waiting.iter_mut().chain(self.ahead.all_mut());
        let Some(front) = both.into_iter().find(|front| front.request.call == shown) else {
            return;
        };
        let of = print(&front.request);
        if let Some(at) = self.marks.found.iter().rposition(|found| found.of == of)
            && !front.is_marked()
        {
            front.restore(self.marks.found.remove(at));
            self.marks.came_back = true;
        }
        let call = &front.request.call;
        let is_outdated = |found: &mut Marked| is_asked && found.call == *call && found.of != of && !found.is_laid_open;
        for found in self.marks.found.iter_mut() {
            if is_outdated(found) {
                found.is_laid_open = true;
                self.marks.outdated.push(found.clone());
            }
        }
    }

    /// What does not fit its request any more, once.
    pub(crate) fn outdated_marks(&mut self) -> Vec<Marked> {
        let outdated = std::mem::take(&mut self.marks.outdated);
        if !outdated.is_empty() {
            self.marks.is_asked_anew = outdated.iter().any(|marked| self.knows(&marked.call));
        }
        outdated
    }

    /// Whether what was laid open last was written for what is asked about still, in another form; once.
    pub(crate) fn laid_open_beside(&mut self) -> bool {
        std::mem::take(&mut self.marks.is_asked_anew) && self.asks()
    }

    /// Whether marks came back, once.
    pub(crate) fn marks_came_back(&mut self) -> bool {
        std::mem::take(&mut self.marks.came_back)
    }

    /// Something was done: there may be more to keep, or less.
    pub(crate) fn touched(&mut self, now: Time) {
        if self.waiting.is_empty() && !self.has_marks() {
            return;
        }
        let since = self.marks.due.map_or(now, |(_, since)| since);
        let at = Time((now.0 + KEPT_AFTER_MS).min(since.0 + KEPT_WITHIN_MS));
        self.marks.due = Some((at, since));
    }

    /// Whether anything is kept, or is to be.
    pub(crate) fn has_marks(&self) -> bool {
        !self.marks.kept.is_empty() || !self.marks.found.is_empty()
    }

    pub(crate) fn marks_at(&self) -> Option<Time> {
        self.marks.due.map(|(at, _)| at)
    }

    /// What is to be kept in place of what was, when it is time.
    pub(crate) fn marks_due(&mut self, now: Time) -> Option<Arc<[Marked]>> {
        self.marks.due.take_if(|(at, _)| *at <= now)?;
        let both = self.waiting.iter().chain(self.ahead.all());
        let waiting: Vec<Marked> = both.filter_map(Waiting::marked).collect();
        if waiting.iter().chain(&self.marks.found).eq(self.marks.kept.iter()) {
            return None;
        }
        let found = self.marks.found.iter().cloned();
        self.marks.kept = waiting.into_iter().chain(found).collect();
        Some(Arc::clone(&self.marks.kept))
    }
}

impl Waiting {
    /// Whether anything was made of it.
    pub(super) fn is_marked(&self) -> bool {
        self.diff().is_some_and(DiffView::is_marked)
            || self.written().any(|step| self.writes_in(step))
            || self.answers().is_some()
    }

    pub(super) fn marked(&self) -> Option<Marked> {
        if !self.is_marked() {
            return None;
        }
        let (files, comments) = self.diff().map(|view| view.marked()).unwrap_or_default();
        Some(Marked {
            of: print(&self.request),
            call: self.request.call.clone(),
            files,
            comments,
            writing: self.written().find_map(|step| self.writing(step)),
            answers: self.answers(),
            is_laid_open: false,
        })
    }

    /// What was answered so far of what it asks.
    fn answers(&self) -> Option<MarkedAnswers> {
        match (&self.view, &self.request.review) {
            (RequestView::Question(view), Review::Question(question)) => view.marked(question),
            _ => None,
        }
    }

    /// Whether a step has a text of the person.
    fn writes_in(&self, step: &Step) -> bool {
        match step {
            Step::Reason(buffer) | Step::Comment { buffer, .. } => !buffer.expanded().trim().is_empty(),
            Step::Edit(editor) => editor.is_changed() && self.edited_file(editor).is_some(),
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => false,
        }
    }

    fn edited_file(&self, editor: &Editor) -> Option<&DiffFile> {
        self.diff()?.files.get(editor.file)
    }

    /// That text.
    fn writing(&self, step: &Step) -> Option<Writing> {
        if !self.writes_in(step) {
            return None;
        }
        match step {
            Step::Reason(buffer) => Some(Writing::Reason(buffer.expanded())),
            Step::Comment {
                at: (file, line),
                buffer,
            } => Some(Writing::Comment {
                file: *file,
                line: marked_line(*line),
                text: buffer.expanded(),
            }),
            Step::Edit(editor) => Some(Writing::Edit {
                file: editor.file,
                path: self.edited_file(editor)?.path.clone(),
                text: editor.text(),
                around: editor.around(),
                caret: editor.buffer.before_caret().len(),
            }),
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => None,
        }
    }

    fn restore(&mut self, marked: Marked) {
        match (&mut self.view, marked.answers) {
            (RequestView::Files(view), _) => view.restore(marked.files, marked.comments),
            (RequestView::Question(view), Some(answers)) => view.restore(answers),
            (RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen, _) => {}
        }
        let written = |text: &str| {
            let mut buffer = Buffer::default();
            buffer.insert(text);
            buffer
        };
        match marked.writing {
            Some(Writing::Reason(text)) => self.step = Step::Reason(written(&text)),
            Some(Writing::Comment { file, line, text }) => {
                self.step = Step::Comment {
                    at: (file, line_of(line)),
                    buffer: written(&text),
                };
            }
            Some(Writing::Edit {
                file,
                text,
                around,
                caret,
                ..
            }) => self.edit_again(file, text, (around, caret)),
            None => {}
        }
    }

    /// The editor as it was; where it is about other lines by now, its text takes the place of the proposal.
    fn edit_again(&mut self, file: usize, text: String, (around, caret): (usize, usize)) {
        let RequestView::Files(view) = &mut self.view else {
            return;
        };
        let proposal = view.files.get(file).and_then(|diff| diff.proposal());
        let editor = proposal.and_then(|proposal| Editor::open(file, &proposal, around));
        let editor = editor.and_then(|mut editor| editor.write_again(&text, caret).then_some(editor));
        match editor {
            Some(editor) => self.step = Step::Edit(Box::new(editor)),
            None => view.replace(file, text),
        }
    }
}
