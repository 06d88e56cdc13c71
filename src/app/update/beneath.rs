//! Closes a dialog, and restores the dialog below it, if any.

use crate::dialogs::Dialog;
use crate::dialogs::picker::PickerKind;
use crate::state::State;

/// Closes the current dialog. Restores the dialog below help, a closing confirmation or a title input.
pub(super) fn leave(state: &mut State) {
    let is_over = match &state.screen.dialog {
        Some(Dialog::Help(_)) => true,
        Some(Dialog::Picker(picker)) => matches!(picker.kind, PickerKind::Closing | PickerKind::Rename),
        _ => false,
    };
    let beneath = state.screen.beneath.take();
    state.screen.dialog = beneath.filter(|_| is_over);
}

pub(super) fn list_comes_back(state: &mut State) {
    let is_list = |dialog: &mut Dialog| matches!(dialog, Dialog::Picker(picker) if picker.kind == PickerKind::Sessions);
    if state.screen.dialog.is_none() {
        state.screen.dialog = state.screen.beneath.take_if(is_list);
    }
}
