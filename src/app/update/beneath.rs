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
