//! The row of keys of a request, and where each of them stands: the way in while the keyboard is outside, the letters while it is inside.

use ratatui::layout::Rect;

use super::{Alone, RequestView, Step, Waiting};
use crate::app::dialogs::question::QuestionView;
use crate::app::state::State;
use crate::base::text::width;
use crate::domain::permission::CommandClass;
use crate::domain::review::Review;
use crate::keys::Action;
use crate::keys::action::{
    ApprovalAction, CommentAction, ConfirmAction, DiffAction, EditorAction, FindAction, GlobalAction, OptionsAction,
    ProposalAction, QuestionAction, ReasonAction,
};
use crate::lang::{self, Word, word};
use crate::transcript::Mark;

/// One key and its words; `decides`: a letter that counts only when the dialog is quiet.
struct Hint {
    action: Action,
    key: String,
    text: &'static str,
    /// The words where the row is narrow.
    short: &'static str,
    decides: bool,
}

/// A key as it stands in the row.
pub(crate) struct Placed {
    pub(crate) x: u16,
    pub(crate) end: u16,
    pub(crate) action: Action,
    pub(crate) key: String,
    pub(crate) text: &'static str,
    pub(crate) look: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    /// It decides, and would not count yet.
    Asleep,
    /// It was pressed, and counts where it stays alone.
    Pressed,
}

/// Columns of a window in which the keys of what would be allowed from now on have room.
const ROOM_FOR_ALL: u16 = 60;

fn columns(text: &str) -> u16 {
    u16::try_from(width(text)).unwrap_or(u16::MAX)
}

/// As many keys as fit whole in the row.
pub(crate) fn placed(state: &State, waiting: &Waiting, row: Rect) -> Vec<Placed> {
    // What would be granted is read first.
    let grant = waiting.grant(state.layout.approval_body);
    let lit = state.approvals.lit(state.now) && grant.as_ref().is_none_or(|grant| grant.is_whole);
    let mut hints = hints(state, waiting, row.width);
    // A person may have taken the key of an action away.
    hints.retain(|hint| !hint.key.is_empty());
    let whole: u16 = hints
        .iter()
        .map(|hint| columns(&hint.key) + columns(hint.text) + 4)
        .sum();
    let (narrow, gap) = if whole > row.width { (true, 2) } else { (false, 3) };
    let pressed = state.approvals.pressed();
    let pressed = pressed.filter(|pressed| pressed.alone == Alone::Counts);
    let pressed = pressed.map(|pressed| pressed.action);
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
            look: match hint.decides && !lit {
                _ if pressed == Some(hint.action) => Look::Pressed,
                true => Look::Asleep,
                false => Look::Plain,
            },
        });
        x = end + gap;
    }
    placed
}

