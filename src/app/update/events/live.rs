//! Applies live events: progress, streamed text, running calls, and notices.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::dialogs::Dialog;
use crate::dialogs::approval::RequestView;
use crate::dialogs::picker::PickerKind;
use crate::dialogs::sheet::SheetKind;
use crate::dialogs::why::on_disk_said;
use crate::op::Op;
use crate::screen::{News, Retry, TurnView};
use crate::state::{Sight, State};
use crate::update::title::title;
use crate::update::{jobs, loops, request, rewind, setup};
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_base::text::{clean, reveal, width};
use benchdog_domain::agent::EndpointTrouble;
use benchdog_domain::budget::Ledger;
use benchdog_domain::call::Origin;
use benchdog_domain::child::ChildState;
use benchdog_domain::failure::Failure;
use benchdog_domain::notice::{Notice, Until};
use benchdog_domain::review::{Question, Review};
use benchdog_domain::server::ServerNotice;
use benchdog_domain::undo::UndoNotice;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Ahead, ApprovalRequest, ChildLive, Command, Live, TurnState};

pub(super) fn live(state: &mut State, live: Live, at: Time, ops: &mut Vec<Op>) {
    match live {
        Live::State(stage) => stage_is(state, stage, at, ops),
        Live::Stage(stage) => {
            state.screen.turn.retry = None;
            state.screen.turn.stage = Some((stage, at));
        }
        Live::Text(text) => {
            state.screen.turn.thinks = false;
            streamed(state, &text, at);
            state.screen.conversation.text_delta(&text);
        }
        Live::Reasoning(text) => {
            state.screen.turn.thinks = true;
            streamed(state, &text, at);
            state.screen.conversation.reasoning_delta(&text);
        }
        Live::Retrying {
            attempt,
            wait_ms,
            reason,
            at,
        } => {
            let reason = lang::retry_reason(&reason);
            state.screen.conversation.retry(&reason);
            state.screen.turn.retry = Some(Retry {
                attempt,
                at: Time(at.0.saturating_add_unsigned(wait_ms)),
                reason,
            });
        }
        Live::StatusLine(line) => state.screen.status_line = clean(&line).into_owned(),
        Live::Endpoint(trouble) => reached(state, trouble),
        Live::Confinement(standing) => state.screen.session.confinement = Some(standing),
        Live::Context(ledger) => carries(state, ledger, ops),
        Live::Queued(prompts) => state.screen.prompt.queued = prompts,
        Live::ToolStarted { call, tool, title } => {
            state.screen.conversation.tool_started(&call, &tool, &title, at);
        }
        Live::ToolOutput(chunk) => state.screen.conversation.tool_output(&chunk),
        Live::ApprovalRequested(request) => asked(state, request, ops),
        Live::Ahead(ahead) => looked_ahead(state, &ahead),
        Live::Jobs(jobs) => jobs::stand(state, jobs),
        Live::WaitBegan(awaited) => state.screen.turn.awaited.push((awaited, at)),
        Live::WaitEnded(awaited) => {
            let awaited = state.screen.turn.awaited.iter().position(|(one, _)| *one == awaited);
            awaited.map(|at| state.screen.turn.awaited.remove(at));
        }
        Live::ApprovalGone { call } => {
            form_goes(state, &call);
            answered(state, &call, ops);
        }
        Live::Child(child) => child_stands(state, &child),
        Live::Notice(notice) => noticed(state, &notice, ops),
        Live::Error(failure) => failed(state, &failure, ops),
    }
}

/// Handles the result of checking the endpoint. If the model can be used, removes the offer to download the model.
fn reached(state: &mut State, trouble: Option<EndpointTrouble>) {
    state.screen.session.endpoint = trouble;
    if trouble != Some(EndpointTrouble::ModelMissing) {
        state.screen.pull.take_if(|card| !card.is_running());
    }
}

fn carries(state: &mut State, ledger: Ledger, ops: &mut Vec<Op>) {
    state.screen.context.ledger = Some(ledger);
    if state.screen.context.is_open() && !state.screen.turn.busy() {
        ops.push(Op::Send(Command::ListContext));
    }
}

