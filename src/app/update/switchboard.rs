//! The session list: first the open seats, starting with the most urgent seat, and then the stored sessions.

use super::dialogs::open_picker;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue, stored};
use crate::op::Op;
use crate::seats::{SeatRow, Standing, others, rows};
use crate::state::State;
use benchdog_base::clock::Zone;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_base::text::{clean, fit, last_part, width as columns};
use benchdog_domain::session::{SessionMeta, beneath, tree};
use benchdog_keys::Action;
use benchdog_keys::action::GlobalAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Archive, Command};

const STANDING: usize = 9;
const PLACE: usize = 20;
/// Width of the column with the session's age. `END` is the width of a date, or of the age and the fill level.
const AGE: usize = 8;
const END: usize = 16;

pub(super) fn open(state: &mut State, ops: &mut Vec<Op>) {
    let mut picker = Picker::new(PickerKind::Sessions);
    picker.fill(seats(state), keys(state));
    picker.loading = true;
    if others(state).is_some() {
        let here = PickerValue::Seat(state.screen.seat);
        picker.go_to(|value| *value != here);
    }
    state.screen.dialog = Some(Dialog::Picker(picker));
    ops.push(Op::Send(Command::ListSessions));
}

pub(super) fn on_disk(state: &mut State, sessions: Vec<SessionMeta>, in_use: Vec<SessionId>) {
    let open = state
        .parked
        .values()
        .map(|parked| &parked.session)
        .chain([&state.screen.session]);
    let open: Vec<SessionId> = open.filter_map(|session| session.id.clone()).collect();
    let sessions: Vec<SessionMeta> = sessions.into_iter().filter(|meta| !open.contains(&meta.id)).collect();
    let stored = tree(sessions);
    let disk = stored.iter();
    let disk = disk.map(|(depth, meta)| on_disk_item(*depth, meta, &in_use, &state.zone));
    let disk = beneath_each_other(disk.collect());
    if fill(state, |_| disk) {
        state.dirty = true;
        if let Some(picker) = open_picker(state, PickerKind::Sessions) {
            picker.loading = false;
            picker.stored = stored;
            picker.in_use = in_use;
        }
    }
}

pub(super) fn seats_changed(state: &mut State) -> bool {
    fill(state, |items| {
        let on_disk = |item: &PickerItem| matches!(item.value, PickerValue::Session(_) | PickerValue::Removed(_));
        items.into_iter().filter(on_disk).collect()
    })
}

pub(super) fn stays_open(state: &mut State, closes: impl FnOnce(&mut State)) {
    let is_open = open_picker(state, PickerKind::Sessions).is_some();
    let list = state.screen.dialog.take_if(|_| is_open);
    closes(state);
    if list.is_some() {
        state.screen.dialog = list;
        seats_changed(state);
    }
}

/// Returns the seat that is selected in the list, or else the visible seat. `None` if the selected session is not open.
pub(super) fn meant(state: &mut State) -> Option<SeatId> {
    let shown = state.screen.seat;
    let Some(picker) = open_picker(state, PickerKind::Sessions) else {
        return Some(shown);
    };
    match picker.chosen() {
        Some(PickerValue::Seat(seat)) => Some(*seat),
        _ => None,
    }
}

/// Returns the effect of the close key on a stored session: delete it, or restore it from the trash.
pub(super) fn stored_under_bar(state: &mut State) -> Option<Archive> {
    match open_picker(state, PickerKind::Sessions)?.chosen()? {
        PickerValue::Session(session) => Some(Archive::Remove {
            session: session.clone(),
        }),
        PickerValue::Removed(session) => Some(Archive::Restore {
            session: session.clone(),
        }),
        _ => None,
    }
}

