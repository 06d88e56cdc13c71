//! Showing, opening and closing seats of this window.

use std::mem;

use super::title::title;
use super::{marking, watch};
use crate::commands::{self, Slash};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::files::ROOT;
use crate::screen::{News, SessionScreen};
use crate::seats::{Standing, rows};
use crate::state::{Sight, State};
use benchdog_base::clock::Time;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_domain::job::running;
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, IfBusy};

pub(super) fn to(seat: SeatId, op: Op) -> Op {
    match op {
        Op::Send(command) => Op::SendTo(seat, command),
        op => op,
    }
}

/// Maximum number of remembered ids of replaced seats. Pending results arrive long before so many seats are replaced.
const MOST_REPLACED: usize = 64;

pub(super) fn replaced(state: &mut State, by: SeatId) {
    let before = mem::replace(&mut state.screen.seat, by);
    for now in state.replaced.values_mut().filter(|now| **now == before) {
        *now = by;
    }
    state.replaced.insert(before, by);
    // The lowest id is the oldest id.
    while state.replaced.len() > MOST_REPLACED {
        state.replaced.pop_first();
    }
}

pub(super) fn now_of(state: &State, seat: SeatId) -> SeatId {
    state.replaced.get(&seat).copied().unwrap_or(seat)
}

/// Shows another seat. Operations that were requested earlier are still sent for the previous seat.
pub(super) fn show(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    let Some(mut other) = state.parked.remove(&seat) else {
        return;
    };
    put_away(state, ops);
    mem::swap(&mut *other, &mut state.screen);
    state.parked.insert(other.seat, other);
    arrive(state, ops);
}

fn put_away(state: &mut State, ops: &mut Vec<Op>) {
    watch::end(state, ops);
    marking::end(state);
    (state.pointer.drag, state.pointer.press) = (None, None);
    state.stroke = None;
    if state.screen.standing() == Standing::Waits {
        state.screen.news = News::Asks;
    }
    state.screen.approvals.put_away();
    keep_now(state, ops);
    let left = state.screen.seat;
    for op in ops.iter_mut() {
        let sent = mem::replace(op, Op::Quit);
        *op = to(left, sent);
    }
}

pub(super) fn keep_now(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(text) = state.screen.prompt.due(Time(i64::MAX)) {
        ops.push(Op::Send(Command::SaveDraft { text }));
    }
    if let Some(text) = state.screen.approvals.texts_due(Time(i64::MAX)) {
        ops.push(Op::Send(Command::SaveReviewTexts { text }));
    }
}

fn arrive(state: &mut State, ops: &mut Vec<Op>) {
    state.screen.news = News::None;
    state.screen.focus = Pane::Prompt;
    state.dirty = true;
    title(state, ops);
}

/// Shows a seat with a pending request that the user has not seen yet. If there is no such seat, shows the next seat.
pub(super) fn next(state: &mut State, ops: &mut Vec<Op>) {
    let here = state.screen.seat;
    let order = |parked: &&SessionScreen| (!parked.has_unseen_request(), parked.seat <= here, parked.seat);
    let next = state.parked.values().map(|parked| &**parked).min_by_key(order);
    match next.map(|parked| parked.seat) {
        Some(seat) => {
            show(state, seat, ops);
            // The previous seat's pending request counts as seen, because the user has moved on.
            if let Some(left) = state.parked.get_mut(&here) {
                left.news = News::None;
            }
        }
        None => {
            let key = state.keymap.hint(Action::Global(GlobalAction::NewBeside));
            state.say(lang::message::seats_only_one(&key), false);
        }
    }
}

pub(super) fn beside(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    if seat != state.screen.seat && !state.parked.contains_key(&seat) {
        let mut parked = SessionScreen::new(seat, state.now);
        parked.prompt = state.screen.prompt.another();
        state.parked.insert(seat, Box::new(parked));
        ops.push(Op::SendTo(seat, Command::ListFolder { path: ROOT.to_owned() }));
        ops.push(Op::SendTo(seat, Command::LoadHistory));
    }
    // If the user has switched to another seat in the meantime, do not show the new seat.
    if state.sight == Sight::Shown {
        show(state, seat, ops);
        if mem::take(&mut state.merge_asked) {
            state.screen.approvals.command_sent();
        }
    }
}

/// Opens a stored session in an additional seat. If the visible seat is unused, opens the session in the visible seat.
pub(super) fn open(state: &mut State, session: SessionId, ops: &mut Vec<Op>) {
    let begun = !state.screen.session.title.is_empty() || state.screen.turn.busy();
    ops.push(Op::Send(if begun {
        let session = Some(session);
        Command::OpenBeside { session }
    } else {
        Command::Resume { session }
    }));
}

pub(super) fn close(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    let (standing, title, jobs) = match state.parked.get(&seat) {
        _ if state.parked.is_empty() => {
            let key = state.keymap.hint(Action::Global(GlobalAction::Quit));
            let way = if key.is_empty() {
                commands::written(Slash::Quit)
            } else {
                key
            };
            return state.say(lang::message::seats_last(&way), false);
        }
        Some(parked) => (parked.standing(), &parked.session.title, parked.jobs.as_slice()),
        None => (
            state.screen.standing(),
            &state.screen.session.title,
            state.screen.jobs.as_slice(),
        ),
    };
    let turns = usize::from(matches!(standing, Standing::Waits | Standing::Works));
    let jobs = running(jobs);
    if turns + jobs == 0 {
        return send_close(state, seat, IfBusy::Stay, ops);
    }
    let runs = lang::stopped_by_leaving(turns, jobs);
    ask_to_close(state, seat, lang::closing(title, &runs));
}

fn ask_to_close(state: &mut State, seat: SeatId, why: String) {
    let item = |what, value| PickerItem {
        text: word(what).to_owned(),
        detail: String::new(),
        current: false,
        value,
    };
    let items = vec![
        item(Word::SeatStays, PickerValue::SeatStays),
        item(Word::SeatStops, PickerValue::SeatStops(seat)),
    ];
    let mut picker = Picker::new(PickerKind::Closing);
    picker.fill(items, why);
    state.screen.dialog = Some(Dialog::Picker(picker));
}

/// Requests to close a seat. The unsent text of the seat is added to the history.
pub(super) fn send_close(state: &mut State, seat: SeatId, if_busy: IfBusy, ops: &mut Vec<Op>) {
    let prompt = match state.parked.get_mut(&seat) {
        Some(parked) => &mut parked.prompt,
        None => &mut state.screen.prompt,
    };
    let text = prompt.take();
    if !text.trim().is_empty() {
        ops.push(Op::SendTo(seat, Command::RememberPrompt { text: text.clone() }));
        let others = state.parked.values_mut().map(|parked| &mut parked.prompt);
        others
            .chain([&mut state.screen.prompt])
            .for_each(|prompt| prompt.remember(&text));
    }
    ops.push(Op::SendTo(seat, Command::SaveDraft { text: String::new() }));
    ops.push(Op::SendTo(seat, Command::CloseSeat { if_busy }));
}

pub(super) fn closed(state: &mut State, ops: &mut Vec<Op>) {
    let next = rows(state).into_iter().find(|row| row.seat != state.screen.seat);
    let (gone, title) = (state.screen.seat, state.screen.session.title.clone());
    if let Some(row) = next {
        show(state, row.seat, ops);
        state.parked.remove(&gone);
        state.say(lang::seat_closed(&title), false);
    }
}
