//! Session metadata, readable without the log.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::agent::{AgentName, ModelRef};
use super::child::Parent;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, SessionId};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionMeta {
    pub id: SessionId,
    /// First line of the first prompt. Empty before there is a prompt.
    pub title: String,
    pub workspace: String,
    pub created: Time,
    pub updated: Time,
    pub model: Option<ModelRef>,
    pub agent: AgentName,
    pub entries: u64,
    /// Last known window of the model. The next run assumes the same window, so that its requests begin with the same
    /// bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Box<(ModelRef, u64)>>,
    /// Parent of a subagent's session. A subagent's session is not listed, and is deleted with its parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Box<Parent>>,
    /// Random tag in Benchdog's notes to the model, so that no file can imitate notes. Missing in older sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<Box<str>>,
    /// Session from which this one was copied. Missing in sessions of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Box<ForkedFrom>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkedFrom {
    pub session: SessionId,
    /// Last copied entry. `None` if all entries were copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
}

impl SessionMeta {
    /// Returns the metadata of a copy. The title of the copy differs from the titles of the `others`.
    #[must_use]
    pub fn fork(self, now: Time, entry: Option<EntryId>, others: &[Self]) -> Self {
        let title = title_of_copy(&self.title, others);
        let session = self.id;
        Self {
            id: SessionId::fresh(),
            title,
            forked_from: Some(Box::new(ForkedFrom { session, entry })),
            created: now,
            updated: now,
            entries: 0,
            parent: None,
            ..self
        }
    }
}

/// Returns the title with the next free number, such as `(2) fix the date bug`. The number comes first, because lists
/// truncate long titles.
fn title_of_copy(title: &str, others: &[SessionMeta]) -> String {
    let (own, base) = numbered(title);
    if base.is_empty() {
        return String::new();
    }
    let others = others.iter().map(|meta| numbered(&meta.title));
    let taken = others.filter(|(_, other)| *other == base).map(|(number, _)| number);
    let last = taken.fold(own, u64::max);
    format!("({}) {base}", last.saturating_add(1))
}

/// Splits a title into the number of the copy and the title of the original, which has the number 1.
fn numbered(title: &str) -> (u64, &str) {
    let parts = title.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let parts = parts.and_then(|(number, base)| Some((number.parse().ok()?, base)));
    parts.unwrap_or((1, title))
}

/// Maximum number of fork levels that a list indents.
const LEVELS: usize = 4;

pub fn beneath(depth: usize) -> String {
    match depth.min(LEVELS) {
        0 => String::new(),
        depth => format!("{}└ ", "  ".repeat(depth - 1)),
    }
}

/// Sorts sessions so that forks follow their original, and returns each with its depth. An original and its forks are
/// placed at the position of the first of them.
pub fn tree(sessions: Vec<SessionMeta>) -> Vec<(usize, SessionMeta)> {
    let places: BTreeMap<&SessionId, usize> = sessions.iter().enumerate().map(|(at, meta)| (&meta.id, at)).collect();
    let parent = |at: usize| {
        let from = sessions.get(at)?.forked_from.as_ref()?;
        places.get(&from.session).copied()
    };
    let root = |mut at: usize| {
        // The links in a damaged file may form a cycle.
        for _ in 0..sessions.len() {
            match parent(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        at
    };
    let mut forks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..sessions.len() {
        if let Some(parent) = parent(at) {
            forks.entry(parent).or_default().push(at);
        }
    }
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for first in 0..sessions.len() {
        let mut rest = vec![(0, root(first))];
        while let Some((depth, at)) = rest.pop() {
            if seen.insert(at) {
                order.push((depth, at));
                let forks = forks.get(&at).into_iter().flatten().rev();
                rest.extend(forks.map(|fork| (depth + 1, *fork)));
            }
        }
    }
    let mut sessions: Vec<Option<SessionMeta>> = sessions.into_iter().map(Some).collect();
    let placed = order
        .into_iter()
        .filter_map(|(depth, at)| Some((depth, sessions.get_mut(at)?.take()?)));
    placed.collect()
}

/// Process that has a session open, as recorded in its lock file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseHolder {
    pub pid: u32,
    pub host: String,
    pub tty: Option<String>,
    pub started: Time,
    /// Whether the process is a detached workbench, to which `benchdog attach` can connect.
    #[serde(default)]
    pub detached: bool,
}

#[cfg(test)]
mod tests;
