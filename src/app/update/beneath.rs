//! What a dialog gives back when it is closed.

use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::PickerKind;
use crate::app::state::State;

/// Closes what lies on top. Help, and the question whether a session is closed, give back what they were asked from.
pub(super) fn leave(state: &mut State) {
    let is_over = match &state.dialog {
        Some(Dialog::Help(_)) => true,
        Some(Dialog::Picker(picker)) => picker.kind == PickerKind::Closing,
        _ => false,
    };
    let beneath = state.beneath.take();
    state.dialog = beneath.filter(|_| is_over);
}

/// A session was closed from the list of them, or could not be: the list is there again, for there may be more to close.
pub(super) fn list_comes_back(state: &mut State) {
    let is_list = |dialog: &mut Dialog| matches!(dialog, Dialog::Picker(picker) if picker.kind == PickerKind::Sessions);
    if state.dialog.is_none() {
        state.dialog = state.beneath.take_if(is_list);
    }
}
