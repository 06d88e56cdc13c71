//! What the engine tells, into the panes.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::dialogs::Dialog;
use crate::app::dialogs::approval::RequestView;
use crate::app::dialogs::first_start::FirstStartCard;
use crate::app::dialogs::picker::{Picker, PickerItem, PickerKind, PickerValue};
use crate::app::dialogs::trust::TrustCard;
use crate::app::op::Op;
use crate::app::state::{Retry, State, TurnView};
use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::base::text::{clean, reveal};
use crate::domain::agent::{ModelOffer, ModelRef};
use crate::domain::entry::{Body, Entry};
use crate::domain::review::Review;
use crate::domain::session::SessionMeta;
use crate::domain::tool::CallStatus;
use crate::protocol::{ApprovalRequest, Command, Event, FoundServer, TurnState};

pub(super) fn event(state: &mut State, event: Event, at: Time, ops: &mut Vec<Op>) {
    match event {
        Event::Session {
            session,
            workspace,
            model,
            agent,
        } => {
            let shown = &mut state.session;
            shown.id = Some(session);
            shown.workspace = workspace;
            shown.model = model;
            shown.agent = agent;
            title(state, ops);
        }
        Event::Opened { meta, entries, draft } => opened(state, meta, &entries, &draft, ops),
        Event::Entry(entry) => logged(state, &entry, ops),
        Event::TurnStarted { .. } => {
            state.turn = TurnView {
                started: Some(at),
                state: TurnState::Planning,
                ..TurnView::idle(at)
            };
            state.first_start = None;
        }
        Event::State { state: stage } => stage_is(state, stage, at, ops),
        Event::TextDelta { text } => {
            streamed(state, &text, at);
            state.conversation.text_delta(&text);
        }
        Event::ReasoningDelta { text } => {
            streamed(state, &text, at);
            state.conversation.reasoning_delta(&text);
        }
        // The entry carries the same and is what stays.
        Event::Message { .. } => {}
        Event::ToolStarted { call, tool, title } => state.conversation.tool_started(&call, &tool, &title, at),
        Event::ToolOutput { call, text } => state.conversation.tool_output(&call, &text),
        Event::ToolFinished {
            call,
            status,
            summary,
            output,
            ..
        } => {
            state.conversation.tool_finished(&call, status, &summary, &output);
        }
        Event::ApprovalRequested { request, .. } => asked(state, request, ops),
        Event::ApprovalDecided { call, .. } => answered(state, &call, ops),
        Event::Todo { items } => state.todo.set(items),
        Event::Context { ledger } => state.context.ledger = Some(ledger),
        Event::Notice { code, text } => noticed(state, &code, &text),
        Event::Error { text, hint, .. } => state.conversation.error(&text, &hint),
        Event::TurnFinished { .. } => finished(state, at, ops),
        Event::Retrying {
            attempt,
            wait_ms,
            reason,
            at,
        } => {
            state.conversation.retry();
            state.turn.retry = Some(Retry {
                attempt,
                at: Time(at.0.saturating_add_unsigned(wait_ms)),
                reason,
            });
        }
        other => answers(state, other, ops),
    }
}

/// A notice that is in the log is a row already. What stops all work stays on screen; the rest is said once.
fn noticed(state: &mut State, code: &str, text: &str) {
    if state.conversation.ends_with_notice(code, text) {
        return;
    }
    match code {
        "no_model" | "config" => state.conversation.error(text, ""),
        _ => state.say(clean(text), false),
    }
}

/// Answers to what the workbench asked for.
fn answers(state: &mut State, event: Event, ops: &mut Vec<Op>) {
    match event {
        Event::Queued { prompts } => state.prompt.queued = prompts,
        Event::Unqueued { text } => {
            if state.prompt.buffer.is_empty() {
                state.prompt.buffer.set(&text);
            } else {
                // What is being written is not lost, and neither is what came back: Up finds it.
                state.prompt.remember(&text);
                state.say("taken back: Up shows it", false);
            }
        }
        Event::Sessions(sessions) => fill_sessions(state, sessions),
        Event::Models {
            offers,
            current,
            failed,
        } => fill_models(state, offers, current, &failed),
        Event::ModelChanged { model } => {
            state.session.model = Some(model);
            state.first_start = None;
            title(state, ops);
        }
        Event::History(prompts) => state.prompt.learn(prompts),
        Event::Folder { path, items } => state.files.list(&path, items),
        Event::Found { query, paths, scanning } => found(state, &query, &paths, scanning),
        Event::File { path, text } => {
            if let Some(Dialog::Viewer(viewer)) = state.dialog.as_mut()
                && viewer.path == path
            {
                viewer.fill(text);
            }
        }
        Event::TrustAsked { files } => state.trust = Some(TrustCard { files }),
        Event::FirstStart { found } => state.first_start = Some(FirstStartCard { found }),
        _ => {}
    }
}

