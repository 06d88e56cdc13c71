//! The list of what one may work in: the seats of this window, the one that needs a person most on top, then the sessions on disk.

use super::dialogs::open_picker;
use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::app::op::Op;
use crate::app::seats::{SeatRow, Standing, others, rows};
use crate::app::state::State;
use crate::base::clock::Time;
use crate::base::id::{SeatId, SessionId};
use crate::base::text::{clean, fit};
use crate::domain::session::SessionMeta;
use crate::keys::Action;
use crate::keys::action::GlobalAction;
use crate::lang::{self, Word, word};
use crate::protocol::Command;

/// Columns of how a seat stands.
const STANDING: usize = 9;

/// Opens it, and asks for the sessions on disk. The bar is on the seat that needs a person, where one does.
pub(super) fn open(state: &mut State, ops: &mut Vec<Op>) {
    let mut picker = Picker::new(PickerKind::Sessions);
    picker.fill(seats(state), keys(state));
    picker.loading = true;
    if others(state).is_some() {
        let here = PickerValue::Seat(state.seat);
        picker.go_to(|value| *value != here);
    }
    state.dialog = Some(Dialog::Picker(picker));
    ops.push(Op::Send(Command::ListSessions));
}

/// The sessions on disk arrived.
pub(super) fn on_disk(state: &mut State, sessions: Vec<SessionMeta>) {
    let open = state
        .parked
        .values()
        .map(|parked| &parked.session)
        .chain([&state.session]);
    let open: Vec<SessionId> = open.filter_map(|session| session.id.clone()).collect();
    let sessions = sessions.into_iter().filter(|meta| !open.contains(&meta.id));
    let disk = sessions.map(on_disk_item).collect();
    if fill(state, |_| disk) {
        state.dirty = true;
        if let Some(picker) = open_picker(state, PickerKind::Sessions) {
            picker.loading = false;
        }
    }
}

/// How the seats stand has changed. Answers with whether that is on screen.
pub(super) fn seats_changed(state: &mut State) -> bool {
    fill(state, |items| {
        let on_disk = |item: &PickerItem| matches!(item.value, PickerValue::Session(_));
        items.into_iter().filter(on_disk).collect()
    })
}

/// The seat that is meant: the one under the bar of the open list, else the one that is shown. `None`: the bar is on what is not open.
pub(super) fn meant(state: &mut State) -> Option<SeatId> {
    let shown = state.seat;
    let Some(picker) = open_picker(state, PickerKind::Sessions) else {
        return Some(shown);
    };
    match picker.chosen() {
        Some(PickerValue::Seat(seat)) => Some(*seat),
        _ => None,
    }
}

/// Fills the open list anew, with what `disk` makes of the items so far behind the seats. The bar stays on its row.
fn fill(state: &mut State, disk: impl FnOnce(Vec<PickerItem>) -> Vec<PickerItem>) -> bool {
    if open_picker(state, PickerKind::Sessions).is_none() {
        return false;
    }
    let (seats, keys) = (seats(state), keys(state));
    let Some(picker) = open_picker(state, PickerKind::Sessions) else {
        return false;
    };
    let (under, loading) = (picker.chosen().cloned(), picker.loading);
    let disk = disk(std::mem::take(&mut picker.items));
    picker.fill(seats.into_iter().chain(disk).collect(), keys);
    picker.loading = loading;
    if let Some(under) = under {
        picker.go_to(|value| *value == under);
    }
    true
}

fn seats(state: &State) -> Vec<PickerItem> {
    rows(state).into_iter().map(|row| seat_item(row, state)).collect()
}

/// The keys it has beside those of every list.
fn keys(state: &State) -> String {
    let key = |action| state.keymap.hint(Action::Global(action));
    lang::switchboard_keys(&key(GlobalAction::NewBeside), &key(GlobalAction::CloseSeat))
}

fn seat_item(row: SeatRow, state: &State) -> PickerItem {
    let title = titled(row.title);
    let last = match row.last.as_str() {
        "" => String::new(),
        last => format!(" · {last}"),
    };
    let age = lang::age(state.now.since(row.since));
    let parts: Vec<String> = [row.place, row.full, age]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let stands = fit(word(standing(row.standing)), STANDING);
    PickerItem {
        text: clean(&format!("{stands} {title}{last}")).into_owned(),
        detail: clean(&parts.join("  ")).into_owned(),
        current: row.seat == state.seat,
        value: PickerValue::Seat(row.seat),
    }
}

fn on_disk_item(meta: SessionMeta) -> PickerItem {
    PickerItem {
        text: clean(&format!("{} {}", fit("", STANDING), titled(meta.title))).into_owned(),
        detail: format!("{}  {}", folder(&meta.workspace), day(meta.updated)),
        current: false,
        value: PickerValue::Session(meta.id),
    }
}

fn titled(title: String) -> String {
    if title.is_empty() {
        word(Word::Untitled).to_owned()
    } else {
        title
    }
}

fn folder(workspace: &str) -> String {
    workspace.rsplit('/').next().unwrap_or_default().to_owned()
}

/// `2026-11-21 14:02`, the clock in the zone of this machine.
fn day(time: Time) -> String {
    let stamp = time.rfc3339();
    format!("{} {}", stamp.get(..10).unwrap_or_default(), time.local_hh_mm())
}

fn standing(standing: Standing) -> Word {
    match standing {
        Standing::Waits => Word::SeatIsWaiting,
        Standing::Works => Word::SeatIsWorking,
        Standing::Ended => Word::SeatHasEnded,
        Standing::Idle => Word::SeatIsIdle,
    }
}