fn hints(state: &State, waiting: &Waiting, room: u16) -> Vec<Hint> {
    let hint = |action: Action, text| Hint::of(state, action, text, text);
    if !state.approvals.has_keyboard() {
        return outside(state, waiting, room);
    }
    let finds = match &waiting.step {
        Step::Edit(editor) => editor.find.is_some(),
        _ => waiting.diff().is_some_and(|diff| diff.find.is_some()),
    };
    if finds {
        return vec![
            hint(Action::Find(FindAction::Go), word(Word::KeyNext)),
            hint(Action::Find(FindAction::Previous), word(Word::KeyPrevious)),
            hint(Action::Find(FindAction::Close), word(Word::KeyClose)),
        ];
    }
    match &waiting.step {
        Step::Reason(_) => vec![
            hint(Action::Reason(ReasonAction::Send), word(Word::DenyWithThis)),
            hint(waiting.back(), word(Word::KeyBack)),
        ],
        Step::Comment { .. } => vec![
            hint(Action::Comment(CommentAction::Keep), word(Word::KeepComment)),
            hint(waiting.back(), word(Word::KeyBack)),
        ],
        Step::Edit(_) => vec![
            hint(Action::Editor(EditorAction::Keep), word(Word::ProposeThis)),
            hint(Action::Editor(EditorAction::Find), word(Word::KeyFind)),
            hint(Action::Editor(EditorAction::Outside), word(Word::GoOnOutside)),
            hint(waiting.back(), word(Word::KeyBack)),
        ],
        Step::ConfirmAlways(always) => {
            let grants = Action::Confirm(ConfirmAction::Grant);
            let grants = Hint::of(state, grants, word(Word::AllowFromNowOn), word(Word::Allow));
            let mut out = if state.approvals.is_kept() {
                vec![hint(Action::Global(GlobalAction::Approvals), word(Word::EnterToAllow))]
            } else {
                vec![Hint {
                    decides: true,
                    ..grants
                }]
            };
            let grant = waiting.grant(state.layout.approval_body);
            let goes_on = grant.is_some_and(|grant| grant.goes_on);
            // Where there is little room, what leads on and what leads out come first.
            if always.chosen > 0 && !(goes_on && state.width < ROOM_FOR_ALL) {
                out.push(hint(Action::Confirm(ConfirmAction::Less), word(Word::AllowLess)));
            }
            if goes_on {
                out.push(hint(Action::Confirm(ConfirmAction::More), word(Word::KeyReadOn)));
            } else if always.chosen + 1 < always.scopes.len() {
                out.push(hint(Action::Confirm(ConfirmAction::More), word(Word::AllowMore)));
            }
            out.push(hint(Action::Confirm(ConfirmAction::Lasts), word(Word::AllowLasts)));
            out.push(hint(waiting.back(), word(Word::KeyBack)));
            if state.width < ROOM_FOR_ALL {
                // What does not fit is left out: not the way back.
                let last = out.len() - 1;
                out.swap(last - 1, last);
            }
            out
        }
        Step::Why => vec![hint(waiting.back(), word(Word::KeyBack))],
        Step::Deciding => match &waiting.view {
            RequestView::Question(view) => question(state, waiting, view),
            view => deciding(state, waiting, view),
        },
    }
}

fn question(state: &State, waiting: &Waiting, view: &QuestionView) -> Vec<Hint> {
    let hint = |action, text| Hint::of(state, action, text, text);
    let enter = match view.page() {
        Some(page) if page.would_decline() => Word::KeyAnswer,
        Some(_) if view.has_pages() => Word::KeyNext,
        Some(_) => Word::KeyAnswer,
        None => Word::SendAnswers,
    };
    let mut out = vec![Hint {
        decides: true,
        ..hint(Action::Question(QuestionAction::Send), word(enter))
    }];
    // While an answer is typed, the space bar types a space.
    if !view.on_own() {
        let what = if view.page().is_some() {
            Word::Choose
        } else {
            Word::Change
        };
        out.push(hint(Action::Options(OptionsAction::Toggle), word(what)));
    }
    if view.page().is_some_and(|page| page.last_scroll > 0) {
        out.push(hint(Action::Question(QuestionAction::PageDown), word(Word::KeyReadOn)));
    }
    if view.has_pages() {
        out.push(hint(Action::Question(QuestionAction::Next), word(Word::OtherQuestions)));
    }
    out.push(Hint::of(
        state,
        waiting.back(),
        word(Word::BackToPrompt),
        word(Word::KeyPrompt),
    ));
    out
}

impl Hint {
    fn of(state: &State, action: Action, text: &'static str, short: &'static str) -> Self {
        Self {
            action,
            key: state.keymap.hint(action),
            text,
            short,
            decides: false,
        }
    }
}

