//! Actions of a review: deciding, opening the steps before a decision, and focusing or leaving the review.
//!
//! Before this module handles an action that decides, `keys` has checked that the request was visible long enough.

use crate::dialogs::approval::{Armed, Reading, RequestView, Step, Stepped, Waiting};
use crate::dialogs::editor::Editor;
use crate::dialogs::question::QuestionView;
use crate::diff_view::DiffView;
use crate::focus::{Holder, keyboard};
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::prompt::buffer::Buffer;
use crate::seats::{self, SeatRow, Standing};
use crate::state::State;
use benchdog_base::id::CallId;
use benchdog_base::text::truncate;
use benchdog_domain::permission::{Decision, Kept};
use benchdog_keys::Action;
use benchdog_keys::action::{ApprovalAction, ConfirmAction, GlobalAction, OptionsAction, QuestionAction, ReasonAction};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Delivery};

pub(super) fn approval(state: &mut State, action: ApprovalAction, ops: &mut Vec<Op>) {
    use ApprovalAction::{Always, Confined, Deny, DenyReason, Once};
    if matches!(action, Once | Confined | Always | Deny | DenyReason) && only_looks(state) {
        return;
    }
    match action {
        ApprovalAction::Confined if !state.screen.approvals.front().is_some_and(Waiting::is_confinable) => {
            state.offer(word(Word::NotInSandbox), false);
        }
        ApprovalAction::Once | ApprovalAction::Confined if asks_to_read(state) => {}
        ApprovalAction::Once => decide(state, ops, |kept| Decision::Once { kept }),
        ApprovalAction::Confined => decide(state, ops, |_| Decision::Confined),
        ApprovalAction::Always => always(state),
        ApprovalAction::Deny => decide(state, ops, |_| Decision::Deny { reason: None }),
        ApprovalAction::DenyReason => begin(state, Step::Reason(Buffer::default())),
        ApprovalAction::Why => set_step(state, Step::Why),
        ApprovalAction::Next => look_at(state, 1),
        ApprovalAction::Previous => look_at(state, -1),
        ApprovalAction::Leave => leave_by_key(state),
    }
}

fn look_at(state: &mut State, by: isize) {
    if state.screen.approvals.step_request(by) == Stepped::Nothing {
        let word = if by > 0 { Word::LastRequest } else { Word::FirstRequest };
        state.offer(benchdog_lang::word(word), false);
    }
}

/// Shows a message if the request is only a preview, which cannot be decided. Returns whether it is a preview.
pub(super) fn only_looks(state: &mut State) -> bool {
    let looks = state.screen.approvals.looks_ahead();
    if looks {
        let back = state.keymap.hint(Action::Approval(ApprovalAction::Previous));
        state.offer(lang::decided_in_order(&back), true);
    }
    looks
}

pub(super) fn confirm(state: &mut State, action: ConfirmAction, ops: &mut Vec<Op>) {
    if action == ConfirmAction::Grant && asks_to_read(state) {
        return;
    }
    let body = state.layout.approval_body;
    let front = state.screen.approvals.front();
    let area = front
        .zip(body)
        .map(|(waiting, body)| waiting.grant_area(body))
        .unwrap_or_default();
    let Step::ConfirmAlways(mut always) = take_step(state) else {
        return;
    };
    match action {
        ConfirmAction::Grant => return decide(state, ops, |kept| always.decision(kept)),
        ConfirmAction::Back => return,
        ConfirmAction::Less => always.less(),
        ConfirmAction::More => always.more(area.width, area.height),
        ConfirmAction::Lasts => always.lasts_other(),
    }
    set_step(state, Step::ConfirmAlways(always));
}

/// If the request was not read to its end, shows a message. Returns whether the message was shown.
pub(super) fn asks_to_read(state: &mut State) -> bool {
    let body = state.layout.approval_body;
    let Some(waiting) = state.screen.approvals.front_mut() else {
        return false;
    };
    match waiting.reading(body) {
        Reading::Done => return false,
        Reading::GoesOn => {
            waiting.go_to_unseen();
            let key = state.keymap.hint(waiting.reads_on());
            state.ask_to_read(
                lang::message::toast_reads_on(&key),
                Some(lang::message::toast_reads_on_briefly(&key)),
            );
        }
        Reading::NoRoom => state.ask_to_read(word(Word::AllowedUnseen), None),
    }
    true
}

pub(super) fn reason(state: &mut State, action: ReasonAction, ops: &mut Vec<Op>) {
    match action {
        ReasonAction::Send => {
            let Step::Reason(buffer) = take_step(state) else {
                return;
            };
            let reason = buffer.expanded();
            let reason = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
            decide(state, ops, |_| Decision::Deny { reason });
        }
        ReasonAction::Newline => newline(state),
        ReasonAction::Back => put_by(state),
    }
}

pub(super) fn newline(state: &mut State) {
    if let Some(buffer) = text(state) {
        buffer.insert("\n");
    }
}

