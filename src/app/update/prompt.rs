//! Handles keys of the prompt and of the completion list, except for editing text.

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
            state.screen.prompt.buffer.insert("\n");
            changed(state, ops);
        }
        PromptAction::Unqueue => ops.push(Op::Send(Command::Unqueue)),
        PromptAction::Unfold if state.screen.prompt.buffer.unfold() => changed(state, ops),
        PromptAction::Unfold => state.say(word(Word::NothingToUnfold), false),
        PromptAction::PasteImage => ops.push(Op::TakeImage {
            seat: state.screen.seat,
        }),
        PromptAction::Up => up(state, ops),
        PromptAction::Down => {
            state.screen.prompt.down();
            walked(state);
        }
        PromptAction::DeleteOrQuit if state.screen.prompt.buffer.is_empty() => leave::leave(state, ops),
        PromptAction::DeleteOrQuit => {
            state.screen.prompt.delete_right();
            changed(state, ops);
        }
        PromptAction::ScrollUp => state.screen.conversation.page(-1),
        PromptAction::ScrollDown => state.screen.conversation.page(1),
    }
}

pub(super) fn image(state: &mut State, path: &Path, ops: &mut Vec<Op>) {
    let mention = written(&path.to_string_lossy());
    state.screen.prompt.buffer.insert(&format!("{mention} "));
    changed(state, ops);
}

fn up(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.prompt.buffer.is_empty() && !state.screen.prompt.queued.is_empty() {
        ops.push(Op::Send(Command::Unqueue));
        return;
    }
    state.screen.prompt.up();
    walked(state);
}

fn walked(state: &mut State) {
    state.screen.prompt.completion = None;
    let now = state.now;
    state.screen.prompt.changed(now);
}

pub(super) fn complete(state: &mut State, action: CompletionAction, ops: &mut Vec<Op>) {
    match action {
        CompletionAction::Accept => {
            if state.screen.prompt.completion_accept() {
                changed(state, ops);
            }
        }
        CompletionAction::Next => state.screen.prompt.completion_step(1),
        CompletionAction::Previous => state.screen.prompt.completion_step(-1),
        CompletionAction::Close => state.screen.prompt.completion_close(),
    }
}
