//! Exit of the program. A confirmation is shown if running work would be stopped, unless the setting disables the
//! confirmation. Pending requests need no confirmation, because a resumed session shows them again.

use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::op::Op;
use crate::seats::{Stopped, stopped_by_leaving};
use crate::state::State;
use benchdog_lang::{self as lang, Word, word};

pub(super) fn leave(state: &mut State, ops: &mut Vec<Op>) {
    let stopped = stopped_by_leaving(state);
    if state.confirm_exit && stopped != Stopped::default() && !asks(state) {
        state.screen.dialog = Some(Dialog::Picker(question(stopped)));
    } else {
        ops.push(Op::Quit);
    }
}

/// Whether the exit confirmation is open. A second exit command then confirms the exit.
fn asks(state: &State) -> bool {
    matches!(&state.screen.dialog, Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Leaving)
}

fn question(stopped: Stopped) -> Picker {
    let item = |text, value| PickerItem {
        text: word(text).to_owned(),
        detail: String::new(),
        current: false,
        value,
    };
    let items = vec![
        item(Word::Stays, PickerValue::Stays),
        item(Word::Leaves, PickerValue::Leaves),
    ];
    let mut picker = Picker::new(PickerKind::Leaving);
    picker.fill(items, lang::stopped_by_leaving(stopped.turns, stopped.jobs));
    picker
}
