//! Steps before a decision: choosing the scope of "Always allow", writing a reason or a comment, editing the proposal.

use ratatui::layout::Rect;

use super::{Always, Laid, RequestView, Waiting};
use crate::dialogs::editor::Editor;
use crate::layout::padded;
use crate::panes::prompt::buffer::Buffer;
use benchdog_base::text::wrap;
use benchdog_diff::Line;
use benchdog_domain::permission::{BUILT_IN, Because};
use benchdog_keys::action::{ApprovalAction, CommentAction, ConfirmAction, EditorAction, QuestionAction, ReasonAction};
use benchdog_keys::{Action, Scope as KeyScope};
use benchdog_lang::{self as lang, Word, word};

const REASON_ROWS: usize = 2;

/// Number of rows of the request that stay visible above a step.
const BESIDE_STEP: u16 = 3;

/// Reduced height of a step while the user writes a text below changes: the heading and the row of the cursor.
const LOW_STEP: u16 = 2;
const BESIDE_LOW_STEP: u16 = 2;

pub enum Step {
    Deciding,
    /// Shows the scopes of "Always allow", until `y` or Enter confirms.
    ConfirmAlways(Always),
    Reason(Buffer),
    Why,
    Comment {
        at: (usize, Line),
        buffer: Buffer,
    },
    Edit(Box<Editor>),
}

impl Waiting {
    /// Leaves the step and stores the unfinished text. Opening the same step again restores the text.
    pub(crate) fn put_by(&mut self) {
        match std::mem::replace(&mut self.step, Step::Deciding) {
            Step::Deciding | Step::Why | Step::ConfirmAlways(_) => {}
            Step::Edit(editor) if !editor.is_changed() => {}
            Step::Reason(buffer) | Step::Comment { buffer, .. } if buffer.expanded().trim().is_empty() => {}
            step @ (Step::Reason(_) | Step::Comment { .. } | Step::Edit(_)) => self.put_by.push(step),
        }
    }

    /// Leaves a step without storing a text, and restores the scroll position of the request.
    pub(crate) fn leave_step(&mut self) {
        self.step = Step::Deciding;
        self.stand_beside_step();
    }

    /// Scrolls the changes so that a step fits below them. Stores the scroll position, which is restored after the
    /// step. The editor needs no scrolling, because the editor replaces the changes.
    pub(crate) fn stand_beside_step(&mut self) {
        let RequestView::Files(view) = &mut self.view else {
            return;
        };
        match self.step {
            Step::Deciding => view.stand_again(),
            Step::ConfirmAlways(_) | Step::Reason(_) | Step::Comment { .. } | Step::Why => view.give_way(),
            Step::Edit(_) => {}
        }
    }

    pub(crate) fn begin(&mut self, wanted: Step) {
        let is_it = |left: &Step| match (left, &wanted) {
            (Step::Reason(_), Step::Reason(_)) => true,
            (Step::Comment { at, .. }, Step::Comment { at: wanted, .. }) => at == wanted,
            (Step::Edit(left), Step::Edit(wanted)) => left.file == wanted.file && left.is_of(wanted),
            _ => false,
        };
        let left = self.put_by.iter().rposition(is_it).map(|at| self.put_by.remove(at));
        self.step = left.unwrap_or(wanted);
    }

    pub(crate) fn forget_edits(&mut self, file: usize) {
        self.put_by
            .retain(|step| !matches!(step, Step::Edit(editor) if editor.file == file));
    }

    pub(crate) fn scope(&self) -> KeyScope {
        match (&self.step, &self.view) {
            (Step::Reason(_), _) => KeyScope::Reason,
            (Step::Comment { .. }, _) => KeyScope::Comment,
            (Step::Edit(_), _) => KeyScope::Editor,
            (Step::ConfirmAlways(_), _) => KeyScope::Confirm,
            (Step::Deciding | Step::Why, RequestView::Question(view)) if view.on_own() => KeyScope::Answer,
            (Step::Deciding | Step::Why, RequestView::Question(_)) => KeyScope::Options,
            (Step::Deciding | Step::Why, RequestView::Files(_)) => KeyScope::Proposal,
            (Step::Deciding | Step::Why, RequestView::Rows { .. } | RequestView::Unseen) => KeyScope::Approval,
        }
    }

    pub(crate) fn back(&self) -> Action {
        match (&self.step, &self.view) {
            (Step::Reason(_), _) => Action::Reason(ReasonAction::Back),
            (Step::Comment { .. }, _) => Action::Comment(CommentAction::Back),
            (Step::Edit(_), _) => Action::Editor(EditorAction::Back),
            (Step::ConfirmAlways(_), _) => Action::Confirm(ConfirmAction::Back),
            (Step::Deciding | Step::Why, RequestView::Question(_)) => Action::Question(QuestionAction::Leave),
            (Step::Deciding | Step::Why, _) => Action::Approval(ApprovalAction::Leave),
        }
    }

    pub(crate) fn text(&mut self) -> Option<&mut Buffer> {
        match (&mut self.step, &mut self.view) {
            (Step::Reason(buffer) | Step::Comment { buffer, .. }, _) => Some(buffer),
            (Step::Edit(editor), _) => Some(&mut editor.buffer),
            (Step::Deciding | Step::Why, RequestView::Question(view)) => {
                view.page_mut().filter(|page| page.on_own()).map(|page| &mut page.own)
            }
            (Step::Deciding | Step::Why | Step::ConfirmAlways(_), _) => None,
        }
    }

