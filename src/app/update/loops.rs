//! `/loop`: starts, lists, stops and sends repeated prompts. Tool calls in the resulting turns need approval as usual.

use crate::commands::{Sent, parse};
use crate::dialogs::Dialog;
use crate::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::loops::{Wanted, wanted};
use crate::op::Op;
use crate::state::State;
use benchdog_base::clock::Time;
use benchdog_base::text::clean;
use benchdog_domain::entry::TurnOutcome;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Delivery};

pub(super) fn slash(state: &mut State, arguments: &str) -> Result<(), String> {
    match wanted(arguments) {
        None => return Err(word(Word::LoopWanted).to_owned()),
        Some(Wanted::List) => list(state),
        Some(Wanted::StopAll) => match state.screen.loops.stop_all() {
            0 => state.say(word(Word::NoLoops), false),
            all => state.say(lang::message::loops_stopped(all), false),
        },
        Some(Wanted::Stop(number)) if state.screen.loops.stop(number) => state.say(lang::loop_stopped(number), false),
        Some(Wanted::Stop(number)) => return Err(lang::no_loop(number)),
        Some(Wanted::Begin { every, ms, prompt }) => {
            // Only prompts can be repeated. A command must not run without an action of the user.
            if !matches!(
                parse(prompt, |name| state.screen.prompt.has_skill(name)),
                Sent::Prompt(_)
            ) {
                return Err(word(Word::LoopOfCommand).to_owned());
            }
            match state.screen.loops.begin(every, ms, prompt, state.now) {
                Some(number) => state.say(lang::loop_begun(number, every), false),
                None => return Err(word(Word::LoopsFull).to_owned()),
            }
        }
    }
    Ok(())
}

fn stop(state: &mut State, number: u32) {
    if state.screen.loops.stop(number) {
        state.say(lang::loop_stopped(number), false);
    } else {
        state.say(lang::no_loop(number), true);
    }
}

fn list(state: &mut State) {
    if state.screen.loops.all().is_empty() {
        return state.say(word(Word::NoLoops), false);
    }
    let mut picker = Picker::new(PickerKind::Loops);
    picker.fill(items(state), word(Word::LoopsKeys).to_owned());
    state.screen.dialog = Some(Dialog::Picker(picker));
}

fn items(state: &State) -> Vec<PickerItem> {
    let item = |one: &crate::loops::Loop| PickerItem {
        text: clean(&one.prompt.replace('\n', " ")).into_owned(),
        detail: lang::loop_stands(&one.every, one.next.since(state.now).div_ceil(1_000), one.skipped),
        current: false,
        value: PickerValue::Loop(one.number),
    };
    state.screen.loops.all().iter().map(item).collect()
}

pub(super) fn take(state: &mut State, number: u32) {
    stop(state, number);
    if !state.screen.loops.all().is_empty() {
        list(state);
    }
}

pub(super) fn due(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    if state.screen.loops.next().is_none_or(|next| next > at) {
        return;
    }
    let is_idle = !state.screen.turn.busy() && state.screen.prompt.queued.is_empty() && !state.screen.approvals.asks();
    state.dirty = true;
    if let Some(text) = state.screen.loops.due(at, is_idle) {
        ops.push(Op::Send(Command::Prompt {
            text,
            pasted: Vec::new(),
            delivery: Delivery::Queue,
        }));
    } else {
        state.say(word(Word::LoopSkipped), false);
    }
}

pub(super) fn turn_ended(state: &mut State, outcome: TurnOutcome) {
    if outcome == TurnOutcome::Done {
        state.screen.loops.went_well();
    } else {
        failed(state);
    }
}

pub(super) fn failed(state: &mut State) {
    if let Some(number) = state.screen.loops.failed() {
        state.screen.conversation.remark(&lang::loop_failed(number));
    }
}

pub(super) fn session_ended(state: &mut State) {
    if state.screen.loops.stop_all() > 0 {
        state.say(word(Word::LoopsEnded), false);
    }
}
