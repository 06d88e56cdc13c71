//! The list of settings, and the input for one setting. The engine writes the new value.

use super::beneath;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::state::State;
use benchdog_base::text::{clean, last_part};
use benchdog_domain::permission::Layer;
use benchdog_domain::setting::Setting;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Command;

pub(super) fn list(state: &mut State, ops: &mut Vec<Op>) {
    state.screen.dialog = Some(Dialog::Picker(Picker::new(PickerKind::Settings)));
    ops.push(Op::Send(Command::ListSettings));
}

pub(super) fn listed(state: &mut State, settings: Result<Vec<Setting>, String>) {
    let Some(Dialog::Picker(picker)) = state.screen.dialog.as_mut() else {
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
        PickerKind::Setting | PickerKind::Values => {
            let written = picker.setting.take();
            let mut list = Picker::new(PickerKind::Settings);
            list.fill(items, note);
            if let Some(written) = written {
                list.go_to(|value| matches!(value, PickerValue::Setting(setting) if setting.path == written.path));
            }
            *picker = list;
        }
        _ => {}
    }
}

pub(super) fn refused(state: &mut State, why: &str) {
    match state.screen.dialog.as_mut() {
        Some(Dialog::Picker(picker)) if is_of_settings(picker.kind) => {
            picker.note = clean(why).into_owned();
        }
        _ => state.say(clean(why).into_owned(), true),
    }
}

fn is_of_settings(kind: PickerKind) -> bool {
    matches!(kind, PickerKind::Settings | PickerKind::Setting | PickerKind::Values)
}

const THEME: &str = "ui.theme";
/// Number of possible values at which Enter switches directly to the other value, without a list.
const TWO: usize = 2;

pub(super) fn take(state: &mut State, mut picker: Picker, setting: Setting, ops: &mut Vec<Op>) {
    if picker.kind == PickerKind::Setting {
        ops.push(change(&setting, picker.filter.trim()));
    } else if setting.is_held() {
        picker.note = lang::message::setting_held(&clean(&setting.place));
    } else if setting.choices.len() > TWO {
        picker = values(setting);
    } else if let Some(next) = setting.next() {
        picker.note.clear();
        ops.push(change(&setting, next));
    } else if setting.key == THEME {
        picker = Picker::new(PickerKind::Values);
        picker.setting = Some(Box::new(setting));
        ops.push(Op::ListThemes);
    } else {
        picker = line(setting);
    }
    state.screen.dialog = Some(Dialog::Picker(picker));
}

fn change(setting: &Setting, written: &str) -> Op {
    Op::Send(Command::Configure {
        path: setting.path.clone(),
        written: written.to_owned(),
    })
}

pub(super) fn choose(state: &mut State, picker: Picker, written: &str, ops: &mut Vec<Op>) {
    if let Some(setting) = &picker.setting {
        ops.push(change(setting, written));
        if setting.key == THEME {
            // Forget a theme that is only previewed, so that it does not replace the saved theme.
            state.themes.forget_pick();
        }
    }
    state.screen.dialog = Some(Dialog::Picker(picker));
}

fn values(setting: Setting) -> Picker {
    let row = |choice: &String| PickerItem {
        text: clean(choice).into_owned(),
        detail: String::new(),
        current: *choice == setting.written,
        value: PickerValue::Written(choice.clone()),
    };
    let rows = setting.choices.iter().map(row).chain(unset(&setting)).collect();
    let mut picker = Picker::new(PickerKind::Values);
    picker.setting = Some(Box::new(setting));
    picker.fill(rows, String::new());
    picker
}

pub(super) fn unset(setting: &Setting) -> Option<PickerItem> {
    (setting.layer == Layer::User).then(|| PickerItem {
        text: word(Word::SettingUnset).to_owned(),
        detail: String::new(),
        current: false,
        value: PickerValue::Written(String::new()),
    })
}

pub(super) fn close(state: &mut State, ops: &mut Vec<Op>) {
    match &state.screen.dialog {
        Some(Dialog::Picker(picker)) if matches!(picker.kind, PickerKind::Setting | PickerKind::Values) => {
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
    // Show only the file name, because the full path is shown below the list.
    let place = last_part(&setting.place);
    let from = if place.is_empty() {
        lang::layer(setting.layer)
    } else {
        place
    };
    PickerItem {
        text: clean(&format!("{} = {value}", setting.name())).into_owned(),
        detail: if setting.at_start {
            lang::message::setting_at_start(&clean(from))
        } else {
            clean(from).into_owned()
        },
        current: false,
        value: PickerValue::Setting(Box::new(setting)),
    }
}

fn line(setting: Setting) -> Picker {
    let mut picker = Picker::new(PickerKind::Setting);
    picker.filter = clean(&setting.written).into_owned();
    let item = PickerItem {
        text: clean(&setting.name()).into_owned(),
        detail: clean(&setting.place).into_owned(),
        current: false,
        value: PickerValue::Setting(Box::new(setting.clone())),
    };
    picker.setting = Some(Box::new(setting));
    picker.fill(vec![item], String::new());
    picker
}