fn outside(state: &State, waiting: &Waiting, room: u16) -> Vec<Hint> {
    let keys = state.keymap.keys_of(Action::Global(GlobalAction::Approvals));
    let keys: Vec<String> = keys.iter().map(|chord| chord.shown()).collect();
    let question = matches!(waiting.request.review, Review::Question(_));
    let what = word(if question { Word::KeyAnswer } else { Word::KeyReview });
    let enters = |key: String, text| Hint {
        key,
        ..Hint::of(state, Action::Global(GlobalAction::Approvals), text, text)
    };
    let mut out = vec![enters(lang::either(&keys), what)];
    if let Some(why) = waiting.said_to_stay_out().map(word) {
        let review = out.iter().map(|hint| columns(&hint.key) + columns(hint.text) + 4);
        let sign = Mark::Waiting.sign();
        match keys.first() {
            Some(key) if review.sum::<u16>() + columns(sign) + columns(why) + 2 > room => {
                // The bottom row names what the key does.
                let brief = enters(key.clone(), why);
                if columns(&brief.key) + columns(why) + 2 <= room {
                    out = vec![brief];
                }
            }
            Some(_) | None => out.push(enters(sign.to_owned(), why)),
        }
    }
    if state.terminal.kitty && !question && !waiting.request.verdict.class.is_some_and(CommandClass::is_grave) {
        if !waiting.keeps_nothing() {
            out.push(Hint::of(
                state,
                Action::Global(GlobalAction::OnceNow),
                word(Word::AllowOnce),
                word(Word::Allow),
            ));
        }
        out.push(Hint::of(
            state,
            Action::Global(GlobalAction::DenyNow),
            word(Word::Deny),
            word(Word::Deny),
        ));
    }
    out
}

fn deciding(state: &State, waiting: &Waiting, view: &RequestView) -> Vec<Hint> {
    let mut out = Vec::new();
    let mut add = |action: Action, text: Word, short: Word, decides| {
        out.push(Hint {
            decides,
            ..Hint::of(state, action, word(text), word(short))
        });
    };
    let files = match view {
        RequestView::Files(diff) => Some(diff),
        RequestView::Rows { .. } | RequestView::Question(_) | RequestView::Unseen => None,
    };
    let hunks = files.map_or(0, |diff| diff.files.iter().map(|file| file.kept.len()).sum::<usize>());
    // What is not kept cannot be allowed: what is left says why.
    let nothing = waiting.keeps_nothing();
    if !nothing {
        let once = if hunks > 1 { Word::AllowKept } else { Word::AllowOnce };
        add(Action::Approval(ApprovalAction::Once), once, Word::Allow, true);
    }
    let deny = if nothing { Word::DenyNothingKept } else { Word::Deny };
    add(Action::Approval(ApprovalAction::Deny), deny, deny, true);
    add(
        Action::Approval(ApprovalAction::DenyReason),
        Word::DenyReason,
        Word::Reason,
        true,
    );
    if files.is_some() {
        if hunks > 0 {
            add(
                Action::Proposal(ProposalAction::KeepOrDrop),
                Word::KeepOrDrop,
                Word::Keep,
                true,
            );
        }
        add(Action::Proposal(ProposalAction::Edit), Word::Edit, Word::Edit, true);
        let comment = Action::Proposal(ProposalAction::Comment);
        add(comment, Word::Comment, Word::Comment, false);
    }
    if !nothing && waiting.always().is_some() {
        add(
            Action::Approval(ApprovalAction::Always),
            Word::Always,
            Word::Always,
            true,
        );
    }
    add(Action::Approval(ApprovalAction::Why), Word::Why, Word::Why, false);
    if hunks > 0 {
        let line = Action::Proposal(ProposalAction::KeepOrDropLine);
        add(line, Word::DropLine, Word::DropLine, true);
    }
    if files.is_some_and(|diff| diff.files.len() > 1) {
        let file = Action::Proposal(ProposalAction::KeepOrDropFile);
        add(file, Word::DropFile, Word::DropFile, true);
    }
    if hunks > 0 {
        add(Action::Diff(DiffAction::Find), Word::KeyFind, Word::KeyFind, false);
        add(Action::Diff(DiffAction::Fold), Word::KeyFold, Word::KeyFold, false);
    }
    if state.approvals.looks_ahead() {
        // It is decided in its turn: what leads there stands in the place of what decides.
        out.retain(|hint| !matches!(hint.action, Action::Approval(action) if Action::Approval(action).decides()));
        let leads = [
            (ApprovalAction::Previous, Word::KeyPrevious),
            (ApprovalAction::Next, Word::KeyNext),
        ];
        let leads = leads.map(|(action, text)| Hint::of(state, Action::Approval(action), word(text), word(text)));
        out.splice(0..0, leads);
    }
    out
}
