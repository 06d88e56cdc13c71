//! Speech input for the prompt: the same key starts and ends a recording. The recognised text is inserted at the cursor
//! and is not sent.

use super::prompt::draft;
use crate::op::Op;
use crate::state::State;
use benchdog_domain::voice::{VoiceOrder, VoiceReport, VoiceState};
use benchdog_lang as lang;
use benchdog_protocol::{Command, Everyday};

pub(super) fn toggle(state: &mut State, ops: &mut Vec<Op>) {
    if !end(state, ops) {
        order(VoiceOrder::Start, ops);
    }
}

/// Ends the recording, or discards the text that has not arrived yet. Returns `false` if there is neither.
pub(super) fn end(state: &State, ops: &mut Vec<Op>) -> bool {
    match state.screen.voice {
        VoiceState::Off => return false,
        VoiceState::Recording => order(VoiceOrder::Finish, ops),
        VoiceState::Transcribing => order(VoiceOrder::Cancel, ops),
    }
    true
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
            let before = state.screen.prompt.buffer.before_caret();
            let gap = before.chars().next_back().is_some_and(|last| !last.is_whitespace());
            let text = format!("{}{text}", if gap { " " } else { "" });
            state.screen.prompt.buffer.insert(&text);
            draft::changed(state, ops);
        }
    }
}

#[cfg(test)]
mod tests;
