//! The key hints of a request, and their positions.

use ratatui::layout::Rect;

use crate::dialogs::approval::{Always, Armed, Laid, Reading, RequestView, Step, Waiting};
use crate::dialogs::question::QuestionView;
use crate::state::State;
use benchdog_base::text::screen_columns as columns;
use benchdog_domain::review::Review;
use benchdog_keys::Action;
use benchdog_keys::action::{
    ApprovalAction, CommentAction, ConfirmAction, DiffAction, EditorAction, FindAction, GlobalAction, OptionsAction,
    ProposalAction, QuestionAction, ReasonAction,
};
use benchdog_lang::{self as lang, Word, word};

struct Hint {
    action: Action,
    key: String,
    text: &'static str,
    short: &'static str,
}

impl Hint {
    fn of(state: &State, action: Action, text: Word, short: Word) -> Self {
        Self {
            action,
            key: state.keymap.hint(action),
            text: word(text),
            short: word(short),
        }
    }

    fn one(state: &State, action: Action, text: Word) -> Self {
        Self::of(state, action, text, text)
    }
}

pub struct Placed {
    pub x: u16,
    pub end: u16,
    pub action: Action,
    pub key: String,
    pub text: &'static str,
    pub look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Plain,
    Disabled,
    /// The key was pressed too early. Its action is applied when the request was visible long enough.
    Pressed,
}

const ROOM_FOR_ALL: u16 = 60;

pub fn placed(state: &State, waiting: &Waiting, row: Rect) -> Vec<Placed> {
    let grant = waiting.grant(state.layout.approval_body);
    let reading = waiting.reading_of(grant.as_ref(), state.layout.approval_body);
    let mut hints = hints(state, waiting, (reading, grant.as_ref()));
    // An action without a key has no hint.
    hints.retain(|hint| !hint.key.is_empty());
    let whole: u16 = hints
        .iter()
        .map(|hint| columns(&hint.key) + columns(hint.text) + 4)
        .sum();
    let (narrow, gap) = if whole > row.width { (true, 2) } else { (false, 3) };
    let early = state.screen.approvals.early();
    let is_disabled = |action: Action| {
        let is_unread = reading != Reading::Done && allows(action);
        is_unread || action.decides() && state.screen.approvals.armed(action, state.now) != Armed::Now
    };
    let mut x = row.x + 1;
    let mut placed = Vec::new();
    for hint in hints {
        let text = if narrow { hint.short } else { hint.text };
        let end = x + columns(&hint.key) + 1 + columns(text);
        if end > row.right() {
            break;
        }
        placed.push(Placed {
            x,
            end,
            action: hint.action,
            key: hint.key,
            text,
            look: match early == Some(hint.action) {
                true => Look::Pressed,
                false if is_disabled(hint.action) => Look::Disabled,
                false => Look::Plain,
            },
        });
        x = end + gap;
    }
    placed
}

fn allows(action: Action) -> bool {
    matches!(
        action,
        Action::Approval(ApprovalAction::Once | ApprovalAction::Confined | ApprovalAction::Always)
            | Action::Confirm(ConfirmAction::Grant)
    )
}

fn hints(state: &State, waiting: &Waiting, (reading, grant): (Reading, Option<&Laid>)) -> Vec<Hint> {
    if !state.screen.approvals.has_focus() {
        return outside(state, waiting, reading);
    }
    let hint = |action, text| Hint::one(state, action, text);
    if finds(waiting) {
        return vec![
            hint(Action::Find(FindAction::Go), Word::KeyNext),
            hint(Action::Find(FindAction::Previous), Word::KeyPrevious),
            hint(Action::Find(FindAction::Close), Word::KeyClose),
        ];
    }
    let back = || hint(waiting.back(), Word::KeyBack);
    match &waiting.step {
        Step::Reason(_) => vec![hint(Action::Reason(ReasonAction::Send), Word::DenyWithThis), back()],
        Step::Comment { .. } => vec![hint(Action::Comment(CommentAction::Keep), Word::KeepComment), back()],
        Step::Edit(_) => vec![
            hint(Action::Editor(EditorAction::Keep), Word::ProposeThis),
            hint(Action::Editor(EditorAction::Find), Word::KeyFind),
            hint(Action::Editor(EditorAction::Outside), Word::GoOnOutside),
            back(),
        ],
        Step::ConfirmAlways(always) => confirming(state, always, grant, back()),
        Step::Why => vec![back()],
        Step::Deciding => match &waiting.view {
            RequestView::Question(view) => question(state, waiting, view),
            view => deciding(state, waiting, view, reading),
        },
    }
}

