//! `/commit`: reads the staged files, puts a proposed message into the prompt, and commits when the user sends the
//! message. Before committing, Benchdog checks whether the staged files have changed in the meantime.

use crate::commands::{COMMIT, COMMIT_ALL, commit_line, git};
use crate::op::Op;
use crate::panes::prompt::{Committing, Message};
use crate::state::State;
use benchdog_base::spelling::nearest;
use benchdog_domain::staged::{Files, NotStaged, Proposal, Unstaged};
use benchdog_domain::tool::CallStatus;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Everyday};

/// Starts a commit. Returns an error if the arguments look like a typo.
pub(super) fn asked(state: &mut State, arguments: &str, ops: &mut Vec<Op>) -> Result<(), String> {
    if let Some(why) = slip(arguments) {
        return Err(why);
    }
    if !arguments.is_empty() {
        // The commands that follow were requested by this Enter, so their approval requests may get the focus.
        state.screen.approvals.command_sent();
    }
    let before = std::mem::take(&mut state.screen.prompt.committing);
    match (arguments, before) {
        ("", Committing::Failed(message)) => bring(state, message),
        ("", _) => propose(state, ops),
        // The user has already seen these files, so they are staged without asking again.
        (COMMIT_ALL, Committing::Offered(new)) => stage(state, &new, ops),
        (COMMIT_ALL, _) => {
            state.screen.prompt.committing = Committing::Looking;
            ops.push(Op::Send(Command::Everyday(Everyday::LookAtUnstaged)));
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
    Ok(())
}

fn slip(message: &str) -> Option<String> {
    let twice = message.match_indices(COMMIT).any(|(at, _)| {
        let (before, after) = (message.get(..at), message.get(at + COMMIT.len()..));
        let glued = before.and_then(|before| before.chars().next_back());
        let glued = glued.is_some_and(|last| !last.is_whitespace() && !"`'\"(".contains(last));
        glued && after.is_some_and(|after| after.is_empty() || after.starts_with(' '))
    });
    if twice {
        return Some(lang::word(lang::Word::CommitTwice).to_owned());
    }
    let is_word = message != COMMIT_ALL && !message.is_empty() && !message.contains(char::is_whitespace);
    let nearly = is_word && nearest(message, [COMMIT_ALL]).is_some();
    nearly.then(|| lang::commit_nearly_all(message))
}

fn stage(state: &mut State, new: &[String], ops: &mut Vec<Op>) {
    let line = git::add(new);
    state.screen.prompt.committing = Committing::Staging(line.clone());
    run(line, ops);
}

/// Handles the list of files that could be staged. The user sees new or skipped files before anything is staged.
pub(super) fn looked_beside(state: &mut State, read: Result<Unstaged, NotStaged>, ops: &mut Vec<Op>) {
    if state.screen.prompt.committing != Committing::Looking {
        return;
    }
    state.screen.prompt.committing = Committing::No;
    match read {
        Ok(unstaged) if unstaged.has_nothing_new() => stage(state, &[], ops),
        Ok(unstaged) => {
            state.screen.conversation.follow();
            state.screen.conversation.remark(&lang::unstaged(&unstaged));
            offer(state, unstaged);
        }
        Err(why) => {
            state.screen.conversation.follow();
            state.screen.conversation.remark(&lang::not_staged(&why));
        }
    }
}

fn offer(state: &mut State, unstaged: Unstaged) {
    if !unstaged.can_be_staged() {
        return;
    }
    if state.screen.prompt.buffer.is_empty() {
        state.screen.prompt.bring(&commit_line(COMMIT_ALL));
    }
    state.screen.prompt.committing = Committing::Offered(unstaged.new);
}

fn send(state: &mut State, message: Message, ops: &mut Vec<Op>) {
    if message.files.is_none() {
        return commit(state, message, ops);
    }
    state.screen.prompt.committing = Committing::Checking(message);
    ops.push(Op::Send(Command::Everyday(Everyday::LookAtStaged)));
}

fn commit(state: &mut State, message: Message, ops: &mut Vec<Op>) {
    run(git::commit(&message.text), ops);
    state.screen.prompt.committing = Committing::Sent(message);
}

fn propose(state: &mut State, ops: &mut Vec<Op>) {
    state.screen.prompt.committing = Committing::Asked;
    state.say(word(Word::CommitReads), false);
    ops.push(Op::Send(Command::Everyday(Everyday::ProposeCommit)));
}

fn run(command: String, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::Shell { command, typed: true }));
}

fn bring(state: &mut State, message: Message) {
    if state.screen.prompt.buffer.is_empty() {
        state.screen.prompt.bring(&commit_line(&message.text));
        state.screen.prompt.committing = message.files.map_or(Committing::No, Committing::Shown);
    } else {
        state.screen.conversation.remark(&lang::commit_kept(&message.text));
        state.screen.prompt.committing = Committing::Failed(message);
    }
}

pub(super) fn looked(state: &mut State, now: Result<Files, NotStaged>, ops: &mut Vec<Op>) {
    let message = match std::mem::take(&mut state.screen.prompt.committing) {
        Committing::Checking(message) => message,
        other => {
            state.screen.prompt.committing = other;
            return;
        }
    };
    match now {
        Ok(files) if message.files.as_ref() == Some(&files.digest) => commit(state, message, ops),
        Ok(files) => {
            state.screen.conversation.follow();
            state.screen.conversation.remark(&lang::commit_stale(&files));
            let files = Some(files.digest);
            bring(state, Message { files, ..message });
        }
        Err(why) => {
            state.screen.conversation.follow();
            state.screen.conversation.remark(&lang::not_staged(&why));
            bring(state, message);
        }
    }
}

pub(super) fn read(state: &mut State, read: Result<Proposal, NotStaged>) {
    let awaited = std::mem::take(&mut state.screen.prompt.committing);
    if awaited != Committing::Asked {
        state.screen.prompt.committing = awaited;
        return;
    }
    state.screen.toast = None;
    state.screen.conversation.follow();
    match read {
        Ok(proposal) => {
            state.screen.conversation.remark(&lang::commit_proposed(&proposal));
            if !proposal.secret.is_empty() {
                state
                    .screen
                    .conversation
                    .refuse(&lang::commit_secret(&proposal.secret), "");
            }
            let (text, files) = (proposal.message, Some(proposal.files.digest));
            bring(state, Message { text, files });
        }
        Err(why) => {
            state.screen.conversation.remark(&lang::not_staged(&why));
            if let NotStaged::Unstaged(unstaged) = why {
                offer(state, unstaged);
            }
        }
    }
}

/// Handles the end of a command: requests the message after staging, or restores it after a failed commit.
pub(super) fn ran(state: &mut State, command: &str, status: CallStatus, ops: &mut Vec<Op>) {
    match std::mem::take(&mut state.screen.prompt.committing) {
        Committing::Staging(line) if command == line => {
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
        other => state.screen.prompt.committing = other,
    }
}