fn opened(state: &mut State, meta: SessionMeta, entries: &Arc<[Arc<Entry>]>, draft: &str, ops: &mut Vec<Op>) {
    state.session.id = Some(meta.id);
    state.session.title = meta.title;
    state.session.workspace = meta.workspace;
    state.session.model = meta.model.or(state.session.model.take());
    state.session.agent = meta.agent;
    state.turn = TurnView::idle(state.now);
    state.approvals.clear();
    state.changes.clear();
    state.files.forget_marks();
    state.todo = Default::default();
    state.conversation.open(entries);
    for entry in entries.iter() {
        kept(state, entry);
    }
    // A person who types at once is ahead of the draft.
    if state.prompt.buffer.is_empty() && !draft.is_empty() {
        state.prompt.buffer.set(draft);
    }
    title(state, ops);
}

/// An entry was added to the log.
fn logged(state: &mut State, entry: &Arc<Entry>, ops: &mut Vec<Op>) {
    state.conversation.entry(entry);
    kept(state, entry);
    match &entry.body {
        Body::User { text, .. } if state.session.title.is_empty() => {
            state.session.title = text.lines().next().unwrap_or_default().to_owned();
            title(state, ops);
        }
        Body::Change { path, .. } => {
            if let Some(path) = state.files.stale_folder(path) {
                ops.push(Op::Send(Command::ListFolder { path }));
            }
        }
        _ => {}
    }
}

/// What an entry means for the panes beside the conversation.
fn kept(state: &mut State, entry: &Entry) {
    match &entry.body {
        Body::Change {
            call,
            path,
            after,
            added,
            removed,
            ..
        } => {
            let seen = state
                .proposals
                .iter()
                .find(|(of, change)| of == call && change.path == *path);
            let seen = seen.map(|(_, change)| change.clone());
            state.changes.made(path, *added, *removed, seen, after.clone());
            state.files.mark_changed(path);
        }
        Body::ToolResult {
            tool,
            title,
            status: CallStatus::Ok,
            ..
        } if tool == "read" => state.files.mark_read(title),
        Body::Todo { items } => state.todo.set(items.clone()),
        Body::Model { model } => state.session.model = Some(model.clone()),
        Body::Agent { agent } => state.session.agent = agent.clone(),
        _ => {}
    }
}