/// Updates the row of a subagent. If the subagent has ended, removes the hint about how to stop the subagent.
fn child_stands(state: &mut State, child: &Arc<ChildLive>) {
    state.screen.conversation.child(child);
    if matches!(child.state, ChildState::Ended(_)) {
        state
            .screen
            .toast
            .take_if(|toast| toast.child.as_ref() == Some(&child.call));
    }
}

fn failed(state: &mut State, failure: &Failure, ops: &mut Vec<Op>) {
    loops::failed(state);
    match failure {
        Failure::NoModel => setup::no_model(state, ops),
        _ => state.failed(failure),
    }
}

fn noticed(state: &mut State, notice: &Notice, ops: &mut Vec<Op>) {
    match notice {
        Notice::Trusted { .. } => state.screen.trust = None,
        Notice::Summarising => {
            // The status line shows the requested summary until the request is over.
            (state.screen.context.awaited, state.screen.context.since) = (true, state.now);
            return;
        }
        Notice::Untrusted {
            until: Until::Answered, ..
        } => return,
        Notice::Undo(UndoNotice::Nothing { .. }) if state.screen.after_files.is_some() => {
            return rewind::nothing_to_restore(state, ops);
        }
        Notice::Undo(UndoNotice::No { .. } | UndoNotice::Busy) => state.screen.after_files = None,
        Notice::SummaryStopped | Notice::NotSummarised(_) => state.screen.context.awaited = false,
        _ => {}
    }
    let text = lang::notice(notice).joined();
    // If a dialog is about the notice's subject, show the notice there, because the dialog would cover other places.
    match (notice, &mut state.screen.dialog) {
        (Notice::Server(ServerNotice::Unknown { .. }), Some(Dialog::Sheet(sheet)))
            if sheet.kind == SheetKind::Servers =>
        {
            return sheet.fail(&text);
        }
        (Notice::Server(ServerNotice::NoTool { .. }), Some(Dialog::Picker(picker)))
            if picker.kind == PickerKind::ServerTools =>
        {
            picker.note = text;
            return;
        }
        _ => {}
    }
    if notice.is_error() {
        return state.screen.conversation.refuse(&text, "");
    }
    // Several of these notices may arrive at once, so add them to the conversation as well.
    let of_many = matches!(
        notice,
        Notice::Folder(_)
            | Notice::Undo(
                UndoNotice::HeadMoved(_)
                    | UndoNotice::DuringCommand
                    | UndoNotice::EarlierSession { .. }
                    | UndoNotice::RewindUnfinished
            )
            | Notice::Server(
                ServerNotice::Dead { .. }
                    | ServerNotice::Form { .. }
                    | ServerNotice::FormRefused { .. }
                    | ServerNotice::Missing { .. }
            )
    );
    let long = of_many || width(&text) > state.readable();
    if long {
        state.screen.conversation.remark(&text);
    }
    // If a pane covers the conversation, show the notice in the status line too, truncated if necessary.
    if !long || state.screen.over.is_some() {
        state.say(clean(&text), false);
    }
}

fn stage_is(state: &mut State, stage: TurnState, at: Time, ops: &mut Vec<Op>) {
    if !state.screen.turn.busy() && stage == TurnState::Planning {
        let unanswered = state.screen.turn.unanswered.take();
        state.screen.turn = TurnView {
            unanswered,
            ..TurnView::idle(at)
        };
        // Without a model, the card that helps to choose one stays visible.
        if state.screen.session.model.is_some() {
            state.screen.first_start = None;
        }
        state.screen.service = None;
        state.screen.context.ready = None;
    }
    let turn = &mut state.screen.turn;
    if turn.state != stage {
        turn.since = at;
        if stage == TurnState::Planning {
            (turn.stage, turn.thinks) = (None, false);
        }
        if stage == TurnState::Generating {
            (turn.streamed, turn.first_delta, turn.last_delta) = (0, None, None);
        }
    }
    turn.state = stage;
    turn.stopping &= turn.busy();
    if turn.busy() {
        turn.started.get_or_insert(at);
    }
    title(state, ops);
}

