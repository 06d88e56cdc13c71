//! Speech input: one key starts and ends a recording, and `Esc` discards it. The text is inserted, not sent.

use super::prompt::draft;
use crate::op::Op;
use crate::state::State;
use benchdog_domain::voice::{VoiceOrder, VoiceReport, VoiceState};
use benchdog_lang as lang;
use benchdog_protocol::{Command, Everyday};

pub(super) fn toggle(state: &State, ops: &mut Vec<Op>) {
    let next = match state.screen.voice {
        VoiceState::Off => VoiceOrder::Start,
        VoiceState::Recording => VoiceOrder::Finish,
        VoiceState::Transcribing => VoiceOrder::Cancel,
    };
    order(next, ops);
}

/// Discards the recording, or the recognised text that has not arrived yet. Returns `false` if there is neither.
pub(super) fn discard(state: &State, ops: &mut Vec<Op>) -> bool {
    let is_on = state.screen.voice != VoiceState::Off;
    if is_on {
        order(VoiceOrder::Cancel, ops);
    }
    is_on
}

fn order(order: VoiceOrder, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::Everyday(Everyday::Voice(order))));
}

pub(super) fn report(state: &mut State, report: VoiceReport, ops: &mut Vec<Op>) {
    state.screen.voice = match report {
        VoiceReport::State(now) => now,
        VoiceReport::Failed(_) | VoiceReport::Heard(_) => VoiceState::Off,
    };
    match report {
        VoiceReport::State(_) => {}
        VoiceReport::Failed(why) => state.say(lang::no_voice(&why), true),
        VoiceReport::Heard(text) => {
            // Clear a selection that the user made while speaking, so that the new text does not replace it.
            let buffer = &mut state.screen.prompt.buffer;
            buffer.go_to(buffer.caret());
            let before = buffer.before_caret();
            let gap = before.chars().next_back().is_some_and(|last| !last.is_whitespace());
            let text = format!("{}{text}", if gap { " " } else { "" });
            buffer.insert(&text);
            draft::changed(state, ops);
        }
    }
}

#[cfg(test)]
mod tests;