fn stage_is(state: &mut State, stage: TurnState, at: Time, ops: &mut Vec<Op>) {
    let turn = &mut state.turn;
    if turn.state != stage {
        turn.since = at;
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
    let turn = &mut state.turn;
    turn.retry = None;
    turn.streamed += text.chars().count() as u64;
    turn.first_delta.get_or_insert(at);
    turn.last_delta = Some(at);
}

/// A request waits: it is shown and rings. The keyboard stays where it is.
fn asked(state: &mut State, request: Arc<ApprovalRequest>, ops: &mut Vec<Op>) {
    if state.approvals.waits(&request.call) {
        return;
    }
    state
        .conversation
        .tool_waits(&request.call, &request.tool, &reveal(&request.title));
    if let Review::Files(changes) = &request.review {
        state
            .proposals
            .extend(changes.iter().map(|change| (request.call.clone(), change.clone())));
    }
    state.approvals.add(Arc::clone(&request));
    let front = state
        .approvals
        .front()
        .filter(|waiting| waiting.request.call == request.call);
    let view = match front.map(|waiting| &waiting.view) {
        Some(RequestView::Files(view)) => Some(view),
        _ => None,
    };
    state.changes.wait(&request, view);
    pending(state);
    ops.push(Op::Bell);
    title(state, ops);
}

fn answered(state: &mut State, call: &CallId, ops: &mut Vec<Op>) {
    super::approving::settle(state, call);
    state.changes.decided(call);
    pending(state);
    title(state, ops);
}

/// The files that wait, as the tree marks them.
fn pending(state: &mut State) {
    let paths: BTreeSet<String> = state
        .changes
        .rows
        .iter()
        .filter(|row| row.pending.is_some())
        .map(|row| row.path.clone())
        .collect();
    state.files.set_pending(paths);
}

fn finished(state: &mut State, at: Time, ops: &mut Vec<Op>) {
    let waiting: Vec<CallId> = state
        .approvals
        .waiting
        .iter()
        .map(|waiting| waiting.request.call.clone())
        .collect();
    for call in waiting {
        answered(state, &call, ops);
    }
    state.approvals.clear();
    state.proposals.clear();
    state.turn = TurnView::idle(at);
    if !state.window_focused {
        ops.push(Op::Bell);
    }
    title(state, ops);
}

/// The window's title says what a person in another window needs to know.
fn title(state: &mut State, ops: &mut Vec<Op>) {
    let folder = state.session.workspace.rsplit('/').next().unwrap_or_default();
    let mark = match state.turn.state {
        _ if !state.approvals.waiting.is_empty() => "◆ ",
        _ if state.turn.busy() => "▸ ",
        _ => "",
    };
    let text = clean(&format!("{mark}benchdog {folder}")).into_owned();
    if state.title != text {
        state.title.clone_from(&text);
        ops.push(Op::Title(text));
    }
}

fn picker(state: &mut State, kind: PickerKind) -> Option<&mut Picker> {
    match state.dialog.as_mut() {
        Some(Dialog::Picker(picker)) if picker.kind == kind => Some(picker),
        _ => None,
    }
}

fn fill_sessions(state: &mut State, sessions: Vec<SessionMeta>) {
    let current = state.session.id.clone();
    let item = |meta: SessionMeta| {
        let folder = meta.workspace.rsplit('/').next().unwrap_or_default().to_owned();
        let title = if meta.title.is_empty() {
            "(nothing said yet)".to_owned()
        } else {
            meta.title
        };
        PickerItem {
            text: clean(&title).into_owned(),
            detail: format!("{folder}  {}", day(meta.updated)),
            current: Some(&meta.id) == current.as_ref(),
            value: PickerValue::Session(meta.id),
        }
    };
    if let Some(picker) = picker(state, PickerKind::Sessions) {
        picker.fill(sessions.into_iter().map(item).collect(), String::new());
    }
}

/// `2026-11-21 14:02`, the clock in the zone of this machine.
fn day(time: Time) -> String {
    let stamp = time.rfc3339();
    format!("{} {}", stamp.get(..10).unwrap_or_default(), time.local_hh_mm())
}

fn fill_models(state: &mut State, offers: Vec<ModelOffer>, current: Option<ModelRef>, failed: &[String]) {
    let item = |offer: ModelOffer| PickerItem {
        text: clean(&offer.model.to_string()).into_owned(),
        detail: offer
            .context
            .map(|tokens| format!("{} k window", tokens / 1_024))
            .unwrap_or_default(),
        current: Some(&offer.model) == current.as_ref(),
        value: PickerValue::Model(offer.model.to_string()),
    };
    let note = clean(&failed.join("; ")).into_owned();
    let servers = state
        .first_start
        .as_ref()
        .map(|card| server_items(&card.found))
        .unwrap_or_default();
    if let Some(picker) = picker(state, PickerKind::Models) {
        let items = offers.into_iter().map(item).chain(servers).collect();
        picker.fill(items, note);
    }
}

/// What the first-start card offers: every model of every server that answered.
fn server_items(found: &[FoundServer]) -> Vec<PickerItem> {
    let items = found.iter().flat_map(|server| {
        server.models.iter().map(|model| PickerItem {
            text: clean(model).into_owned(),
            detail: clean(&server.base_url).into_owned(),
            current: false,
            value: PickerValue::Server {
                base_url: server.base_url.clone(),
                model: model.to_owned(),
            },
        })
    });
    items.collect()
}

fn found(state: &mut State, query: &str, paths: &[String], scanning: bool) {
    state.prompt.found(query, paths, scanning);
    if let Some(picker) = picker(state, PickerKind::Files)
        && picker.filter == query
    {
        let item = |path: &String| PickerItem {
            text: reveal(path).into_owned(),
            detail: String::new(),
            current: false,
            value: PickerValue::File(path.clone()),
        };
        picker.fill(paths.iter().map(item).collect(), String::new());
        picker.loading = scanning;
    }
}