/// Marks the row of a stored session as deleted or restored. Deleted rows stay, so that the same key restores them.
pub(super) fn mark(state: &mut State, from: &PickerValue, to: PickerValue) {
    if let Some(picker) = open_picker(state, PickerKind::Sessions)
        && let Some(item) = picker.items.iter_mut().find(|item| item.value == *from)
    {
        item.value = to;
        if let Some((depth, meta)) = item.value.session().and_then(|id| stored(&picker.stored, id)) {
            item.text = on_disk_text(&item.value, *depth, meta, &picker.in_use);
        }
    }
}

pub(super) fn retitled(state: &mut State, session: SessionId, title: String) {
    let Some(picker) = open_picker(state, PickerKind::Sessions) else {
        return;
    };
    if let Some((_, meta)) = picker.stored.iter_mut().find(|(_, meta)| meta.id == session) {
        meta.title = title;
    }
    let value = PickerValue::Session(session);
    mark(state, &value, value.clone());
}

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
    beneath_each_other(rows(state).into_iter().map(|row| seat_item(row, state)).collect())
}

type Parts = (PickerItem, String, String);

fn beneath_each_other(rows: Vec<Parts>) -> Vec<PickerItem> {
    let places = rows
        .iter()
        .map(|(_, place, _)| columns(place))
        .max()
        .unwrap_or(0)
        .min(PLACE);
    let item = |(item, place, end): Parts| {
        let before = " ".repeat(END.saturating_sub(columns(&end)));
        let detail = format!("{}  {before}{end}", fit(&place, places));
        PickerItem { detail, ..item }
    };
    rows.into_iter().map(item).collect()
}

fn keys(state: &State) -> String {
    let key = |action| state.keymap.hint(Action::Global(action));
    let [close, new, rename] = [
        GlobalAction::CloseSeat,
        GlobalAction::NewBeside,
        GlobalAction::RenameSession,
    ]
    .map(key);
    lang::message::switchboard_keys(&close, &new, &rename)
}

fn seat_item(row: SeatRow, state: &State) -> Parts {
    let title = titled(row.title);
    let last = match row.last.as_str() {
        "" => String::new(),
        last => format!(" · {last}"),
    };
    let age = lang::age(state.now.since(row.since));
    let before = " ".repeat(AGE.saturating_sub(columns(&age)));
    let stands = fit(word(standing(row.standing)), STANDING);
    let item = PickerItem {
        text: clean(&format!("{stands} {title}{last}")).into_owned(),
        detail: String::new(),
        current: row.seat == state.screen.seat,
        value: PickerValue::Seat(row.seat),
    };
    (
        item,
        clean(&row.place).into_owned(),
        format!("{}{before}{age}", row.full),
    )
}

fn on_disk_item(depth: usize, meta: &SessionMeta, in_use: &[SessionId], zone: &Zone) -> Parts {
    let value = PickerValue::Session(meta.id.clone());
    let item = PickerItem {
        text: on_disk_text(&value, depth, meta, in_use),
        detail: String::new(),
        current: false,
        value,
    };
    let place = clean(last_part(&meta.workspace)).into_owned();
    (item, place, meta.updated.date_hh_mm(zone))
}

fn on_disk_text(value: &PickerValue, depth: usize, meta: &SessionMeta, in_use: &[SessionId]) -> String {
    let standing = match value {
        PickerValue::Removed(_) => word(Word::SessionIsRemoved),
        _ if in_use.contains(&meta.id) => word(Word::SessionIsInUse),
        _ => "",
    };
    let title = titled(meta.title.clone());
    clean(&format!("{} {}{title}", fit(standing, STANDING), beneath(depth))).into_owned()
}

fn titled(title: String) -> String {
    if title.is_empty() {
        word(Word::Untitled).to_owned()
    } else {
        title
    }
}

fn standing(standing: Standing) -> Word {
    match standing {
        Standing::Waits => Word::SeatIsWaiting,
        Standing::Works => Word::SeatIsWorking,
        Standing::Ended => Word::SeatHasEnded,
        Standing::Idle => Word::SeatIsIdle,
    }
}
