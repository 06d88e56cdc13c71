//! Logs the result of a call. The kind of log entry depends on the origin of the call.

use std::sync::Arc;

use super::Machine;
use super::left_open::about;
use super::turn::{Call, ListKeeper};
use crate::effect::Effect;
use benchdog_base::id::{BlobId, CallId, EntryId, TurnId};
use benchdog_diff as diff;
use benchdog_domain::call::{Origin, Wanted};
use benchdog_domain::entry::Body;
use benchdog_domain::image::Picture;
use benchdog_domain::job::JobId;
use benchdog_domain::message::Arguments;
use benchdog_domain::note::Note;
use benchdog_domain::places::Moved;
use benchdog_domain::review::GO_ON;
use benchdog_domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome};

pub(super) struct Finished {
    id: CallId,
    origin: Origin,
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) effect: Option<EffectClass>,
    pub(super) arguments: Option<Arguments>,
    command: String,
    answers: Vec<String>,
    notes: Vec<Note>,
}

impl Finished {
    pub(super) fn of(call: &mut Call) -> Self {
        let (command, arguments) = match &mut call.call.wanted {
            Wanted::Command(line)
            | Wanted::Patch { line, .. }
            | Wanted::Undo { line, .. }
            | Wanted::Review { line, .. } => (line.clone(), None),
            // Move the arguments out to free their memory, because they may be long.
            Wanted::Tool { arguments, .. } => {
                let given = std::mem::replace(arguments, Arguments::Raw(String::new()));
                (String::new(), Some(given))
            }
            Wanted::Question(_) => (String::new(), None),
        };
        Self {
            id: call.call.id.clone(),
            origin: call.call.origin,
            tool: call.tool.clone(),
            title: call.title.clone(),
            effect: call.effect,
            arguments,
            command,
            answers: call.answers.clone(),
            notes: std::mem::take(&mut call.notes),
        }
    }
}

impl Machine {
    pub(super) fn store_result(&mut self, call: Finished, mut outcome: Outcome, took_ms: u64) {
        let Some(turn) = &mut self.turn else { return };
        let id = turn.id;
        let changed =
            matches!(call.effect, Some(EffectClass::Writes | EffectClass::Executes)) || !outcome.changes.is_empty();
        if outcome.status == CallStatus::Ok && changed && call.origin == Origin::Model {
            turn.denied = false;
        }
        if call.origin == Origin::Model {
            let hint = turn.guard.result(turn.steps, &call, &outcome, &self.rules.tools);
            outcome.notes.extend(hint.map(Note::from));
        }
        let mut call = call;
        if call.origin == Origin::OwnCommand {
            // The model gets no result of this call, so send the notes of the call with the prompt.
            self.pending_notes.append(&mut call.notes);
        }
        outcome.notes.append(&mut call.notes);
        if call.origin == Origin::OwnCommand
            && let Some(first) = &mut turn.first
        {
            first.note(&call.command, call.effect, outcome.status);
        }
        if call.origin == Origin::Limit {
            // The answer of the person is already in the log.
            turn.goes_on = call.answers.iter().any(|answer| answer == GO_ON);
        }
        if let Some(answer) = outcome.answer.take() {
            turn.answered = Some(answer);
        }
        self.keep_effects(id, &call.id, (call.origin, call.effect), &mut outcome);
        self.unlogged_changed |= matches!(call.origin, Origin::Person | Origin::Typed);
        match call.origin {
            Origin::Model => self.log_tool_result(id, call, outcome, took_ms),
            Origin::Person | Origin::Typed | Origin::OwnCommand | Origin::Merge | Origin::Undo | Origin::Review => {
                self.log(id, Body::shell(call.id, call.command, outcome))
            }
            Origin::Check => self.store_check(id, call.id, call.command, outcome),
            Origin::Limit => {}
        }
    }

