//! The input for a new title of the session selected in the session list, or else of the visible session.

use super::beneath;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue, stored};
use crate::op::Op;
use crate::state::State;
use benchdog_base::text::clean;
use benchdog_domain::history::given_title;
use benchdog_lang::{Word, word};
use benchdog_protocol::{Archive, Command};

/// Returns the session to rename. `None` if the selected row of the session list cannot be renamed.
pub(super) fn target(state: &mut State) -> Option<PickerValue> {
    let here = PickerValue::Seat(state.screen.seat);
    let list = match &mut state.screen.dialog {
        Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Sessions => picker,
        _ => return Some(here),
    };
    match list.chosen() {
        Some(value @ (PickerValue::Seat(_) | PickerValue::Session(_))) => Some(value.clone()),
        _ => None,
    }
}

pub(super) fn line(state: &mut State, target: Option<PickerValue>) {
    let Some(value) = target else {
        state.say(word(Word::NothingToRename), false);
        return beneath::list_comes_back(state);
    };
    let title = title(state, &value);
    let mut picker = Picker::new(PickerKind::Rename);
    picker.filter = clean(&title).into_owned();
    let item = PickerItem {
        text: picker.filter.clone(),
        detail: String::new(),
        current: false,
        value,
    };
    picker.fill(vec![item], word(Word::RenameKeys).to_owned());
    state.screen.dialog = Some(Dialog::Picker(picker));
}

pub(super) fn open(state: &mut State) {
    let here = PickerValue::Seat(state.screen.seat);
    state.screen.beneath = None;
    line(state, Some(here));
}

fn title(state: &State, value: &PickerValue) -> String {
    match value {
        PickerValue::Seat(seat) => match state.parked.get(seat) {
            Some(parked) => parked.session.title.clone(),
            None => state.screen.session.title.clone(),
        },
        PickerValue::Session(id) => match &state.screen.beneath {
            Some(Dialog::Picker(list)) => {
                stored(&list.stored, id).map_or_else(String::new, |(_, meta)| meta.title.clone())
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Sends the new title. An empty title is refused, and the input stays open.
pub(super) fn take(state: &mut State, mut picker: Picker, ops: &mut Vec<Op>) {
    let title = given_title(&picker.filter);
    if title.is_empty() {
        picker.note = word(Word::TitleEmpty).to_owned();
        state.screen.dialog = Some(Dialog::Picker(picker));
        return;
    }
    match picker.chosen() {
        Some(PickerValue::Seat(seat)) => ops.push(Op::SendTo(*seat, Command::Archive(Archive::Rename { title }))),
        Some(PickerValue::Session(session)) => {
            let session = session.clone();
            ops.push(Op::Send(Command::Archive(Archive::Retitle { session, title })));
        }
        _ => {}
    }
    beneath::list_comes_back(state);
}
