//! Showing, opening and closing the seats of this window.

use super::title::title;
use super::{marking, watch};
use crate::commands::{self, Slash};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::panes::files::ROOT;
use crate::seats::{News, Parked, Sight, Standing, rows, shown};
use crate::state::State;
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

// --- replacement ---

/// Replaced seat ids kept in memory. Pending results arrive long before that many replacements.
const MOST_REPLACED: usize = 64;

pub(super) fn replaced(state: &mut State, by: SeatId) {
    let before = std::mem::replace(&mut state.seat, by);
    for now in state.replaced.values_mut().filter(|now| **now == before) {
        *now = by;
    }
    state.replaced.insert(before, by);
    // The lowest id is the oldest.
    while state.replaced.len() > MOST_REPLACED {
        state.replaced.pop_first();
    }
}

pub(super) fn now_of(state: &State, seat: SeatId) -> SeatId {
    state.replaced.get(&seat).copied().unwrap_or(seat)
}

// --- selection ---

/// Shows another seat. Pending operations are addressed to the previous one.
pub(super) fn show(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    let Some(mut parked) = state.parked.remove(&seat) else {
        return;
    };
    put_away(state, ops);
    parked.swap(state);
    state.parked.insert(parked.seat, parked);
    arrive(state, ops);
}

fn put_away(state: &mut State, ops: &mut Vec<Op>) {
    watch::end(state, ops);
    marking::end(state);
    (state.held, state.aimed) = (None, None);
    state.stroke = None;
    if shown(state) == Standing::Waits {
        state.news = News::Asks;
    }
    state.approvals.put_away();
    keep_now(state, ops);
    let left = state.seat;
    for op in ops.iter_mut() {
        let sent = std::mem::replace(op, Op::Quit);
        *op = to(left, sent);
    }
}

pub(super) fn keep_now(state: &mut State, ops: &mut Vec<Op>) {
    if let Some(text) = state.prompt.due(Time(i64::MAX)) {
        ops.push(Op::Send(Command::SaveDraft { text }));
    }
    if let Some(text) = state.approvals.texts_due(Time(i64::MAX)) {
        ops.push(Op::Send(Command::SaveReviewTexts { text }));
    }
}

fn arrive(state: &mut State, ops: &mut Vec<Op>) {
    state.news = News::None;
    state.dirty = true;
    title(state, ops);
}

/// Shows a seat with an unseen pending request, else the next one.
pub(super) fn next(state: &mut State, ops: &mut Vec<Op>) {
    let here = state.seat;
    let order = |parked: &&Parked| (!parked.asks_anew(), parked.seat <= here, parked.seat);
    let next = state.parked.values().map(|parked| &**parked).min_by_key(order);
    match next.map(|parked| parked.seat) {
        Some(seat) => {
            show(state, seat, ops);
            // Moving on marks the pending request as seen.
            if let Some(left) = state.parked.get_mut(&here) {
                left.was_seen();
            }
        }
        None => {
            let key = state.keymap.hint(Action::Global(GlobalAction::NewBeside));
            state.say(lang::only_seat(&key), false);
        }
    }
}

pub(super) fn beside(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    if seat != state.seat && !state.parked.contains_key(&seat) {
        let mut parked = Parked::fresh(seat, state.now);
        parked.prompt = state.prompt.another();
        state.parked.insert(seat, Box::new(parked));
        ops.push(Op::SendTo(seat, Command::ListFolder { path: ROOT.to_owned() }));
        ops.push(Op::SendTo(seat, Command::LoadHistory));
    }
    // A user who moved on in the meantime stays there.
    if state.sight == Sight::Shown {
        show(state, seat, ops);
        if std::mem::take(&mut state.merge_asked) {
            state.approvals.command_sent();
        }
    }
}

/// Opens a stored session in an additional seat, or in place of an unused one.
pub(super) fn open(state: &mut State, session: SessionId, ops: &mut Vec<Op>) {
    let begun = !state.session.title.is_empty() || state.turn.busy();
    ops.push(Op::Send(if begun {
        let session = Some(session);
        Command::OpenBeside { session }
    } else {
        Command::Resume { session }
    }));
}

// --- closing ---

pub(super) fn close(state: &mut State, seat: SeatId, ops: &mut Vec<Op>) {
    let (standing, title, jobs) = match state.parked.get(&seat) {
        _ if state.parked.is_empty() => {
            let key = state.keymap.hint(Action::Global(GlobalAction::Quit));
            let way = if key.is_empty() {
                commands::written(Slash::Quit)
            } else {
                key
            };
            return state.say(lang::last_seat(&way), false);
        }
        Some(parked) => (parked.standing(), &parked.session.title, parked.jobs()),
        None => (shown(state), &state.session.title, state.jobs.as_slice()),
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
    state.dialog = Some(Dialog::Picker(picker));
}

/// Unsent text is added to the history.
pub(super) fn send_close(state: &mut State, seat: SeatId, if_busy: IfBusy, ops: &mut Vec<Op>) {
    let prompt = match state.parked.get_mut(&seat) {
        Some(parked) => &mut parked.prompt,
        None => &mut state.prompt,
    };
    let text = prompt.take();
    if !text.trim().is_empty() {
        ops.push(Op::SendTo(seat, Command::RememberPrompt { text: text.clone() }));
        let others = state.parked.values_mut().map(|parked| &mut parked.prompt);
        others
            .chain([&mut state.prompt])
            .for_each(|prompt| prompt.remember(&text));
    }
    ops.push(Op::SendTo(seat, Command::SaveDraft { text: String::new() }));
    ops.push(Op::SendTo(seat, Command::CloseSeat { if_busy }));
}

pub(super) fn closed(state: &mut State, ops: &mut Vec<Op>) {
    let next = rows(state).into_iter().find(|row| row.seat != state.seat);
    let (gone, title) = (state.seat, state.session.title.clone());
    if let Some(row) = next {
        show(state, row.seat, ops);
        state.parked.remove(&gone);
        state.say(lang::seat_closed(&title), false);
    }
}