    pub(super) fn keep_effects(
        &mut self,
        turn_id: TurnId,
        id: &CallId,
        (origin, effect): (Origin, Option<EffectClass>),
        outcome: &mut Outcome,
    ) {
        let changes = std::mem::take(&mut outcome.changes);
        // A build or a test also changes files, but such changes need no check.
        let is_edit = !changes.is_empty() && effect != Some(EffectClass::Executes);
        if let Some(turn) = self.turn.as_mut().filter(|_| is_edit) {
            turn.unvalidated = true;
        }
        self.log_changes(turn_id, id, changes);
        if let Some(planned) = outcome.planned.take() {
            self.set_plan(planned.plan);
        }
        if origin == Origin::Model
            && let Some(findings) = outcome.findings.take()
        {
            self.on_findings(turn_id, id, findings);
        }
        if let Some(list) = outcome.todo.take() {
            if let Some(turn) = &mut self.turn
                && turn.list == ListKeeper::Nobody
            {
                turn.list = ListKeeper::Model;
            }
            self.set_todo(list);
        }
    }

    pub(super) fn keep_images(&mut self, outcome: &Outcome) {
        if !outcome.images.is_empty() {
            let bytes = outcome.images.iter().map(|picture| Arc::clone(picture.bytes()));
            self.out.push(Effect::Keep(bytes.collect()));
        }
    }

    fn log_tool_result(&mut self, id: TurnId, call: Finished, outcome: Outcome, took_ms: u64) {
        self.keep_images(&outcome);
        let pending = self.turn.as_mut().map(|turn| std::mem::take(&mut turn.notes));
        let notes: Vec<Note> = (outcome.notes.into_iter()).chain(pending.unwrap_or_default()).collect();
        let images = outcome.images.iter().map(Picture::image).collect();
        // A call that was stopped before its preparation has no title yet. Derive the title from the arguments.
        let title = match &call.arguments {
            Some(arguments) if call.title.is_empty() && outcome.status == CallStatus::Cancelled => about(arguments),
            _ => call.title,
        };
        self.noted(&notes);
        self.note_begun(&outcome.summary, &title);
        self.log(
            id,
            Body::ToolResult {
                call: call.id,
                tool: call.tool,
                title,
                status: outcome.status,
                summary: outcome.summary,
                output: outcome.output,
                truncated: outcome.truncated,
                notes,
                places: outcome.places,
                images,
                took_ms,
            },
        );
    }

    pub(super) fn log_changes(&mut self, turn: TurnId, call: &CallId, changes: Vec<AppliedChange>) {
        self.log_changes_of(turn, call, changes, None);
    }

    pub(super) fn log_changes_of(
        &mut self,
        turn: TurnId,
        call: &CallId,
        changes: Vec<AppliedChange>,
        job: Option<JobId>,
    ) {
        if changes.is_empty() {
            return;
        }
        let undoes = self.undone_by(call);
        let bodies: Vec<Body> = changes
            .iter()
            .map(|change| Body::Change {
                call: call.clone(),
                path: change.path.clone(),
                before: change.before.as_deref().map(BlobId::of),
                after: change.after.as_deref().map(BlobId::of),
                added: change.added,
                removed: change.removed,
                moved: moved(change),
                undoes: undoes.clone(),
                in_part: change.in_part && !undoes.is_empty(),
                mode_before: change.mode_before,
                job,
            })
            .collect();
        let bytes = changes.into_iter().flat_map(|change| [change.before, change.after]);
        self.out.push(Effect::Keep(bytes.flatten().collect()));
        for body in bodies {
            self.log(turn, body);
        }
    }

    fn undone_by(&self, id: &CallId) -> Vec<EntryId> {
        let calls = self.turn.iter().flat_map(|turn| &turn.calls);
        let wanted = calls.filter(|call| call.call.id == *id).map(|call| &call.call.wanted);
        let undone = wanted.filter_map(|wanted| match wanted {
            Wanted::Undo { undoes, .. } => Some(undoes),
            _ => None,
        });
        undone.flatten().copied().collect()
    }
}

/// Maximum number of moved lines stored per change. A change with more moved lines practically rewrites the file.
const MOST_MOVED: usize = 2_000;

fn moved(change: &AppliedChange) -> Vec<Moved> {
    let side = |bytes: &Option<Arc<[u8]>>| bytes.clone().unwrap_or_default();
    let hunks = diff::hunks(side(&change.before), side(&change.after));
    let line = |line: usize| line as u64;
    let moved = hunks.iter().take(MOST_MOVED).map(|hunk| Moved {
        at: line(hunk.before.start) + 1,
        went: line(hunk.before.len()),
        came: line(hunk.after.len()),
    });
    moved.collect()
}
