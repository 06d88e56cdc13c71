//! The log as it counts now: what is live of it, and what follows from that. Request, screen, resume, export and search
//! start here, so that they agree; nobody else folds the log.
//!
//! Entries are shared with whoever wrote or read them; no text is held twice. The log itself, as it was written, is
//! storage's: this reads nothing, writes nothing, and changes no entry.

mod calls;
mod carried;
mod let_go;
mod title;
mod totals;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::agent::{AgentName, ModelRef, Sampling, Terms};
use super::budget::Usage;
use super::child::ChildEntry;
use super::compaction::Compaction;
use super::entry::{Body, Entry};
use super::places::Witnessed;
use super::plan::Plan;
use super::todo::TodoList;
use crate::base::id::{CallId, EntryId, TurnId};

pub(crate) use calls::{CallProgress, OpenCall};
use carried::Log;
pub(crate) use carried::{Beginning, Carried, Part};
pub(crate) use let_go::LetGo;
pub(crate) use title::title;
pub(crate) use totals::{CallTotals, Totals};

/// A session's log, folded. Grows by one entry at a time.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct History {
    /// Oldest first; ids ascend.
    entries: Vec<Arc<Entry>>,
    /// Of its beginning not every entry is there.
    let_go: LetGo,
    current: Current,
    carried: Carried,
    lasting: Lasting,
}

/// What the live entries come to. To be folded anew when some of them cease to be live.
#[derive(Debug, Default, PartialEq)]
struct Current {
    open_calls: calls::OpenCalls,
    /// Calls that no model made, the person's commands or the check, that were begun or are over, and have no result.
    own_calls: calls::OwnCalls,
    open_turn: bool,
    /// The newest entry of each kind.
    todo: Option<Arc<Entry>>,
    model: Option<Arc<Entry>>,
    agent: Option<Arc<Entry>>,
    plan: Option<Arc<Entry>>,
}

/// What stays true of the session whatever of its log is live.
#[derive(Debug, Default, PartialEq)]
struct Lasting {
    last_entry: EntryId,
    last_turn: TurnId,
    totals: Totals,
    sampling: Sampling,
    terms: Option<(EntryId, ModelRef, Terms)>,
    known_calls: BTreeSet<CallId>,
    title: Option<String>,
    own_model: Option<ModelRef>,
    witnessed: Witnessed,
}

impl History {
    /// The history of a log as storage read it, oldest entry first.
    pub(crate) fn of(log: Vec<Arc<Entry>>) -> Self {
        let mut history = Self {
            entries: Vec::with_capacity(log.len()),
            ..Self::default()
        };
        history.extend(log);
        history
    }

    /// Takes in the next entry of the log.
    pub(crate) fn push(&mut self, entry: Arc<Entry>) {
        self.lasting.take(&entry);
        self.live(entry);
    }

    /// What is live once this entry is written. A compaction changes what requests carry, and people go on seeing all of
    /// it. A kind that takes away belongs here and nowhere else: after a rewind, `current` and `carried` are folded anew
    /// from what is left, and `lasting` stays as it is. An entry of a later version may have been such a one, which
    /// cannot be known: it stays, shows as a notice, and takes nothing away.
    fn live(&mut self, entry: Arc<Entry>) {
        let log = Log {
            entries: &self.entries,
            todo: self.current.todo.as_ref(),
        };
        self.carried.take(&entry, &log);
        self.current.take(&entry);
        self.entries.push(entry);
    }

    // --- what is live ---