fn finds(waiting: &Waiting) -> bool {
    match &waiting.step {
        Step::Edit(editor) => editor.find.is_some(),
        _ => waiting.diff().is_some_and(|diff| diff.find.is_some()),
    }
}

fn confirming(state: &State, always: &Always, grant: Option<&Laid>, back: Hint) -> Vec<Hint> {
    let hint = |action, text| Hint::one(state, action, text);
    let grants = Action::Confirm(ConfirmAction::Grant);
    let mut out = match state.screen.approvals.armed(grants, state.now) {
        Armed::NotEntered => vec![hint(Action::Global(GlobalAction::Approvals), Word::EnterToAllow)],
        Armed::Now | Armed::Soon | Armed::Later => vec![Hint::of(state, grants, Word::AllowFromNowOn, Word::Allow)],
    };
    let goes_on = grant.is_some_and(|grant| grant.goes_on);
    // In narrow windows, the key for scrolling on takes precedence over the key for the previous scope.
    if always.chosen > 0 && !(goes_on && state.width < ROOM_FOR_ALL) {
        out.push(hint(Action::Confirm(ConfirmAction::Less), Word::AllowLess));
    }
    if goes_on {
        out.push(hint(Action::Confirm(ConfirmAction::More), Word::KeyReadOn));
    } else if always.chosen + 1 < always.scopes.len() {
        out.push(hint(Action::Confirm(ConfirmAction::More), Word::AllowMore));
    }
    let lasts = hint(Action::Confirm(ConfirmAction::Lasts), Word::AllowLasts);
    // Keys at the end are omitted if they do not fit. In narrow windows, the key to go back therefore comes earlier.
    out.extend(if state.width < ROOM_FOR_ALL {
        [back, lasts]
    } else {
        [lasts, back]
    });
    out
}

fn question(state: &State, waiting: &Waiting, view: &QuestionView) -> Vec<Hint> {
    let hint = |action, text| Hint::one(state, action, text);
    let enter = match view.page() {
        Some(page) if page.would_decline() => Word::KeyAnswer,
        Some(_) if view.has_pages() => Word::KeyNext,
        Some(_) => Word::KeyAnswer,
        None => Word::SendAnswers,
    };
    let mut out = vec![hint(Action::Question(QuestionAction::Send), enter)];
    // While the user types an answer, Space types a space.
    if !view.on_own() {
        let what = if view.page().is_some() {
            Word::Choose
        } else {
            Word::Change
        };
        out.push(hint(Action::Options(OptionsAction::Toggle), what));
    }
    if view.page().is_some_and(|page| page.last_scroll > 0) {
        out.push(hint(Action::Question(QuestionAction::PageDown), Word::KeyReadOn));
    }
    if view.has_pages() {
        out.push(hint(Action::Question(QuestionAction::Next), Word::OtherQuestions));
    }
    out.push(Hint::of(state, waiting.back(), Word::BackToPrompt, Word::KeyPrompt));
    out
}

fn outside(state: &State, waiting: &Waiting, reading: Reading) -> Vec<Hint> {
    let keys = state.keymap.keys_of(Action::Global(GlobalAction::Approvals));
    let keys: Vec<String> = keys.iter().map(|chord| chord.shown()).collect();
    let question = matches!(waiting.request.review, Review::Question(_));
    let what = if question { Word::KeyAnswer } else { Word::KeyReview };
    let mut out = vec![Hint {
        key: lang::either(&keys),
        ..Hint::one(state, Action::Global(GlobalAction::Approvals), what)
    }];
    if state.alt_decides && waiting.takes_chords() {
        if !waiting.keeps_nothing() && reading == Reading::Done {
            let once = Action::Global(GlobalAction::OnceNow);
            out.push(Hint::of(state, once, Word::AllowOnce, Word::Allow));
        }
        out.push(Hint::one(state, Action::Global(GlobalAction::DenyNow), Word::Deny));
    }
    out
}

