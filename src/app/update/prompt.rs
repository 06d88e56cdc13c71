//! Keys of the prompt and its completion, except for text editing.

pub(super) mod draft;
pub(super) mod send;

use std::path::Path;

use draft::changed;
pub(super) use send::choose;

use super::leave;
use crate::op::Op;
use crate::state::State;
use benchdog_domain::mention::written;
use benchdog_keys::action::{CompletionAction, PromptAction};
use benchdog_lang::{Word, word};
use benchdog_protocol::{Command, Delivery};

pub(super) fn act(state: &mut State, action: PromptAction, ops: &mut Vec<Op>) {
    match action {
        PromptAction::Send => send::enter(state, ops),
        PromptAction::Steer => send::send(state, Delivery::Steer, ops),
        PromptAction::Newline => {
            state.prompt.buffer.insert("\n");
            changed(state, ops);
        }
        PromptAction::Unqueue => ops.push(Op::Send(Command::Unqueue)),
        PromptAction::Unfold if state.prompt.buffer.unfold() => changed(state, ops),
        PromptAction::Unfold => state.say(word(Word::NothingToUnfold), false),
        PromptAction::PasteImage => ops.push(Op::TakeImage { seat: state.seat }),
        PromptAction::Up => up(state, ops),
        PromptAction::Down => {
            state.prompt.down();
            walked(state);
        }
        PromptAction::DeleteOrQuit if state.prompt.buffer.is_empty() => leave::leave(state, ops),
        PromptAction::DeleteOrQuit => {
            state.prompt.delete_right();
            changed(state, ops);
        }
        PromptAction::ScrollUp => state.conversation.page(-1),
        PromptAction::ScrollDown => state.conversation.page(1),
    }
}

pub(super) fn image(state: &mut State, path: &Path, ops: &mut Vec<Op>) {
    let mention = written(&path.to_string_lossy());
    state.prompt.buffer.insert(&format!("{mention} "));
    changed(state, ops);
}

/// In an empty prompt, restores a queued prompt. Otherwise shows earlier prompts.
fn up(state: &mut State, ops: &mut Vec<Op>) {
    if state.prompt.buffer.is_empty() && !state.prompt.queued.is_empty() {
        ops.push(Op::Send(Command::Unqueue));
        return;
    }
    state.prompt.up();
    walked(state);
}

fn walked(state: &mut State) {
    state.prompt.completion = None;
    let now = state.now;
    state.prompt.changed(now);
}

pub(super) fn complete(state: &mut State, action: CompletionAction, ops: &mut Vec<Op>) {
    match action {
        CompletionAction::Accept => {
            if state.prompt.completion_accept() {
                changed(state, ops);
            }
        }
        CompletionAction::Next => state.prompt.completion_step(1),
        CompletionAction::Previous => state.prompt.completion_step(-1),
        CompletionAction::Close => state.prompt.completion_close(),
    }
}