    /// Oldest first.
    pub(crate) fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub(crate) fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        carried::find(&self.entries, id)
    }

    /// What requests carry of it.
    pub(crate) fn carried(&self) -> &Carried {
        &self.carried
    }

    /// What requests would carry of it with this compaction.
    pub(crate) fn carried_with(&self, entry: &Arc<Entry>, compaction: &Compaction) -> Vec<Part> {
        let log = Log {
            entries: &self.entries,
            todo: self.current.todo.as_ref(),
        };
        self.carried.with(entry, compaction, &log)
    }

    /// Calls of the model that have no result, in the order they were made.
    pub(crate) fn open_calls(&self) -> impl Iterator<Item = OpenCall<'_>> {
        self.current.open_calls.iter()
    }

    /// How far the calls of the person or of the check had come when the session ended suddenly: that one was begun, or is over.
    pub(crate) fn own_calls(&self) -> impl Iterator<Item = &Body> {
        self.current.own_calls.iter()
    }

    /// The child of a call, where it was begun and its end was never told.
    pub(crate) fn open_child(&self, call: &CallId) -> Option<&ChildEntry> {
        let mut told = self.entries.iter().rev().filter_map(|entry| match &entry.body {
            Body::Child(child) if child.call == *call => Some(child),
            _ => None,
        });
        told.next().filter(|child| child.ended.is_none())
    }

    /// Whether the newest turn has no end.
    pub(crate) fn open_turn(&self) -> bool {
        self.current.open_turn
    }

    /// `None`: there never was a list.
    pub(crate) fn todo(&self) -> Option<&TodoList> {
        match &self.current.todo.as_ref()?.body {
            Body::Todo { items } => Some(items),
            _ => None,
        }
    }

    /// The model that was chosen last; `None` while it is the one the session began with.
    pub(crate) fn model(&self) -> Option<&ModelRef> {
        match &self.current.model.as_ref()?.body {
            Body::Model { model, .. } => Some(model),
            _ => None,
        }
    }

    /// The model that the session has by itself, whatever model an agent brought along; `None` while it is the one it began with.
    pub(crate) fn own_model(&self) -> Option<&ModelRef> {
        self.lasting.own_model.as_ref()
    }

    /// `None`: no plan was ever handed over.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        match &self.current.plan.as_ref()?.body {
            Body::Plan(plan) => Some(plan),
            _ => None,
        }
    }

    /// The agent that was chosen last; `None` while it is the one the session began with.
    pub(crate) fn agent(&self) -> Option<&AgentName> {
        match &self.current.agent.as_ref()?.body {
            Body::Agent { agent, .. } => Some(agent),
            _ => None,
        }
    }

    /// Who works where no turn lends the work to another: also where one ended suddenly.
    pub(crate) fn standing_agent(&self) -> Option<&AgentName> {
        match &self.current.agent.as_ref()?.body {
            Body::Agent { agent, until_then } => Some(until_then.as_ref().unwrap_or(agent)),
            _ => None,
        }
    }

    /// The model of the session where no turn lends it another.
    pub(crate) fn standing_model(&self) -> Option<&ModelRef> {
        match &self.current.model.as_ref()?.body {
            Body::Model { model, until_then, .. } => Some(until_then.as_ref().unwrap_or(model)),
            _ => None,
        }
    }

    /// How requests to the model begin since `point`, if one was sent.
    pub(crate) fn terms(&self, model: &ModelRef, point: EntryId) -> Option<Terms> {
        let (at, of, terms) = self.lasting.terms.as_ref()?;
        (*at > point && of == model).then_some(*terms)
    }

    /// How the person wants answers to be chosen.
    pub(crate) fn sampling(&self) -> Sampling {
        self.lasting.sampling
    }

    /// The prompt that `Retried` would go on from, if the last thing done was one.
    pub(crate) fn last_prompt(&self) -> Option<&str> {
        let newest = |wanted: fn(&Body) -> bool| self.entries.iter().rev().find(|entry| wanted(&entry.body));
        let prompt = newest(|body| matches!(body, Body::User { .. }))?;
        let command = newest(|body| matches!(body, Body::Shell { .. }));
        // A command that ran during the prompt's turn does not count.
        let is_last = |command: &&Arc<Entry>| command.id > prompt.id && command.turn != prompt.turn;
        match &prompt.body {
            Body::User { text, .. } if command.filter(is_last).is_none() => Some(text),
            _ => None,
        }
    }

    /// The newest prompt, whatever came after it.
    pub(crate) fn newest_prompt(&self) -> Option<&str> {
        self.entries.iter().rev().find_map(|entry| match &entry.body {
            Body::User { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    // --- what was ever written ---

    /// The newest id; ids go on from here, so that none is used twice.
    pub(crate) fn last_entry(&self) -> EntryId {
        self.lasting.last_entry
    }

    pub(crate) fn last_turn(&self) -> TurnId {
        self.lasting.last_turn
    }

    /// What the servers counted for the whole session.
    pub(crate) fn usage(&self) -> Usage {
        self.lasting.totals.usage()
    }

    /// What it took so far.
    pub(crate) fn totals(&self) -> &Totals {
        &self.lasting.totals
    }

    /// Which files it looked at and changed, and where.
    pub(crate) fn witnessed(&self) -> &Witnessed {
        &self.lasting.witnessed
    }

    /// Every call id that was ever used, so that none is used twice.
    pub(crate) fn known_calls(&self) -> &BTreeSet<CallId> {
        &self.lasting.known_calls
    }

    /// What lists call the session, as its first prompt or command says it.
    pub(crate) fn title(&self) -> Option<&str> {
        self.lasting.title.as_deref()
    }
}

impl Extend<Arc<Entry>> for History {
    fn extend<T: IntoIterator<Item = Arc<Entry>>>(&mut self, entries: T) {
        for entry in entries {
            self.push(entry);
        }
    }
}

impl Current {
    fn take(&mut self, entry: &Arc<Entry>) {
        match &entry.body {
            Body::User { .. } | Body::Retried => self.open_turn = true,
            Body::Assistant { calls, .. } => {
                self.open_turn = true;
                self.open_calls.made(entry, calls.len());
            }
            Body::CallStarted { call, .. } => {
                self.open_turn = true;
                if !self.open_calls.reached(call, entry) {
                    self.own_calls.reached(call, entry);
                }
            }
            Body::CallEnded { call, .. } => {
                if !self.open_calls.reached(call, entry) {
                    self.own_calls.reached(call, entry);
                }
            }
            Body::ToolResult { call, .. } => self.open_calls.ended(call),
            Body::Shell { call, .. } => self.own_calls.ended(call.as_ref()),
            Body::Validation { call, .. } => self.own_calls.ended(Some(call)),
            Body::TurnEnded { .. } => {
                self.open_turn = false;
                self.own_calls.ended(None);
            }
            Body::Todo { .. } => self.todo = Some(Arc::clone(entry)),
            Body::Model { .. } => self.model = Some(Arc::clone(entry)),
            Body::Agent { .. } => self.agent = Some(Arc::clone(entry)),
            Body::Plan(_) => self.plan = Some(Arc::clone(entry)),
            Body::Approval { .. }
            | Body::Findings { .. }
            | Body::Change { .. }
            | Body::Compaction(_)
            | Body::CompactionUndone { .. }
            | Body::Pinned { .. }
            | Body::Terms { .. }
            | Body::Sampling(_)
            | Body::Child(_)
            | Body::Notice(_)
            | Body::Unknown(_) => {}
        }
    }
}

impl Lasting {
    fn take(&mut self, entry: &Entry) {
        self.last_entry = self.last_entry.max(entry.id);
        self.last_turn = self.last_turn.max(entry.turn);
        if self.title.is_none() {
            self.title = title(entry);
        }
        self.totals.take(entry);
        self.witnessed.take(&entry.body);
        match &entry.body {
            Body::Assistant { calls, .. } => {
                self.known_calls.extend(calls.iter().map(|call| call.id.clone()));
            }
            Body::CallStarted { call, .. } => {
                self.known_calls.insert(call.clone());
            }
            Body::Sampling(sampling) => self.sampling = *sampling,
            Body::Model {
                model,
                with: None,
                until_then: None,
            } => self.own_model = Some(model.clone()),
            Body::Terms { model, terms } => self.terms = Some((entry.id, model.clone(), *terms)),
            Body::User { .. }
            | Body::ToolResult { .. }
            | Body::CallEnded { .. }
            | Body::Approval { .. }
            | Body::Change { .. }
            | Body::Todo { .. }
            | Body::Validation { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Plan(_)
            | Body::Child(_)
            | Body::Findings { .. }
            | Body::Shell { .. }
            | Body::Retried
            | Body::Compaction(_)
            | Body::CompactionUndone { .. }
            | Body::Pinned { .. }
            | Body::Notice(_)
            | Body::TurnEnded { .. }
            | Body::Unknown(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
