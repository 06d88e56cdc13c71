//! `/commit`: what is staged is read, a message for it comes into the prompt, and sending it there commits. The prompt is where one changes it.

use crate::app::commands::{COMMIT_ALL, commit_line, git};
use crate::app::op::Op;
use crate::app::panes::prompt::Committing;
use crate::app::state::State;
use crate::domain::staged::{NotStaged, Proposal};
use crate::domain::tool::CallStatus;
use crate::lang::{self, Word, word};
use crate::protocol::{Command, Everyday};

pub(super) fn asked(state: &mut State, arguments: &str, ops: &mut Vec<Op>) {
    match arguments {
        "" => match std::mem::take(&mut state.prompt.committing) {
            // It was not committed the last time.
            Committing::Failed(message) => bring(state, &message),
            _ => propose(state, ops),
        },
        COMMIT_ALL => {
            state.prompt.committing = Committing::Staging;
            run(git::add(), ops);
        }
        message => {
            let message = message.to_owned();
            run(git::commit(&message), ops);
            state.prompt.committing = Committing::Sent(message);
        }
    }
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
fn bring(state: &mut State, message: &str) {
    if state.prompt.buffer.is_empty() {
        state.prompt.bring(&commit_line(message));
    } else {
        state.prompt.committing = Committing::Failed(message.to_owned());
        state.conversation.remark(&lang::commit_kept(message));
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
            bring(state, &proposal.message);
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
        Committing::Sent(message) if command == git::commit(&message) => {
            if status != CallStatus::Ok {
                bring(state, &message);
                state.say(word(Word::CommitFailed), true);
            }
        }
        other => state.prompt.committing = other,
    }
}