fn streamed(state: &mut State, text: &str, at: Time) {
    // Streamed text proves that the endpoint works.
    state.screen.session.endpoint = None;
    let turn = &mut state.screen.turn;
    turn.retry = None;
    turn.streamed += text.chars().count() as u64;
    turn.first_delta.get_or_insert(at);
    turn.last_delta = Some(at);
}

/// Shows an approval request and rings the bell. The focus does not change.
fn asked(state: &mut State, request: Arc<ApprovalRequest>, ops: &mut Vec<Op>) {
    // The question whether to continue after a limit belongs to no call in the conversation.
    if request.origin != Origin::Limit && request.child.is_none() {
        let title = reveal(&request.title);
        state
            .screen
            .conversation
            .tool_waits(&request.call, &request.tool, &title);
    }
    let waited = state.screen.approvals.waits(&request.call);
    let fits_again = state.screen.approvals.fits_again(&request);
    state.screen.approvals.add(Arc::clone(&request));
    let front = state
        .screen
        .approvals
        .front()
        .filter(|waiting| waiting.request.call == request.call);
    let view = match front.map(|waiting| &waiting.view) {
        Some(RequestView::Files(view)) => Some(view),
        _ => None,
    };
    state.screen.changes.wait(&request, view);
    pending(state);
    let fits_again = fits_again.then_some(Word::FitsAgain);
    if let Some(said) = fits_again.or(on_disk_said(&request)) {
        state.say(word(said), false);
    }
    if waited {
        return;
    }
    let whose = request.child.as_ref().map(|child| format!("{}: ", child.name()));
    let asks = format!("{}{}", whose.unwrap_or_default(), request.title);
    let asks = match state.sight {
        Sight::Shown => asks,
        Sight::Background => {
            state.screen.news = News::Asks;
            format!("{}: {asks}", state.screen.session.title)
        }
    };
    ops.push(Op::Ring(lang::message::ring_waits(&reveal(&asks))));
    title(state, ops);
}

fn looked_ahead(state: &mut State, ahead: &Ahead) {
    if !state.screen.approvals.waits(&ahead.of) {
        return;
    }
    for row in &ahead.rows {
        state
            .screen
            .conversation
            .tool_waits(&row.call, &row.tool, &reveal(&row.title));
    }
    let same = state.screen.approvals.looked_ahead(ahead);
    for request in &ahead.asks {
        if same.contains(&request.call) {
            state.screen.changes.waits_still(request);
        } else {
            state.screen.changes.wait_behind(request);
        }
    }
    pending(state);
}

/// Shows the user's text from a form that the server no longer needs, as a remark in the conversation.
fn form_goes(state: &mut State, call: &CallId) {
    let form = state
        .screen
        .approvals
        .waiting
        .iter()
        .find(|waiting| waiting.request.call == *call);
    let (Some(RequestView::Question(view)), Some(Review::Question(Question::Server(form)))) =
        (form.map(|form| &form.view), form.map(|form| &form.request.review))
    else {
        return;
    };
    let written = view.written();
    if !written.is_empty() {
        let said = lang::form_unsent(&form.server, &written.join(" · "));
        state.screen.conversation.remark(&said);
    }
}

pub(super) fn answered(state: &mut State, call: &CallId, ops: &mut Vec<Op>) {
    request::settled(state, call);
    state.screen.changes.decided(call);
    pending(state);
    title(state, ops);
}

fn pending(state: &mut State) {
    let paths: BTreeSet<String> = state
        .screen
        .changes
        .rows
        .iter()
        .filter(|row| row.state.waits())
        .map(|row| row.path.clone())
        .collect();
    state.screen.files.set_pending(paths);
}

pub(super) fn finished(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    let waiting: Vec<CallId> = state
        .screen
        .approvals
        .waiting
        .iter()
        .map(|waiting| waiting.request.call.clone())
        .collect();
    for call in waiting {
        answered(state, &call, ops);
    }
    state.screen.approvals.clear();
    state.screen.changes.turn_ended();
    state.screen.turn = TurnView::idle(at);
    if state.sight == Sight::Background {
        state.screen.news = News::Ended;
    }
    if !state.window_focused {
        ops.push(Op::Ring(lang::message::ring_ended(&state.screen.session.title)));
    }
    title(state, ops);
}
