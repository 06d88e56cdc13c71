//! `/commit`: what is staged is read, a message for it comes into the prompt, and sending it there commits. The prompt is where one changes it;
//! what is staged otherwise meanwhile is noticed before it is committed.

use crate::app::commands::{COMMIT_ALL, commit_line, git};
use crate::app::op::Op;
use crate::app::panes::prompt::{Committing, Message};
use crate::app::state::State;
use crate::domain::staged::{Files, NotStaged, Proposal};
use crate::domain::tool::CallStatus;
use crate::lang::{self, Word, word};
use crate::protocol::{Command, Everyday};

pub(super) fn asked(state: &mut State, arguments: &str, ops: &mut Vec<Op>) {
    let before = std::mem::take(&mut state.prompt.committing);
    match (arguments, before) {
        // It was not committed the last time.
        ("", Committing::Failed(message)) => bring(state, message),
        ("", _) => propose(state, ops),
        (COMMIT_ALL, _) => {
            state.prompt.committing = Committing::Staging;
            run(git::add(), ops);
        }
        (message, before) => {
            let files = match before {
                Committing::Shown(files) => Some(files),
                Committing::Failed(message) => message.files,
                _ => None,
            };
            let text = message.to_owned();
            send(state, Message { text, files }, ops);
        }
    }
}

/// What was shown may be another by now; what nobody was shown is committed as it stands.
fn send(state: &mut State, message: Message, ops: &mut Vec<Op>) {
    if message.files.is_none() {
        return commit(state, message, ops);
    }
    state.prompt.committing = Committing::Checking(message);
    ops.push(Op::Send(Command::Everyday(Everyday::LookAtStaged)));
}

fn commit(state: &mut State, message: Message, ops: &mut Vec<Op>) {
    run(git::commit(&message.text), ops);
    state.prompt.committing = Committing::Sent(message);
}

fn propose(state: &mut State, ops: &mut Vec<Op>) {
    state.prompt.committing = Committing::Asked;
    state.say(word(Word::CommitReads), false);
    ops.push(Op::Send(Command::Everyday(Everyday::ProposeCommit)));
}

/// The person sent it, and nothing of it is read by a shell but the words of git.
fn run(command: String, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::Shell { command, typed: true }));
}

/// The message stands in the prompt, unless something else does.
fn bring(state: &mut State, message: Message) {
    if state.prompt.buffer.is_empty() {
        state.prompt.bring(&commit_line(&message.text));
        state.prompt.committing = message.files.map_or(Committing::No, Committing::Shown);
    } else {
        state.conversation.remark(&lang::commit_kept(&message.text));
        state.prompt.committing = Committing::Failed(message);
    }
}

/// Whether the files are still those that were shown: they are committed then, and shown as they are now else.
pub(super) fn looked(state: &mut State, now: Result<Files, NotStaged>, ops: &mut Vec<Op>) {
    let message = match std::mem::take(&mut state.prompt.committing) {
        Committing::Checking(message) => message,
        other => {
            state.prompt.committing = other;
            return;
        }
    };
    match now {
        Ok(files) if message.files.as_ref() == Some(&files.digest) => commit(state, message, ops),
        Ok(files) => {
            state.conversation.follow();
            state.conversation.remark(&lang::commit_stale(&files));
            let files = Some(files.digest);
            bring(state, Message { files, ..message });
        }
        Err(why) => {
            state.conversation.follow();
            state.conversation.remark(&lang::not_staged(&why));
            bring(state, message);
        }
    }
}

/// What is staged was read.
pub(super) fn read(state: &mut State, read: Result<Proposal, NotStaged>) {
    let awaited = std::mem::take(&mut state.prompt.committing);
    if awaited != Committing::Asked {
        state.prompt.committing = awaited;
        return;
    }
    state.toast = None;
    state.conversation.follow();
    match read {
        Ok(proposal) => {
            state.conversation.remark(&lang::commit_proposed(&proposal));
            if !proposal.secret.is_empty() {
                state.conversation.error(&lang::commit_secret(&proposal.secret), "");
            }
            let (text, files) = (proposal.message, Some(proposal.files.digest));
            bring(state, Message { text, files });
        }
        Err(why) => {
            state.conversation.remark(&lang::not_staged(&why));
            if matches!(why, NotStaged::Changed { .. }) && state.prompt.buffer.is_empty() {
                state.prompt.bring(&commit_line(COMMIT_ALL));
            }
        }
    }
}

/// A command of the person ended: after what was staged comes the message, and a message that was not committed comes back.
pub(super) fn ran(state: &mut State, command: &str, status: CallStatus, ops: &mut Vec<Op>) {
    match std::mem::take(&mut state.prompt.committing) {
        Committing::Staging if command == git::add() => {
            if status == CallStatus::Ok {
                propose(state, ops);
            }
        }
        Committing::Sent(message) if command == git::commit(&message.text) => {
            if status != CallStatus::Ok {
                bring(state, message);
                state.say(word(Word::CommitFailed), true);
            }
        }
        other => state.prompt.committing = other,
    }
}
