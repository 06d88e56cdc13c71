//! Applies new log entries, and the log entries of a resumed session.

use std::sync::Arc;

use super::live::{answered, finished};
use crate::layout::Pane;
use crate::op::Op;
use crate::panes::todo::Bar;
use crate::state::State;
use crate::update::prompt::{draft, send};
use crate::update::title::title;
use crate::update::{commit, loops, marking, rewind, setup};
use benchdog_base::clock::Time;
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history;
use benchdog_domain::mention::MentionKind;
use benchdog_domain::tool::{CallStatus, Success, ToolFacts};
use benchdog_domain::undo::of_line;
use benchdog_lang::{Word, word};
use benchdog_protocol::{Command, Delivery};

pub(super) fn fact(state: &mut State, entry: &Arc<Entry>, at: Time, ops: &mut Vec<Op>) {
    state.screen.conversation.entry(entry);
    marking::entry_came(state, &entry.body);
    show_in_panes(state, entry);
    if state.screen.session.title.is_empty()
        && let Some(first) = history::title(entry)
    {
        state.screen.session.title = first;
        title(state, ops);
    }
    if matches!(
        entry.body,
        Body::TurnEnded { .. } | Body::Shell { .. } | Body::CallEnded { .. }
    ) {
        let folders = state.screen.files.outdated().into_iter();
        ops.extend(folders.map(|path| Op::Send(Command::ListFolder { path })));
        state.screen.changes.may_differ();
    }
    match &entry.body {
        Body::User { text, .. } => state.screen.turn.unanswered = Some(text.clone()),
        Body::Assistant { calls, .. } => {
            state.screen.turn.unanswered = None;
            let calls = calls.iter().map(|call| call.id.clone());
            state.screen.approvals.replied(calls);
        }
        Body::Approval { call, .. } => answered(state, call, ops),
        Body::Model { .. } => {
            if setup::chosen(state) {
                send::send(state, Delivery::Queue, ops);
            }
            title(state, ops);
        }
        Body::TurnEnded { outcome, .. } => {
            let unanswered = state.screen.turn.unanswered.take();
            finished(state, at, ops);
            // Put the prompt back, so that the user can send it again or edit it.
            if let (TurnOutcome::Error, Some(prompt)) = (outcome, unanswered) {
                draft::bring_back(state, |sent| sent.trim() == prompt.trim(), ops);
            }
            loops::turn_ended(state, *outcome);
            rewind::turn_ended(state, ops);
        }
        Body::Shell { command, status, .. } => {
            state.screen.conversation.read_found(entry);
            commit::ran(state, command, *status, ops);
            if of_line(command).is_some() {
                rewind::restored(state, *status == CallStatus::Ok);
            }
        }
        Body::CallEnded {
            tool, title, status, ..
        } if tool == SHELL => commit::ran(state, title, *status, ops),
        Body::Compaction(compaction) if !compaction.dropped.is_empty() => state.say(word(Word::CostsCache), false),
        _ => {}
    }
}

pub(super) fn show_in_panes(state: &mut State, entry: &Entry) {
    match &entry.body {
        Body::Change {
            path,
            before,
            after,
            added,
            removed,
            ..
        } => {
            let counts = (*added, *removed);
            state.screen.changes.made(path, counts, before.clone(), after.as_ref());
            state.screen.files.mark_changed(path);
        }
        Body::ToolResult {
            call,
            tool,
            title,
            status,
            places,
            ..
        } => {
            state.screen.changes.ended(call, *status);
            let success = ToolFacts::success_of(&state.screen.conversation.tools, tool);
            if *status == CallStatus::Ok && success == Success::FileRead {
                match places.as_slice() {
                    // Log entries of earlier versions have no list of files. The title of such an entry is the file.
                    [] => state.screen.files.mark_read(title),
                    // The title may contain a line number.
                    places => places
                        .iter()
                        .for_each(|place| state.screen.files.mark_read(&place.path)),
                }
            }
        }
        Body::User { text, mentions, .. } => {
            state.screen.todo.said(entry.turn.0, text);
            let files = mentions.iter().filter(|mention| mention.kind == MentionKind::File);
            files.for_each(|file| state.screen.files.mark_read(&file.path));
        }
        Body::Todo { items } => {
            let bar = match state.screen.focus {
                Pane::Todo => Bar::Stays,
                _ => Bar::Follows,
            };
            state.screen.todo.set(items.clone(), bar);
        }
        Body::Model { model, .. } => {
            if state.screen.session.model.as_ref() != Some(model) {
                // The reported problem belongs to the endpoint of the previous model.
                state.screen.session.endpoint = None;
                state.screen.pull.take_if(|card| !card.is_running());
            }
            state.screen.session.model = Some(model.clone());
        }
        Body::Plan(plan) => state.screen.session.plan = Some(plan.text.clone()),
        Body::Agent { agent, .. } => state.screen.session.agent = agent.clone(),
        _ => {}
    }
}