pub(super) fn question(state: &mut State, action: QuestionAction, ops: &mut Vec<Op>) {
    let Some(view) = asked(state) else { return };
    match action {
        QuestionAction::Up => view.step(-1),
        QuestionAction::Down => view.step(1),
        QuestionAction::PageUp => view.scroll(-1),
        QuestionAction::PageDown => view.scroll(1),
        QuestionAction::Send => {
            if let Some(decision) = view.done() {
                decide(state, ops, |_| decision);
            }
        }
        QuestionAction::Next => view.turn(1),
        QuestionAction::Previous => view.turn(-1),
        QuestionAction::Leave => leave_by_key(state),
    }
}

pub(super) fn options(state: &mut State, action: OptionsAction) {
    let struck = state.screen.approvals.struck;
    let keys = state.keymap.keys_of(Action::Options(OptionsAction::Pick)).iter();
    let number = keys.clone().position(|key| Some(*key) == struck);
    let Some(view) = asked(state) else { return };
    match action {
        OptionsAction::Toggle => view.toggle(),
        OptionsAction::Pick if number.is_some_and(|number| view.pick(number)) => {}
        OptionsAction::Pick => state.offer(word(Word::NoSuchAnswer), false),
    }
}

fn asked(state: &mut State) -> Option<&mut QuestionView> {
    match &mut state.screen.approvals.front_mut()?.view {
        RequestView::Question(view) => Some(view),
        RequestView::Files(_) | RequestView::Rows { .. } | RequestView::Unseen => None,
    }
}

pub(super) fn diff(state: &mut State) -> Option<&mut DiffView> {
    match &mut state.screen.approvals.front_mut()?.view {
        RequestView::Files(view) => Some(view),
        RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => None,
    }
}

pub(super) fn text(state: &mut State) -> Option<&mut Buffer> {
    match keyboard(state) {
        Holder::Approval | Holder::Question => state.screen.approvals.front_mut()?.text(),
        Holder::Dialog | Holder::Find | Holder::Filter | Holder::Pane(_) => None,
    }
}

pub(super) fn searched(state: &mut State) -> Option<&mut Editor> {
    if keyboard(state) != Holder::Find {
        return None;
    }
    match &mut state.screen.approvals.front_mut()?.step {
        Step::Edit(editor) if editor.find.is_some() => Some(editor),
        _ => None,
    }
}

pub(super) fn set_step(state: &mut State, step: Step) {
    if let Some(waiting) = state.screen.approvals.front_mut() {
        waiting.step = step;
    }
}

pub(super) fn begin(state: &mut State, step: Step) {
    if let Some(waiting) = state.screen.approvals.front_mut() {
        waiting.begin(step);
    }
}

pub(super) fn put_by(state: &mut State) {
    if let Some(waiting) = state.screen.approvals.front_mut() {
        waiting.put_by();
    }
}

pub(super) fn take_step(state: &mut State) -> Step {
    let step = state.screen.approvals.front_mut().map(|waiting| &mut waiting.step);
    step.map_or(Step::Deciding, |step| std::mem::replace(step, Step::Deciding))
}

pub(super) fn leave_step(state: &mut State) {
    if let Some(waiting) = state.screen.approvals.front_mut() {
        waiting.leave_step();
    }
}

/// Clears the text of a step, or leaves a step with an empty text. Returns `false` if no such step is open.
pub(super) fn clears(state: &mut State) -> bool {
    if !writes(state) {
        return false;
    }
    let Some(waiting) = state.screen.approvals.front_mut() else {
        return false;
    };
    let is_step = matches!(waiting.step, Step::Reason(_) | Step::Comment { .. });
    let is_edit = matches!(waiting.step, Step::Edit(_));
    match waiting.text() {
        Some(text) if !is_edit && !text.is_empty() => text.set(""),
        Some(_) if is_step => put_by(state),
        Some(_) | None => return false,
    }
    true
}

pub(super) fn edits(state: &State) -> bool {
    let step = state.screen.approvals.front().map(|waiting| &waiting.step);
    writes(state) && matches!(step, Some(Step::Edit(_)))
}

fn writes(state: &State) -> bool {
    matches!(keyboard(state), Holder::Approval | Holder::Question)
}

pub(super) fn to_prompt(state: &mut State) {
    leave_by_key(state);
    state.screen.prompt.writes();
}

pub(super) fn leave_by_key(state: &mut State) {
    state.screen.approvals.leave();
    state.screen.focus = Pane::Prompt;
}

/// Moves the focus to the prompt if no request is pending and the turn has ended. First waits until `y` and `n` can no
/// longer be meant for a next request.
pub(super) fn release(state: &mut State) {
    let is_over =
        !state.screen.approvals.asks() && !state.screen.turn.busy() && !state.screen.approvals.rests(state.now);
    if state.screen.approvals.has_focus() && is_over {
        leave_by_key(state);
        state.dirty = true;
    }
}

