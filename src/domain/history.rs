//! State of a session, folded from its log. Requests, screen, resume, export and search use it. Performs no I/O.
//! Entries never change, and are shared by `Arc`.

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
use benchdog_base::id::{CallId, EntryId, TurnId};

pub use calls::{CallProgress, OpenCall};
use carried::Log;
pub use carried::{Beginning, Carried, Part};
pub use let_go::LetGo;
pub use title::{given_title, title};
pub use totals::{CallTotals, ModelTotals, Totals};

#[derive(Debug, Default, PartialEq)]
pub struct History {
    /// The entries, oldest first, with ascending ids.
    entries: Vec<Arc<Entry>>,
    let_go: LetGo,
    current: Current,
    carried: Carried,
    lasting: Lasting,
}

/// State derived from the live entries, and derived again when a later entry removes some of them.
#[derive(Debug, Default, PartialEq)]
struct Current {
    open_calls: calls::OpenCalls,
    own_calls: calls::OwnCalls,
    open_turn: bool,
    todo: Option<Arc<Entry>>,
    model: Option<Arc<Entry>>,
    agent: Option<Arc<Entry>>,
    plan: Option<Arc<Entry>>,
}

/// State of the whole session, including entries that are not live.
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
    pub fn of(log: Vec<Arc<Entry>>) -> Self {
        let mut history = Self {
            entries: Vec::with_capacity(log.len()),
            ..Self::default()
        };
        history.extend(log);
        history
    }

    pub fn push(&mut self, entry: Arc<Entry>) {
        self.lasting.take(&entry);
        self.live(entry);
    }

    /// Adds a live entry. If it removes others, `current` and `carried` must be derived again, but not `lasting`.
    fn live(&mut self, entry: Arc<Entry>) {
        let log = Log {
            entries: &self.entries,
            todo: self.current.todo.as_ref(),
        };
        self.carried.take(&entry, &log);
        self.current.take(&entry);
        self.entries.push(entry);
    }

    // --- live entries ---

    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub fn entry(&self, id: EntryId) -> Option<&Arc<Entry>> {
        carried::find(&self.entries, id)
    }

    pub fn carried(&self) -> &Carried {
        &self.carried
    }

    pub fn carried_with(&self, entry: &Arc<Entry>, compaction: &Compaction) -> Vec<Part> {
        let log = Log {
            entries: &self.entries,
            todo: self.current.todo.as_ref(),
        };
        self.carried.with(entry, compaction, &log)
    }

    pub fn open_calls(&self) -> impl Iterator<Item = OpenCall<'_>> {
        self.current.open_calls.iter()
    }

    pub fn own_calls(&self) -> impl Iterator<Item = &Body> {
        self.current.own_calls.iter()
    }

    pub fn open_child(&self, call: &CallId) -> Option<&ChildEntry> {
        let mut told = self.entries.iter().rev().filter_map(|entry| match &entry.body {
            Body::Child(child) if child.call == *call => Some(child),
            _ => None,
        });
        told.next().filter(|child| child.ended.is_none())
    }

    pub fn open_turn(&self) -> bool {
        self.current.open_turn
    }

    pub fn todo(&self) -> Option<&TodoList> {
        match &self.current.todo.as_ref()?.body {
            Body::Todo { items } => Some(items),
            _ => None,
        }
    }

    pub fn model(&self) -> Option<&ModelRef> {
        match &self.current.model.as_ref()?.body {
            Body::Model { model, .. } => Some(model),
            _ => None,
        }
    }

    /// Returns the model that the person, not an agent, selected. `None` if the initial model was never changed.
    pub fn own_model(&self) -> Option<&ModelRef> {
        self.lasting.own_model.as_ref()
    }

    pub fn plan(&self) -> Option<&Plan> {
        match &self.current.plan.as_ref()?.body {
            Body::Plan(plan) => Some(plan),
            _ => None,
        }
    }

    pub fn agent(&self) -> Option<&AgentName> {
        match &self.current.agent.as_ref()?.body {
            Body::Agent { agent, .. } => Some(agent),
            _ => None,
        }
    }

    pub fn standing_agent(&self) -> Option<&AgentName> {
        match &self.current.agent.as_ref()?.body {
            Body::Agent { agent, until_then } => Some(until_then.as_ref().unwrap_or(agent)),
            _ => None,
        }
    }

    pub fn standing_model(&self) -> Option<&ModelRef> {
        match &self.current.model.as_ref()?.body {
            Body::Model { model, until_then, .. } => Some(until_then.as_ref().unwrap_or(model)),
            _ => None,
        }
    }

    pub fn terms(&self, model: &ModelRef, point: EntryId) -> Option<Terms> {
        let (at, of, terms) = self.lasting.terms.as_ref()?;
        (*at > point && of == model).then_some(*terms)
    }

    pub fn sampling(&self) -> Sampling {
        self.lasting.sampling
    }

    pub fn last_prompt(&self) -> Option<&str> {
        let newest = |wanted: fn(&Body) -> bool| self.entries.iter().rev().find(|entry| wanted(&entry.body));
        let prompt = newest(|body| matches!(body, Body::User { .. }))?;
        let command = newest(|body| matches!(body, Body::Shell { .. }));
        // Do not count a command that ran during the prompt's turn.
        let is_last = |command: &&Arc<Entry>| command.id > prompt.id && command.turn != prompt.turn;
        match &prompt.body {
            Body::User { text, .. } if command.filter(is_last).is_none() => Some(text),
            _ => None,
        }
    }

    pub fn newest_prompt(&self) -> Option<&str> {
        self.entries.iter().rev().find_map(|entry| match &entry.body {
            Body::User { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    // --- whole session ---

    /// Returns the newest entry id. New ids are greater, so no id is used twice.
    pub fn last_entry(&self) -> EntryId {
        self.lasting.last_entry
    }

    pub fn last_turn(&self) -> TurnId {
        self.lasting.last_turn
    }

    pub fn usage(&self) -> Usage {
        self.lasting.totals.usage()
    }

    pub fn totals(&self) -> &Totals {
        &self.lasting.totals
    }

    pub fn witnessed(&self) -> &Witnessed {
        &self.lasting.witnessed
    }

    pub fn known_calls(&self) -> &BTreeSet<CallId> {
        &self.lasting.known_calls
    }

    pub fn title(&self) -> Option<&str> {
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
            | Body::Spent(_)
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
            | Body::Spent(_)
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
