//! The way out. Where leaving would stop something, the person is asked first, unless they wrote that they need not be.
//!
//! A request that waits for them is no reason to ask: it is there again when the session is taken up.

use crate::app::dialogs::Dialog;
use crate::app::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::app::op::Op;
use crate::app::seats::{Stopped, stopped_by_leaving};
use crate::app::state::State;
use crate::lang::{self, Word, word};

pub(super) fn leave(state: &mut State, ops: &mut Vec<Op>) {
    let stopped = stopped_by_leaving(state);
    if state.confirm_exit && stopped != Stopped::default() && !asks(state) {
        state.dialog = Some(Dialog::Picker(question(stopped)));
    } else {
        ops.push(Op::Quit);
    }
}

/// Whoever wants to leave while they are asked means it.
fn asks(state: &State) -> bool {
    matches!(&state.dialog, Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Leaving)
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