fn always(state: &mut State) {
    if state.screen.approvals.front().is_some_and(Waiting::keeps_nothing) {
        return offer_denial(state);
    }
    match state.screen.approvals.front().and_then(Waiting::always) {
        // Ask to read this call to its end first, because "Always allow" also allows this call.
        Some(_) if asks_to_read(state) => {}
        Some(always) => set_step(state, Step::ConfirmAlways(always)),
        None => {
            let request = state.screen.approvals.front().map(|waiting| &waiting.request);
            let why = request.map(|request| lang::only_once(&request.verdict));
            if let Some(why) = why {
                state.offer(why, true);
            }
        }
    }
}

fn offer_denial(state: &mut State) {
    let deny = state.keymap.hint(Action::Approval(ApprovalAction::Deny));
    state.offer(lang::message::toast_no_hunk(&deny), true);
}

fn decide(state: &mut State, ops: &mut Vec<Op>, decision: impl FnOnce(Kept) -> Decision) {
    if only_looks(state) {
        return;
    }
    let Some(waiting) = state.screen.approvals.front() else {
        return;
    };
    let (call, edition) = (waiting.request.call.clone(), waiting.request.edition);
    let kept = waiting.kept();
    let comments = match &waiting.view {
        RequestView::Files(view) => view.message(),
        RequestView::Question(_) | RequestView::Rows { .. } | RequestView::Unseen => None,
    };
    let decision = decision(kept.clone().unwrap_or_default());
    if kept.is_none() && !matches!(decision, Decision::Deny { .. }) {
        return offer_denial(state);
    }
    state.screen.approvals.decide(&call, state.now);
    state.screen.conversation.tool_decided(&call);
    match (decision, comments) {
        (Decision::Deny { reason }, Some(comments)) => {
            let reason = reason.into_iter().chain([comments]).collect::<Vec<_>>().join("\n\n");
            let decision = Decision::Deny { reason: Some(reason) };
            ops.push(Op::Send(Command::Decide {
                call,
                edition,
                decision,
            }));
        }
        (decision, comments) => {
            // Send the comments before the decision, so that the next request to the model includes them.
            ops.extend(comments.map(remark));
            ops.push(Op::Send(Command::Decide {
                call,
                edition,
                decision,
            }));
        }
    }
}

/// Returns the operation that sends a comment as pasted text, because an `@` in a comment is code, not a mention.
fn remark(text: String) -> Op {
    Op::Send(Command::Prompt {
        pasted: std::iter::once(0..text.len()).collect(),
        text,
        delivery: Delivery::Steer,
    })
}

pub(super) fn settled(state: &mut State, call: &CallId) {
    state.screen.approvals.goes_undecided(call);
    state.screen.approvals.remove(call);
    state.screen.conversation.tool_decided(call);
}

/// Handles `Alt+Y` and `Alt+N`, which decide without focus. They do not decide a high-risk request, a question, or a
/// request for which the user is writing a text.
pub(super) fn chord(state: &mut State, verdict: ApprovalAction, ops: &mut Vec<Op>) {
    let Some(front) = state.screen.approvals.front() else {
        return enter(state);
    };
    let action = Action::Approval(verdict);
    if !state.alt_decides {
        return state.offer(word(Word::ChordsAreOff), false);
    }
    if state.screen.dialog.is_some() || !front.takes_chords() {
        let enter = state.keymap.hint(Action::Global(GlobalAction::Approvals));
        return state.offer(lang::message::toast_enter_first(&enter), true);
    }
    if only_looks(state) {
        return;
    }
    match state.screen.approvals.armed(action, state.now) {
        Armed::Now if verdict == ApprovalAction::Once && asks_to_read(state) => {
            state.screen.approvals.enter();
        }
        Armed::Now => approval(state, verdict, ops),
        Armed::Soon => state.screen.approvals.keep_early(action),
        Armed::Later | Armed::NotEntered => {}
    }
}

pub(super) fn enter(state: &mut State) {
    state.screen.dialog = None;
    state.screen.prompt.completion_close();
    if !state.screen.approvals.enter() {
        let said = nothing_waits(state);
        state.say(said, false);
    }
}

pub(super) fn none_waits(state: &State) -> bool {
    !state.screen.approvals.asks() && waits_elsewhere(state).is_none()
}

fn waits_elsewhere(state: &State) -> Option<SeatRow> {
    let waits = |row: &SeatRow| row.seat != state.screen.seat && row.standing == Standing::Waits;
    seats::rows(state).into_iter().find(waits)
}

fn nothing_waits(state: &State) -> String {
    let key = state.keymap.hint(Action::Global(GlobalAction::NextSeat));
    match waits_elsewhere(state) {
        Some(row) if !key.is_empty() => {
            let room = usize::from(state.width / 4).max(12);
            lang::message::seats_waits_elsewhere(&key, &truncate(&row.title, room))
        }
        _ => word(Word::NothingWaits).to_owned(),
    }
}