fn deciding(state: &State, waiting: &Waiting, view: &RequestView, reading: Reading) -> Vec<Hint> {
    let hint = |action, text| Hint::one(state, action, text);
    let files = match view {
        RequestView::Files(diff) => Some(diff),
        RequestView::Rows { .. } | RequestView::Question(_) | RequestView::Unseen => None,
    };
    let hunks = files.map_or(0, |diff| diff.hunk_count());
    let mut out = answers(state, waiting, hunks);
    if state
        .screen
        .approvals
        .armed(Action::Approval(ApprovalAction::Once), state.now)
        == Armed::NotEntered
    {
        let enter = hint(Action::Global(GlobalAction::Approvals), Word::EnterToAllow);
        out.splice(..out.len().min(2), [enter]);
    }
    if reading == Reading::GoesOn && !state.screen.approvals.looks_ahead() {
        // Until everything was read, the key for scrolling is inserted after the first key.
        out.insert(1, hint(waiting.reads_on(), Word::KeyReadOn));
    }
    if files.is_some() {
        if hunks > 0 {
            let keep = Action::Proposal(ProposalAction::KeepOrDrop);
            out.push(Hint::of(state, keep, Word::KeepOrDrop, Word::Keep));
        }
        out.push(hint(Action::Proposal(ProposalAction::Edit), Word::Edit));
        out.push(hint(Action::Proposal(ProposalAction::Comment), Word::Comment));
    }
    if waiting.is_confinable() {
        let confined = Action::Approval(ApprovalAction::Confined);
        out.push(Hint::of(state, confined, Word::AllowConfined, Word::InSandbox));
    }
    if !waiting.keeps_nothing() && waiting.always().is_some() {
        out.push(hint(Action::Approval(ApprovalAction::Always), Word::Always));
    }
    out.push(hint(Action::Approval(ApprovalAction::Why), Word::Why));
    if hunks > 0 {
        out.push(hint(Action::Proposal(ProposalAction::KeepOrDropLine), Word::DropLine));
    }
    if files.is_some_and(|diff| diff.files.len() > 1) {
        out.push(hint(Action::Proposal(ProposalAction::KeepOrDropFile), Word::DropFile));
    }
    if hunks > 0 {
        out.push(hint(Action::Diff(DiffAction::Find), Word::KeyFind));
        out.push(hint(Action::Diff(DiffAction::Fold), Word::KeyFold));
    }
    if state.screen.approvals.looks_ahead() {
        // A preview cannot be decided. The hints show how to return to the pending request.
        let answers = [
            ApprovalAction::Once,
            ApprovalAction::Confined,
            ApprovalAction::Always,
            ApprovalAction::Deny,
            ApprovalAction::DenyReason,
        ];
        out.retain(|hint| !answers.map(Action::Approval).contains(&hint.action));
        let previous = hint(Action::Approval(ApprovalAction::Previous), Word::KeyPrevious);
        let next = hint(Action::Approval(ApprovalAction::Next), Word::KeyNext);
        out.splice(0..0, [previous, next]);
    }
    out
}

fn answers(state: &State, waiting: &Waiting, hunks: usize) -> Vec<Hint> {
    let reason = Action::Approval(ApprovalAction::DenyReason);
    let reason = Hint::of(state, reason, Word::DenyReason, Word::Reason);
    let deny = |text| Hint::one(state, Action::Approval(ApprovalAction::Deny), text);
    if waiting.keeps_nothing() {
        return vec![deny(Word::DenyNothingKept), reason];
    }
    let once = if hunks > 1 { Word::AllowKept } else { Word::AllowOnce };
    let once = Hint::of(state, Action::Approval(ApprovalAction::Once), once, Word::Allow);
    vec![once, deny(Word::Deny), reason]
}
