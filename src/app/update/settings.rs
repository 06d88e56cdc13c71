//! The list of settings, and the line on which one of them is written. The list changes a setting; the engine writes it.

use super::beneath;
use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::app::op::Op;
use crate::app::state::State;
use crate::base::text::clean;
use crate::domain::setting::Setting;
use crate::lang::{self, Word, word};
use crate::protocol::Command;

pub(super) fn list(state: &mut State, ops: &mut Vec<Op>) {
    state.dialog = Some(Dialog::Picker(Picker::new(PickerKind::Settings)));
    ops.push(Op::Send(Command::ListSettings));
}

/// What the settings are now. The list that is open takes them where it stands; the line gives its place to the list.
pub(super) fn listed(state: &mut State, settings: Result<Vec<Setting>, String>) {
    let Some(Dialog::Picker(picker)) = state.dialog.as_mut() else {
        return;
    };
    let at = picker.cursor;
    let (items, note) = match settings {
        Ok(settings) => (settings.into_iter().map(item).collect(), String::new()),
        Err(wrong) => (Vec::new(), clean(&wrong).into_owned()),
    };
    match picker.kind {
        PickerKind::Settings => {
            picker.fill(items, note);
            picker.cursor = at;
        }
        PickerKind::Setting => {
            let written = picker.chosen().cloned();
            let mut list = Picker::new(PickerKind::Settings);
            list.fill(items, note);
            if let Some(PickerValue::Setting(written)) = written {
                list.go_to(|value| matches!(value, PickerValue::Setting(setting) if setting.path == written.path));
            }
            *picker = list;
        }
        _ => {}
    }
}

/// What was chosen was not written, and why.
pub(super) fn refused(state: &mut State, why: &str) {
    match state.dialog.as_mut() {
        Some(Dialog::Picker(picker)) if matches!(picker.kind, PickerKind::Settings | PickerKind::Setting) => {
            picker.note = clean(why).into_owned();
        }
        _ => state.say(clean(why).into_owned(), true),
    }
}

/// Enter on a row of the list, or behind what was written on the line.
pub(super) fn take(state: &mut State, mut picker: Picker, setting: Setting, ops: &mut Vec<Op>) {
    let change = |written: &str| {
        Op::Send(Command::Configure {
            path: setting.path.clone(),
            written: written.to_owned(),
        })
    };
    if picker.kind == PickerKind::Setting {
        ops.push(change(picker.filter.trim()));
    } else if setting.is_held() {
        picker.note = lang::setting_held(&clean(&setting.place));
    } else if let Some(next) = setting.next() {
        picker.note.clear();
        ops.push(change(next));
    } else {
        picker = line(setting);
    }
    state.dialog = Some(Dialog::Picker(picker));
}

/// Esc on the line goes back to the list, and on the list to the work.
pub(super) fn close(state: &mut State, ops: &mut Vec<Op>) {
    match &state.dialog {
        Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Setting => {
            ops.push(Op::Send(Command::ListSettings));
        }
        _ => beneath::leave(state),
    }
}

fn item(setting: Setting) -> PickerItem {
    let value = if setting.value.is_empty() {
        word(Word::SettingUnset)
    } else {
        &setting.value
    };
    // The file is named whole where it is the one row.
    let place = setting.place.rsplit('/').next().unwrap_or_default();
    let from = if place.is_empty() {
        lang::layer(setting.layer)
    } else {
        place
    };
    PickerItem {
        text: clean(&format!("{} = {value}", setting.name())).into_owned(),
        detail: if setting.at_start {
            lang::setting_at_start(&clean(from))
        } else {
            clean(from).into_owned()
        },
        current: false,
        value: PickerValue::Setting(Box::new(setting)),
    }
}

/// The line on which a setting is written, with what it is now.
fn line(setting: Setting) -> Picker {
    let rows = [
        setting.name(),
        lang::setting_wants(&setting.wants),
        word(Word::SettingHow).to_owned(),
    ];
    let items = rows.into_iter().enumerate().map(|(row, text)| PickerItem {
        text: clean(&text).into_owned(),
        detail: if row == 0 {
            clean(&setting.place).into_owned()
        } else {
            String::new()
        },
        current: false,
        value: PickerValue::Setting(Box::new(setting.clone())),
    });
    let mut picker = Picker::new(PickerKind::Setting);
    picker.filter = clean(&setting.written).into_owned();
    picker.fill(items.collect(), String::new());
    picker
}