    pub(crate) fn takes_text(&self) -> bool {
        match (&self.step, &self.view) {
            (Step::Reason(_) | Step::Comment { .. } | Step::Edit(_), _) => true,
            (Step::Deciding | Step::Why, RequestView::Question(view)) => view.on_own(),
            (Step::Deciding | Step::Why | Step::ConfirmAlways(_), _) => false,
        }
    }

    pub fn text_area(&self, body: Rect) -> Option<Rect> {
        let (_, step) = self.split(body);
        let step = padded(step);
        let y = step.y.saturating_add(1).min(step.bottom());
        let height = step.height.saturating_sub(1).max(1);
        let area = Rect { y, height, ..step };
        match &self.step {
            Step::Reason(_) | Step::Comment { .. } => Some(area),
            Step::Edit(editor) => {
                let gutter = editor.gutter().min(area.width);
                Some(Rect {
                    x: area.x + gutter,
                    width: area.width - gutter,
                    height: if editor.find.is_some() {
                        height.saturating_sub(1).max(1)
                    } else {
                        height
                    },
                    ..area
                })
            }
            Step::Deciding | Step::ConfirmAlways(_) | Step::Why => None,
        }
    }

    pub fn heading(&self) -> String {
        match (&self.step, &self.view) {
            (Step::Reason(_), _) => word(Word::WhyNot).to_owned(),
            (Step::Comment { at, .. }, RequestView::Files(view)) => view
                .place_of(*at)
                .map(|(path, line)| lang::comment_on(path, line))
                .unwrap_or_default(),
            (Step::ConfirmAlways(always), _) => always.heading(),
            (Step::Why, _) => match &self.request.verdict.because {
                Because::Rule(rule) if rule.origin == BUILT_IN && rule.pattern == "*" => {
                    lang::message::approval_default_rule(&rule.key)
                }
                because => {
                    let (asks, because) = (word(Word::ThisRuleAsks), lang::because(because));
                    let set_by = lang::comes_from(self.request.verdict.layer);
                    format!("{asks}\n    {because}\n{set_by}")
                }
            },
            (Step::Deciding | Step::Edit(_) | Step::Comment { .. }, _) => String::new(),
        }
    }

    pub(super) fn step_rows(&self, width: u16) -> u16 {
        let heading = self.heading();
        let columns = usize::from(width.max(1));
        let heading = heading.lines().map(|line| wrap(line, columns).len()).sum::<usize>();
        let below = match &self.step {
            Step::Deciding => return 0,
            // The editor replaces the diff, so the editor may use all rows.
            Step::Edit(_) => return u16::MAX / 2,
            Step::Reason(_) | Step::Comment { .. } => REASON_ROWS,
            Step::ConfirmAlways(always) => always.rows(width).len(),
            Step::Why => 0,
        };
        u16::try_from(heading + below).unwrap_or(u16::MAX / 2)
    }

    pub(crate) fn grant(&self, body: Option<Rect>) -> Option<Laid> {
        let Step::ConfirmAlways(always) = &self.step else {
            return None;
        };
        let area = self.grant_area(body?);
        Some(always.laid(area.width, area.height))
    }

    pub(crate) fn grant_area(&self, body: Rect) -> Rect {
        padded(self.split(body).1)
    }

    fn writes_of_lines(&self) -> bool {
        let few = matches!(self.step, Step::Reason(_) | Step::Comment { .. });
        few && matches!(self.view, RequestView::Files(_))
    }

    fn grants_briefly(&self, width: u16, height: u16) -> bool {
        let of_lines = matches!(self.view, RequestView::Files(_));
        matches!(&self.step, Step::ConfirmAlways(always) if of_lines && always.laid(width, height).fits)
    }

    /// Returns the height for the scopes of "Always allow", at most `most`. Reserves the rows of the current hunk,
    /// unless the chosen scope would then be hidden.
    fn grant_rows(&self, width: u16, height: u16, most: u16) -> u16 {
        match (&self.step, &self.view) {
            (Step::ConfirmAlways(always), RequestView::Files(view)) => {
                let left = height.saturating_sub(view.hunk_rows(height));
                most.min(left.max(always.least(width)))
            }
            _ => most,
        }
    }

    /// Splits the area into the request and its step. If the area is too low for both, the step takes all rows.
    pub fn split(&self, body: Rect) -> (Rect, Rect) {
        let width = padded(body).width;
        let beside = body.height.saturating_sub(BESIDE_LOW_STEP);
        let rows = match self.step_rows(width) {
            0 => 0,
            wanted if body.height >= wanted + BESIDE_STEP => wanted,
            _ if self.writes_of_lines() && beside >= LOW_STEP => LOW_STEP,
            _ if self.grants_briefly(width, beside) => self.grant_rows(width, body.height, beside),
            _ => body.height,
        };
        let about = Rect {
            height: body.height - rows,
            ..body
        };
        (
            about,
            Rect {
                y: about.bottom(),
                height: rows,
                ..body
            },
        )
    }
}
